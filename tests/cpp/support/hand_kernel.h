#pragma once
// Kernels written by hand, one call a statement.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_lower/kernel_ir.h"

namespace braid::test {

using namespace device_lower;
using index::IndexArena;

/// Statements go to the innermost open loop or guard of the last part.
class HandKernel {
 public:
  explicit HandKernel(const std::string& name) {
    kernel.name = name;
    kernel.arena = std::make_shared<IndexArena>();
  }

  IndexArena& arena() { return *kernel.arena; }
  IndexExpr constant(int64_t value) { return arena().constant(value); }
  /// An extent: a symbol of at least 1 that the launch brings.
  IndexExpr size(const std::string& name) {
    kernel.symbols.push_back(name);
    return arena().symbol(name, {.range = {1, std::nullopt}, .exclusiveUpper = std::nullopt, .divisor = 1});
  }
  TensorId input(const std::string& name, DType dtype, int64_t span = 0) { return tensor(name, dtype, false, span); }
  TensorId output(const std::string& name, DType dtype, int64_t span = 0) { return tensor(name, dtype, true, span); }
  ParameterId parameter(const std::string& name, DType dtype) {
    kernel.parameters.push_back({name, dtype});
    return ParameterId{static_cast<uint32_t>(kernel.parameters.size() - 1)};
  }
  RegisterId reg(const std::string& name, DType dtype, int lanes) {
    kernel.registers.push_back({name, dtype, lanes});
    return RegisterId{static_cast<uint32_t>(kernel.registers.size() - 1)};
  }

  /// Opens a part; returns its thread number.
  IndexExpr part(const std::string& name, IndexExpr threads) {
    open_.clear();
    const IndexExpr thread = arena().loopVariable(name + ".thread", threads);
    kernel.parts.push_back({name, thread, threads, {}});
    return thread;
  }
  IndexExpr part(const std::string& name, int64_t threads) { return part(name, constant(threads)); }

  void add(StatementNode node, const std::string& comment = "") { body().push_back({std::move(node), comment}); }
  /// name := value, as a symbol with the value's own bounds.
  IndexExpr let(const std::string& name, IndexExpr value) {
    const IndexExpr symbol = arena().symbol(
        name, {.range = arena().range(value), .exclusiveUpper = std::nullopt, .divisor = arena().divisor(value)});
    add(LetIndex{symbol, value});
    return symbol;
  }
  /// All lanes of a new register from consecutive elements.
  RegisterId load(const std::string& name, TensorId tensor, IndexExpr offset, int lanes,
                  CacheHint cache = CacheHint::Stream, IndexExpr predicate = {}) {
    const RegisterId dst = reg(name, kernel.tensor(tensor).dtype, lanes);
    add(Load{dst, 0, lanes, tensor, offset, predicate, cache});
    return dst;
  }
  RegisterId compute(const std::string& name, ScalarOp op, DType operandType, DType result, int lanes,
                     std::vector<Operand> operands, const std::string& comment = "") {
    const RegisterId dst = reg(name, result, lanes);
    add(Compute{dst, op, operandType, std::move(operands)}, comment);
    return dst;
  }
  /// All lanes, or `width` elements of a register with one.
  void store(TensorId tensor, IndexExpr offset, RegisterId src, int width = 0, IndexExpr predicate = {}) {
    add(Store{tensor, offset, width == 0 ? kernel.reg(src).lanes : width, src, 0, predicate, CacheHint::Stream});
  }
  /// Until close(), statements go into the loop's body.
  IndexExpr loop(const std::string& name, int64_t extent, bool unroll = false) {
    const IndexExpr variable = arena().loopVariable(name, constant(extent));
    add(Loop{variable, constant(extent), unroll, {}});
    open_.push_back(body().size() - 1);
    return variable;
  }
  void guard(IndexExpr condition) {
    add(Guard{condition, {}});
    open_.push_back(body().size() - 1);
  }
  void close() { open_.pop_back(); }

  Kernel kernel;

 private:
  TensorId tensor(const std::string& name, DType dtype, bool isOutput, int64_t span) {
    kernel.tensors.push_back({name, dtype, isOutput, 16, constant(span)});
    return TensorId{static_cast<uint32_t>(kernel.tensors.size() - 1)};
  }

  std::vector<Statement>& body() {
    std::vector<Statement>* current = &kernel.parts.back().body;
    for (const size_t at : open_) {
      StatementNode& node = (*current)[at].node;
      current = std::holds_alternative<Loop>(node) ? &std::get<Loop>(node).body : &std::get<Guard>(node).body;
    }
    return *current;
  }

  std::vector<size_t> open_;
};

}  // namespace braid::test
