#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include <utility>

#include "braid/error.h"
#include "index/text.h"

namespace braid::index {

namespace {

constexpr int kMaxDepth = 256;
constexpr int kMaxOperators = 4096;  // trees are walked by recursion

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continuesName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

SyntaxTree number(int64_t value) { return {ExprKind::Constant, value, {}, {}}; }
SyntaxTree apply(ExprKind kind, SyntaxTree a, SyntaxTree b) {
  SyntaxTree result{kind, 0, {}, {}};
  result.operands.push_back(std::move(a));
  result.operands.push_back(std::move(b));
  return result;
}
SyntaxTree negative(SyntaxTree a) {
  if (a.kind == ExprKind::Constant && a.constant != INT64_MIN) return number(-a.constant);
  return apply(ExprKind::Mul, number(-1), std::move(a));
}
SyntaxTree negated(SyntaxTree a) {
  SyntaxTree result{ExprKind::Not, 0, {}, {}};
  result.operands.push_back(std::move(a));
  return result;
}

class Reader {
 public:
  Reader(std::string_view text, size_t position, Grammar grammar)
      : text_(text), position_(position), end_(position), grammar_(grammar) {}

  SyntaxTree expression() { return grammar_ == Grammar::Extent ? sum() : disjunction(); }
  size_t end() const { return end_; }
  void expectEnd() {
    skipSpace();
    if (position_ < text_.size()) fail("expected the end of the expression or an operator");
  }

