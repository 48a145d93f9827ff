#include "codegen/kernel_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "codegen/comments.h"
#include "codegen/number_text.h"

namespace braid::codegen {

using namespace device_lower;

KernelWriter::KernelWriter(const Kernel& kernel, IndexWidth width, Preamble& preamble)
    : kernel_(kernel),
      width_(width),
      preamble_(preamble),
      names_(kernel),
      index_(kernel, width, preamble),
      operands_(kernel, names_, preamble),
      declarations_(placeDeclarations(kernel)) {
  for (size_t i = 0; i < kernel.symbols.size(); ++i) {
    if (const auto symbol = kernel.arena->findSymbol(kernel.symbols[i])) index_.bind(*symbol, names_.symbols[i]);
  }
  for (size_t i = 0; i < kernel.divisors.size(); ++i) index_.bindDivisor(kernel.divisors[i], names_.divisors[i]);
}

std::string KernelWriter::run() {
  signature();
  for (size_t i = 0; i < kernel_.parts.size(); ++i) part(i);
  text_ += "}\n";
  return std::move(text_);
}

void KernelWriter::signature() {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < kernel_.tensors.size(); ++i) {
    const TensorParam& tensor = kernel_.tensors[i];
    arguments.push_back(fmt::format("{}{}* __restrict__ {}", tensor.isOutput ? "" : "const ", elementType(tensor.dtype),
                                    names_.tensors[i]));
  }
  for (size_t i = 0; i < kernel_.parameters.size(); ++i) {
    arguments.push_back(fmt::format("{} {}", elementType(kernel_.parameters[i].dtype), names_.parameters[i]));
  }
  for (const std::string& symbol : names_.symbols) arguments.push_back(fmt::format("{} {}", index_.type(), symbol));
  for (const std::string& divisor : names_.divisors) {
    arguments.push_back(fmt::format("{} {}", preamble_.use("Divisor"), divisor));
  }
  for (const std::string& end : names_.partEnds) arguments.push_back("unsigned " + end);
  text_ += fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}(\n    {}) {{\n", kernel_.blockThreads,
                       names_.kernel, fmt::join(arguments, ",\n    "));
}

/// One range of blocks: the whole grid, or a branch of a chain on the block's number.
void KernelWriter::part(size_t number) {
  const Part& part = kernel_.parts[number];
  const bool first = number == 0;
  const bool last = number + 1 == kernel_.parts.size();
  const bool chained = kernel_.parts.size() > 1;
  if (chained) {
    const std::string condition = last ? "" : fmt::format("if (blockIdx.x < {}) ", names_.partEnds[number]);
    line(fmt::format("{}{}{{  // part {}", first ? "" : "} else ", condition, part.name));
    ++depth_;
  }
  const std::string begin = first ? "blockIdx.x" : fmt::format("(blockIdx.x - {})", names_.partEnds[number - 1]);
  const std::string thread = names_.table.claim(kernel_.arena->symbolName(part.thread));
  const std::string threads = index_.integer(part.threads);
  index_.bind(part.thread, thread);
  std::string guard;
  if (width_ == IndexWidth::Bits32) {
    line(fmt::format("const int {} = (int)({} * {}u + threadIdx.x);", thread, begin, kernel_.blockThreads));
    guard = fmt::format("if ((unsigned){} < (unsigned)({})) {{", thread, threads);
  } else {
    line(fmt::format("const long long {} = (long long){} * {} + threadIdx.x;", thread, begin, kernel_.blockThreads));
    guard = fmt::format("if ({} < {}) {{", thread, threads);
  }
  block(guard, part.body);
  names_.table.release(thread);
  if (chained) {
    --depth_;
    if (last) line("}");
  }
}

void KernelWriter::line(const std::string& text) {
  text_.append(static_cast<size_t>(depth_) * 2, ' ').append(text).push_back('\n');
}

void KernelWriter::block(const std::string& head, const std::vector<Statement>& statements) {
  line(head);
  ++depth_;
  lastComment_.clear();
  body(statements);
  lastComment_.clear();
  --depth_;
  line("}");
}

void KernelWriter::body(const std::vector<Statement>& statements) {
  std::vector<std::string> claimed;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!statements[i].comment.empty() && statements[i].comment != lastComment_) {
      lastComment_ = statements[i].comment;
      for (const std::string& each : commentLines(lastComment_)) line(each);
    }
    if (const auto here = declarations_.before.find({&statements, i}); here != declarations_.before.end()) {
      for (const RegisterId id : here->second) declare(id);
    }
    if (const auto* let = std::get_if<LetIndex>(&statements[i].node)) {
      claimed.push_back(names_.table.claim(kernel_.arena->symbolName(let->symbol)));
      const bool condition = index_.isCondition(let->value);
      line(fmt::format("const {} {} = {};", condition ? "bool" : index_.type(), claimed.back(),
                       condition ? index_.condition(let->value) : index_.integer(let->value)));
      index_.bind(let->symbol, claimed.back());
      if (condition) index_.markCondition(let->symbol);
      continue;
    }
    std::visit([&](const auto& node) { write(node); }, statements[i].node);
  }
  for (const std::string& name : claimed) names_.table.release(name);
}

void KernelWriter::write(const LetIndex&) {}  // body() writes it: the name lives as long as the block

