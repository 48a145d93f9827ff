// Kernel → readable text. The text names everything as the kernel does; it is compared in tests and read in reports.

#include <fmt/format.h>

#include <iterator>

#include "base/overloaded.h"
#include "device_lower/kernel_ir.h"

namespace braid::device_lower {
namespace {

std::string scalarText(const ir::Scalar& scalar) {
  switch (scalar.kind) {
    case ir::Scalar::Kind::Bool:
      return scalar.integer != 0 ? "true" : "false";
    case ir::Scalar::Kind::Int:
      return fmt::format("{}", scalar.integer);
    case ir::Scalar::Kind::Float:
      return fmt::format("{:#}", scalar.floating);
  }
  return {};
}

std::string opText(const ScalarOp& op) {
  return std::visit(overloaded{
                        [](ir::UnaryKind kind) { return std::string(ir::nameOf(kind)); },
                        [](ir::BinaryKind kind) { return std::string(ir::nameOf(kind)); },
                        [](ir::TernaryKind kind) { return std::string(ir::nameOf(kind)); },
                        [](const CastOp& cast) { return fmt::format("cast.{}", nameOf(cast.from)); },
                    },
                    op);
}

std::string_view hintText(CacheHint hint) {
  switch (hint) {
    case CacheHint::Stream:
      return ".stream";
    case CacheHint::ReadOnly:
      return ".readonly";
    case CacheHint::Default:
      return "";
  }
  return "";
}

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel) {}

  std::string alone(const Statement& statement) {
    print(0, statement);
    return text_.substr(0, text_.find('\n'));
  }

  std::string run() {
    line(0, fmt::format("kernel {} ({} threads a block)", kernel_.name, kernel_.blockThreads), "");
    for (const TensorParam& tensor : kernel_.tensors) {
      line(1,
           fmt::format("{} {}: {}, {}-byte aligned, spans {}", tensor.isOutput ? "output" : "input", tensor.name,
                       nameOf(tensor.dtype), tensor.alignmentBytes, index(tensor.spanElements)),
           "");
    }
    for (const ScalarParam& parameter : kernel_.parameters) {
      line(1, fmt::format("parameter {}: {}", parameter.name, nameOf(parameter.dtype)), "");
    }
    if (!kernel_.symbols.empty()) line(1, fmt::format("symbols {}", fmt::join(kernel_.symbols, ", ")), "");
    if (!kernel_.divisors.empty()) line(1, fmt::format("divisors {}", list(kernel_.divisors)), "");
    for (const Part& part : kernel_.parts) {
      line(1, fmt::format("part {}: {} < {}", part.name, index(part.thread), index(part.threads)), "");
      body(2, part.body);
    }
    return std::move(text_);
  }

 private:
  void line(int depth, const std::string& content, const std::string& comment) {
    text_.append(static_cast<size_t>(depth) * 2, ' ').append(content);
    if (!comment.empty()) text_.append("  # ").append(comment);
    text_.push_back('\n');
  }

  std::string index(IndexExpr e) const { return e.valid() ? kernel_.arena->text(e) : "?"; }

  std::string list(const std::vector<IndexExpr>& exprs) const {
    std::string result;
    for (const IndexExpr e : exprs) result += (result.empty() ? "" : ", ") + index(e);
    return result;
  }

  std::string when(IndexExpr predicate) const { return predicate.valid() ? " if " + index(predicate) : ""; }

  std::string operand(const Operand& operand) const {
    return std::visit(overloaded{
                          [&](RegisterId id) { return kernel_.reg(id).name; },
                          [&](ParameterId id) { return kernel_.parameters[id.value].name; },
                          [](const ir::Scalar& scalar) { return scalarText(scalar); },
                      },
                      operand);
  }

  std::string target(RegisterId id) const {
    const Register& reg = kernel_.reg(id);
    return fmt::format("{}: {}[{}]", reg.name, nameOf(reg.dtype), reg.lanes);
  }

  std::string lanes(RegisterId id, int first, int width) const {
    const Register& reg = kernel_.reg(id);
    if (reg.lanes == 1) return reg.name;
    return fmt::format("{}[{}:{}]", reg.name, first, first + width);
  }

  void body(int depth, const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) print(depth, statement);
  }

  void print(int depth, const Statement& statement) {
    const auto out = [&](const std::string& content) { line(depth, content, statement.comment); };
    std::visit(
        overloaded{
            [&](const LetIndex& let) { out(fmt::format("{} = {}", index(let.symbol), index(let.value))); },
            [&](const Load& load) {
              out(fmt::format("{} = load{} {}[{}]{}", loadTarget(load), hintText(load.cache),
                              kernel_.tensor(load.tensor).name, index(load.offset), when(load.predicate)));
            },
            [&](const Compute& compute) {
              std::string operands;
              for (const Operand& each : compute.operands) {
                operands += (operands.empty() ? "" : ", ") + operand(each);
              }
              out(fmt::format("{} = {} {}", target(compute.dst), opText(compute.op), operands));
            },
            [&](const SelectLanes& select) {
              out(fmt::format("{} = select [{}] ? {} : {}", target(select.dst), list(select.conditions),
                              operand(select.whenTrue), operand(select.whenFalse)));
            },
            [&](const FromIndex& from) {
              out(fmt::format("{} = index {} + {} * [{}]", target(from.dst), scalarText(from.start),
                              scalarText(from.step), list(from.positions)));
            },
            [&](const Fill& fill) { out(fmt::format("{} = fill {}", target(fill.dst), operand(fill.value))); },
            [&](const Store& store) {
              out(fmt::format("store{} {}[{}] = {}{}{}", hintText(store.cache), kernel_.tensor(store.tensor).name,
                              index(store.offset), lanes(store.src, store.firstLane, store.width), repeatText(store),
                              when(store.predicate)));
            },
            [&](const Loop& loop) {
              out(fmt::format("{} {} < {}", loop.unroll ? "unroll" : "loop", index(loop.variable), index(loop.extent)));
              body(depth + 1, loop.body);
            },
            [&](const Guard& guard) {
              out(fmt::format("if {}", index(guard.condition)));
              body(depth + 1, guard.body);
            },
        },
        statement.node);
  }

  /// A load of all lanes defines the register; a load of some names them.
  std::string loadTarget(const Load& load) const {
    const Register& reg = kernel_.reg(load.dst);
    if (load.width == reg.lanes) return target(load.dst);
    return fmt::format("{}: {}", lanes(load.dst, load.firstLane, load.width), nameOf(reg.dtype));
  }

  std::string repeatText(const Store& store) const {
    const bool repeats = kernel_.reg(store.src).lanes == 1 && store.width > 1;
    return repeats ? fmt::format(" x {}", store.width) : "";
  }

  const Kernel& kernel_;
  std::string text_;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).run(); }

std::string print(const Kernel& kernel, const Statement& statement) { return Printer(kernel).alone(statement); }

}  // namespace braid::device_lower