 private:
  SyntaxTree disjunction() {
    SyntaxTree result = conjunction();
    while (accept("||")) result = apply(ExprKind::Or, std::move(result), conjunction());
    return result;
  }
  SyntaxTree conjunction() {
    SyntaxTree result = comparison();
    while (accept("&&")) result = apply(ExprKind::And, std::move(result), comparison());
    return result;
  }
  SyntaxTree comparison() {
    SyntaxTree left = sum();
    // The longer spellings first.
    if (accept("<=")) return negated(apply(ExprKind::Less, sum(), std::move(left)));
    if (accept(">=")) return negated(apply(ExprKind::Less, std::move(left), sum()));
    if (accept("==")) return apply(ExprKind::Equal, std::move(left), sum());
    if (accept("!=")) return negated(apply(ExprKind::Equal, std::move(left), sum()));
    if (accept("<")) return apply(ExprKind::Less, std::move(left), sum());
    if (accept(">")) {
      SyntaxTree right = sum();
      return apply(ExprKind::Less, std::move(right), std::move(left));
    }
    return left;
  }
  SyntaxTree sum() {
    SyntaxTree result = product();
    while (true) {
      if (accept("+"))
        result = apply(ExprKind::Add, std::move(result), product());
      else if (!startsWith("->") && accept("-"))  // an arrow ends a schedule's factor
        result = apply(ExprKind::Add, std::move(result), negative(product()));
      else
        return result;
    }
  }
  SyntaxTree product() {
    SyntaxTree result = unary();
    while (true) {
      if (accept("*"))
        result = apply(ExprKind::Mul, std::move(result), unary());
      else if (accept("//"))
        result = apply(ExprKind::FloorDiv, std::move(result), unary());
      else if (accept("%"))
        result = apply(ExprKind::Mod, std::move(result), unary());
      else
        return result;
    }
  }
  SyntaxTree unary() {
    const Nesting nesting(*this);
    if (accept("-")) return negative(unary());
    if (grammar_ == Grammar::Expression && !startsWith("!=") && accept("!")) return negated(unary());
    return primary();
  }
  SyntaxTree primary() {
    skipSpace();
    if (accept("(")) {
      SyntaxTree inner = expression();
      expect(")");
      return inner;
    }
    if (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_]))) return integer();
    if (position_ < text_.size() && startsName(text_[position_])) return nameOrCall();
    fail("expected an integer, a name or '('");
  }
  SyntaxTree integer() {
    int64_t value = 0;
    const char* first = text_.data() + position_;
    const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("expected an integer that fits in 64 bits");
    position_ += static_cast<size_t>(last - first);
    if (position_ < text_.size() && continuesName(text_[position_])) fail("expected an operator after an integer");
    end_ = position_;
    return number(value);
  }
  SyntaxTree nameOrCall() {
    const size_t start = position_;
    while (position_ < text_.size() && continuesName(text_[position_])) ++position_;
    const std::string name(text_.substr(start, position_ - start));
    end_ = position_;
    const bool isCall = name == "min" || name == "max" || (grammar_ == Grammar::Expression && name == "select");
    if (isCall && accept("(")) return call(name);
    return {ExprKind::Symbol, 0, name, {}};
  }
  SyntaxTree call(const std::string& name) {
    std::vector<SyntaxTree> arguments{expression()};
    while (accept(",")) arguments.push_back(expression());
    if (name == "select") {
      if (arguments.size() != 3) fail("expected select(condition, value where true, value where false)");
      expect(")");
      return {ExprKind::Select, 0, {}, std::move(arguments)};
    }
    if (arguments.size() < 2) fail(fmt::format("expected ',' and another argument of {}", name));
    expect(")");
    const ExprKind kind = name == "min" ? ExprKind::Min : ExprKind::Max;
    SyntaxTree result = std::move(arguments[0]);
    for (size_t i = 1; i < arguments.size(); ++i) result = apply(kind, std::move(result), std::move(arguments[i]));
    return result;
  }

  void skipSpace() {
    while (position_ < text_.size()) {
      if (text_[position_] == '#') {
        while (position_ < text_.size() && text_[position_] != '\n') ++position_;
      } else if (std::isspace(static_cast<unsigned char>(text_[position_]))) {
        ++position_;
      } else {
        return;
      }
    }
  }
  bool startsWith(std::string_view token) {
    skipSpace();
    return text_.substr(position_).starts_with(token);
  }
  bool accept(std::string_view token) {
    if (!startsWith(token)) return false;
    if (++tokens_ > kMaxOperators) fail("expected a shorter expression");
    position_ += token.size();
    end_ = position_;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("expected '{}'", token));
  }
  [[noreturn]] void fail(const std::string& what) {
    skipSpace();
    std::string before = "the end";
    if (position_ < text_.size()) {
      size_t stop = position_ + 1;
      while (continuesName(text_[position_]) && stop < text_.size() && continuesName(text_[stop])) ++stop;
      before = fmt::format("'{}'", text_.substr(position_, stop - position_));
    }
    throw Error(ErrorCode::Parse, fmt::format("{}: {} before {}", lineAndColumn(text_, position_), what, before));
  }

  struct Nesting {
    explicit Nesting(Reader& reader) : depth(reader.depth_) {
      if (++depth > kMaxDepth) reader.fail("expected less nesting");
    }
    ~Nesting() { --depth; }
    int& depth;
  };

  std::string_view text_;
  size_t position_, end_;
  Grammar grammar_;
  int depth_ = 0;
  int tokens_ = 0;
};

}  // namespace

SyntaxTree parseSyntaxPrefix(std::string_view text, size_t& position, Grammar grammar) {
  Reader reader(text, position, grammar);
  SyntaxTree result = reader.expression();
  position = reader.end();
  return result;
}

SyntaxTree parseSyntax(std::string_view text, Grammar grammar) {
  Reader reader(text, 0, grammar);
  SyntaxTree result = reader.expression();
  reader.expectEnd();
  return result;
}

std::string lineAndColumn(std::string_view text, size_t position) {
  size_t line = 1, column = 1;
  for (const char c : text.substr(0, position)) {
    ++column;
    if (c == '\n') ++line, column = 1;
  }
  return fmt::format("{}:{}", line, column);
}

}  // namespace braid::index