void KernelWriter::write(const Loop& loop) {
  const std::string variable = names_.table.claim(kernel_.arena->symbolName(loop.variable));
  const std::string extent = index_.integer(loop.extent);
  index_.bind(loop.variable, variable);
  line(loop.unroll ? "#pragma unroll" : "#pragma unroll 1");
  block(fmt::format("for ({0} {1} = 0; {1} < {2}; ++{1}) {{", index_.type(), variable, extent), loop.body);
  names_.table.release(variable);
}

void KernelWriter::write(const Guard& guard) {
  block(fmt::format("if ({}) {{", index_.condition(guard.condition)), guard.body);
}

/// Arrays have an even number of lanes, so that code for words may touch both lanes of the last one.
void KernelWriter::declare(RegisterId id) {
  const Register& source = reg(id);
  const bool half = isHalf(source.dtype);
  const std::string_view type = half ? "unsigned" : laneType(source.dtype);
  const bool zero = declarations_.startAsZero.contains(id);
  if (source.lanes == 1) {
    line(fmt::format("{} {}{};", type, nameOf(id), zero ? " = 0" : ""));
  } else {
    const int count = half ? (source.lanes + 1) / 2 : source.lanes + source.lanes % 2;
    line(fmt::format("{} {}[{}]{};", type, nameOf(id), count, zero ? " = {}" : ""));
  }
}

void KernelWriter::write(const Load& load) {
  const std::string_view suffix = load.cache == CacheHint::Stream     ? "_stream"
                                  : load.cache == CacheHint::ReadOnly ? "_readonly"
                                                                      : "";
  const int64_t bytes = load.width * kernel_.tensor(load.tensor).elementBytes();
  const std::string access =
      fmt::format("{}({}, {});", preamble_.use(fmt::format("load{}{}", bytes, suffix)),
                  lanesAddress(load.dst, load.firstLane, load.width, false), address(load.tensor, load.offset));
  line(load.predicate.valid() ? fmt::format("if ({}) {}", index_.condition(load.predicate), access) : access);
}

void KernelWriter::write(const Store& store) {
  const TensorParam& tensor = kernel_.tensor(store.tensor);
  const int64_t bytes = store.width * tensor.elementBytes();
  const std::string_view suffix = store.cache == CacheHint::Stream ? "_stream" : "";
  const std::string& function = preamble_.use(fmt::format("store{}{}", bytes, suffix));
  const std::string when =
      store.predicate.valid() ? fmt::format("if ({}) ", index_.condition(store.predicate)) : std::string();
  const Register& src = reg(store.src);
  if (src.lanes > 1 || store.width == 1) {
    line(fmt::format("{}{}({}, {});", when, function, address(store.tensor, store.offset),
                     lanesAddress(store.src, store.firstLane, store.width, true)));
    return;
  }
  // One lane for several elements: repeated in an array of its own.
  const bool half = isHalf(src.dtype);
  line(when + "{");
  ++depth_;
  const int count = half ? store.width / 2 : store.width;
  const std::string value = half ? operands_.word(store.src, src.dtype, "i") : nameOf(store.src);
  line(fmt::format("{} wide[{}];", half ? "unsigned" : laneType(src.dtype), count));
  line("#pragma unroll");
  line(fmt::format("for (int i = 0; i < {}; ++i) wide[i] = {};", count, value));
  line(fmt::format("{}({}, wide);", function, address(store.tensor, store.offset)));
  --depth_;
  line("}");
}

std::string KernelWriter::address(TensorId tensor, index::IndexExpr offset) {
  const std::string& pointer = names_.tensors[tensor.value];
  if (kernel_.arena->isConstant(offset, 0)) return pointer;
  // In parentheses, so that the sum is one of index arithmetic and not of several 64-bit additions.
  return fmt::format("{} + {}", pointer, index_.factor(offset));
}

std::string KernelWriter::lanesAddress(RegisterId id, int firstLane, int width, bool toRead) const {
  const Register& source = reg(id);
  const std::string& name = nameOf(id);
  if (source.lanes == 1) return "&" + name;
  if (!isHalf(source.dtype)) return firstLane == 0 ? name : fmt::format("{} + {}", name, firstLane);
  if (width == 1 || firstLane % 2 != 0) {
    return fmt::format("({}unsigned short*){} + {}", toRead ? "const " : "", name, firstLane);
  }
  return firstLane == 0 ? name : fmt::format("{} + {}", name, firstLane / 2);
}

void KernelWriter::eachLane(RegisterId dst, const LaneValue& value) { assignAll(dst, reg(dst).lanes, "i", value); }

void KernelWriter::eachWord(RegisterId dst, const LaneValue& value) {
  assignAll(dst, (reg(dst).lanes + 1) / 2, "w", value);
}

void KernelWriter::assignAll(RegisterId dst, int count, std::string_view subscript, const LaneValue& value) {
  const std::string& name = nameOf(dst);
  if (reg(dst).lanes == 1) {
    line(fmt::format("{} = {};", name, value("")));
  } else if (count == 1) {
    line(fmt::format("{}[0] = {};", name, value("0")));
  } else {
    line("#pragma unroll");
    line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {2}[{0}] = {3};", subscript, count, name,
                     value(std::string(subscript))));
  }
}

}  // namespace braid::codegen
