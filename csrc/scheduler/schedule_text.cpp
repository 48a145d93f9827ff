#include <fmt/format.h>

#include <cctype>

#include "base/overloaded.h"
#include "braid/error.h"
#include "index/text.h"
#include "scheduler/schedule.h"

namespace braid::scheduler {

namespace {

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// Words, punctuation and extents of one schedule text; knows where it is for error messages.
class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  [[noreturn]] void fail(const std::string& expected) {
    skipSpace();
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at_; ++i) {
      column = text_[i] == '\n' ? 1 : column + 1;
      line += text_[i] == '\n';
    }
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string seen = at_ < text_.size()
                                 ? fmt::format("'{}'", text_.substr(at_, std::min<size_t>(end - at_, 20)))
                                 : std::string("the end of the text");
    throw Error(ErrorCode::Parse, fmt::format("{}:{}:{}: expected {}, found {}", file_, line, column, expected, seen));
  }

  bool accept(std::string_view token) {
    skipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    const bool isWord = isNameCharacter(token.back());
    if (isWord && at_ + token.size() < text_.size() && isNameCharacter(text_[at_ + token.size()])) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("'{}'", token));
  }

  std::string name(const std::string& what) {
    skipSpace();
    size_t end = at_;
    while (end < text_.size() && isNameCharacter(text_[end])) ++end;
    if (end == at_) fail(what);
    const std::string result(text_.substr(at_, end - at_));
    at_ = end;
    return result;
  }

  std::vector<std::string> names(const std::string& what) {
    std::vector<std::string> result{name(what)};
    while (accept(",")) result.push_back(name(what));
    return result;
  }

  index::Extent extent() {
    skipSpace();
    return index::parseExtentPrefix(text_, at_);
  }

  bool atEnd() {
    skipSpace();
    return at_ == text_.size();
  }

 private:
  static bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  void skipSpace() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view text_, file_;
  size_t at_ = 0;
};

PartSchedule parsePart(Reader& in) {
  PartSchedule part;
  part.name = in.name("the part's name");
  in.expect("{");
  while (!in.accept("}")) {
    if (in.accept("outputs")) {
      part.outputs = in.names("an output's name");
    } else if (in.accept("split")) {
      SplitAxis split;
      split.axis = in.name("an axis");
      in.expect("by");
      split.factor = in.extent();
      in.expect("->");
      split.outer = in.name("the outer axis");
      in.expect(",");
      split.inner = in.name("the inner axis");
      part.steps.push_back(split);
    } else if (in.accept("merge")) {
      MergeAxes merge;
      merge.outer = in.name("the outer axis");
      in.expect(",");
      merge.inner = in.name("the inner axis");
      in.expect("->");
      merge.result = in.name("the merged axis");
      part.steps.push_back(merge);
    } else if (in.accept("grid")) {
      part.grid = in.names("an axis");
    } else if (in.accept("loop")) {
      part.loops = in.names("an axis");
    } else if (in.accept("jam")) {
      part.jam = in.names("an axis");
    } else if (in.accept("vector")) {
      part.vector = in.name("an axis");
    } else if (in.accept("cached")) {
      part.cached = in.names("a tensor");
    } else {
      in.fail("outputs, split, merge, grid, loop, jam, vector, cached or '}'");
    }
  }
  return part;
}

}  // namespace

std::string print(const Schedule& schedule) {
  std::string text = fmt::format("schedule v1 {} {{\n  threads {}\n", schedule.name, schedule.threads);
  for (const PartSchedule& part : schedule.parts) {
    text += fmt::format("  part {} {{\n    outputs {}\n", part.name, list(part.outputs));
    for (const DomainStep& step : part.steps) {
      text += std::visit(
          overloaded{
              [](const SplitAxis& s) {
                return fmt::format("    split {} by {} -> {}, {}\n", s.axis, s.factor.text(), s.outer, s.inner);
              },
              [](const MergeAxes& m) { return fmt::format("    merge {}, {} -> {}\n", m.outer, m.inner, m.result); },
          },
          step);
    }
    if (!part.grid.empty()) text += fmt::format("    grid {}\n", list(part.grid));
    if (!part.loops.empty()) text += fmt::format("    loop {}\n", list(part.loops));
    if (!part.jam.empty()) text += fmt::format("    jam {}\n", list(part.jam));
    if (!part.vector.empty()) text += fmt::format("    vector {}\n", part.vector);
    if (!part.cached.empty()) text += fmt::format("    cached {}\n", list(part.cached));
    text += "  }\n";
  }
  return text + "}\n";
}

Schedule parseSchedule(std::string_view text, std::string_view file) {
  Reader in(text, file);
  Schedule schedule;
  in.expect("schedule");
  in.expect("v1");
  schedule.name = in.name("the schedule's name");
  in.expect("{");
  while (!in.accept("}")) {
    if (in.accept("threads")) {
      const index::Extent threads = in.extent();
      const auto count = threads.asConstant();
      if (!count || *count < 1 || *count > 1024) in.fail("a number of threads from 1 to 1024 before this");
      schedule.threads = static_cast<int>(*count);
    } else if (in.accept("part")) {
      schedule.parts.push_back(parsePart(in));
    } else {
      in.fail("threads, part or '}'");
    }
  }
  if (!in.atEnd()) in.fail("nothing more");
  return schedule;
}

}  // namespace braid::scheduler
