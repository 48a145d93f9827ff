#include "evaluator/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/overloaded.h"
#include "braid/error.h"
#include "evaluator/movement.h"
#include "evaluator/scalar_ops.h"
#include "evaluator/strided_copy.h"
#include "ir/infer.h"
#include "ir/view.h"

namespace braid::evaluator {

namespace {

std::vector<int64_t> valuesOf(const std::vector<ir::Extent>& extents, const ir::Symbols& symbols) {
  std::vector<int64_t> result;
  for (const ir::Extent& extent : extents) result.push_back(extent.evaluate(symbols));
  return result;
}

class Evaluation {
 public:
  Evaluation(const ir::Fusion& fusion, const Arguments& arguments)
      : fusion_(fusion),
        arguments_(arguments),
        symbols_(bindSymbols(fusion, arguments)),
        values_(fusion.values().size()),
        lastUse_(fusion.values().size(), fusion.exprs().size()) {
    takeInputs();
  }

  /// Values whose last use has passed are dropped unless `keep`.
  void run(bool keep) {
    if (!keep) findLastUses();
    for (size_t i = 0; i < fusion_.exprs().size(); ++i) {
      const ir::Expr& expr = fusion_.exprs()[i];
      values_[expr.output] = evaluate(expr);
      for (const ir::ValueId operand : expr.inputs) {
        if (!keep && lastUse_[operand] == i) values_[operand] = HostArray();
      }
    }
  }

  HostArray output(const ir::Output& output) const {
    if (output.kind == ir::OutputKind::Alias) return alias(output.value);
    const HostArray& value = values_[output.value];
    if (!output.layout.contiguous) return inLayout(value, output);
    // Two outputs of one value are two arrays, as an executor would give them.
    return value.storage().use_count() > 1 ? value.contiguousCopy() : value;
  }

  const HostArray& value(ir::ValueId id) const { return values_[id]; }

 private:
  void takeInputs() {
    for (const ir::Input& input : fusion_.inputs()) {
      const ir::Value& value = fusion_.value(input.value);
      if (value.kind == ir::ValueKind::Tensor) {
        values_[input.value] = arguments_.tensors.at(value.name()).contiguousCopy();
        continue;
      }
      const auto it = arguments_.scalars.find(value.name());
      if (it == arguments_.scalars.end()) {
        throw Error(ErrorCode::UnknownName, fmt::format("{}: the parameter {}: {} is missing", fusion_.name(),
                                                        value.name(), nameOf(value.dtype())));
      }
      HostArray scalar(value.dtype(), {});
      storeScalar(it->second, value.dtype(), scalar.data());
      values_[input.value] = std::move(scalar);
    }
  }

  void findLastUses() {
    for (size_t i = 0; i < fusion_.exprs().size(); ++i) {
      for (const ir::ValueId operand : fusion_.exprs()[i].inputs) lastUse_[operand] = i;
    }
    for (const ir::Output& output : fusion_.outputs()) lastUse_[output.value] = fusion_.exprs().size();
    // An input that is read again, or a literal, costs nothing to keep.
    for (const ir::Input& input : fusion_.inputs()) lastUse_[input.value] = fusion_.exprs().size();
  }

  HostArray evaluate(const ir::Expr& expr) const {
    const ir::TensorView& type = fusion_.tensor(expr.output);
    HostArray result(type.dtype, valuesOf(type.shape(), symbols_));
    std::byte* out = result.data();
    const int64_t count = result.elements();
    const bool pointwise = ir::isPointwise(expr.op);
    const DType dtype = pointwise ? ir::operandType(fusion_, expr) : type.dtype;
    std::vector<ScalarOperand> x;
    std::vector<const HostArray*> arrays;
    for (const ir::ValueId id : expr.inputs) {
      if (pointwise) x.push_back(operand(id));
      arrays.push_back(&values_[id]);
    }
    const auto move = [&] { applyMovement(expr.op, arrays, symbols_, result); };
    std::visit(overloaded{
                   [&](const ir::Unary& op) { applyUnary(op.kind, dtype, x[0], out, count); },
                   [&](const ir::Binary& op) { applyBinary(op.kind, dtype, x[0], x[1], out, count); },
                   [&](const ir::Ternary& op) { applyTernary(op.kind, dtype, x, out, count); },
                   [&](const ir::Cast& op) { applyCast(dtype, op.dtype, x[0], out, count); },
                   [&](const ir::Slice&) { move(); },
                   [&](const ir::Pad&) { move(); },
                   [&](const ir::Cat&) { move(); },
                   [&](const ir::SelectAt&) { move(); },
                   [&](const ir::Reshape&) { move(); },
                   [&](const ir::Permute&) { move(); },
                   [&](const ir::BroadcastInDim&) { move(); },
                   [&](const ir::Expand&) { move(); },
                   [&](const ir::Squeeze&) { move(); },
                   [&](const ir::Flip&) { move(); },
                   [&](const ir::Full&) { move(); },
                   [&](const ir::Iota&) { move(); },
                   [&](const ir::Reduce&) {
                     throw Error(ErrorCode::InvalidArgument,
                                 fmt::format("{}: reductions are not supported yet", nameOf(expr.op)));
                   },
               },
               expr.op);
    return result;
  }

  ScalarOperand operand(ir::ValueId id) const {
    const ir::Value& value = fusion_.value(id);
    if (value.kind == ir::ValueKind::Literal) return {nullptr, false, value.literal};
    if (value.kind == ir::ValueKind::Parameter) return {nullptr, false, parameter(value)};
    return {values_[id].data(), false, {}};
  }

  /// The parameter as its dtype holds it.
  ir::Scalar parameter(const ir::Value& value) const {
    const ir::Scalar& given = arguments_.scalars.at(value.name());
    std::byte element[8] = {};
    storeScalar(given, value.dtype(), element);
    std::byte wide[8] = {};
    if (isFloating(value.dtype())) {
      applyCast(value.dtype(), DType::Float64, {element, true, {}}, wide, 1);
      double number = 0;
      std::memcpy(&number, wide, sizeof number);
      return ir::Scalar::real(number);
    }
    applyCast(value.dtype(), DType::Int64, {element, true, {}}, wide, 1);
    int64_t number = 0;
    std::memcpy(&number, wide, sizeof number);
    return value.dtype() == DType::Bool ? ir::Scalar::boolean(number != 0) : ir::Scalar::integral(number);
  }

  HostArray alias(ir::ValueId id) const {
    const ir::View view = *ir::viewOf(fusion_, id);
    const HostArray& input = arguments_.tensors.at(fusion_.value(view.input).name());
    return HostArray(input.dtype(), valuesOf(fusion_.tensor(id).shape(), symbols_), valuesOf(view.strides, symbols_),
                     input.storage(), input.offset() + view.offset.evaluate(symbols_));
  }

  HostArray inLayout(const HostArray& value, const ir::Output& output) const {
    std::vector<int64_t> strides = contiguousStrides(value.sizes());
    int64_t last = 0;
    for (size_t i = 0; i < strides.size(); ++i) {
      if (output.layout.strides[i].value) strides[i] = output.layout.strides[i].value->evaluate(symbols_);
      last += std::max<int64_t>(0, value.sizes()[i] - 1) * strides[i];
    }
    const int64_t span = value.elements() == 0 ? 0 : last + 1;
    HostArray result(value.dtype(), value.sizes(), strides, makeStorage(span * bytesOf(value.dtype())), 0);
    copyStrided({value.sizes(), bytesOf(value.dtype())}, {result.data(), strides}, value.data(), value.strides());
    return result;
  }

  const ir::Fusion& fusion_;
  const Arguments& arguments_;
  ir::Symbols symbols_;
  IdMap<ir::ValueId, HostArray> values_;
  IdMap<ir::ValueId, size_t> lastUse_;
};

}  // namespace

ir::Symbols bindSymbols(const ir::Fusion& fusion, const Arguments& arguments) {
  std::map<std::string, ir::TensorShape> shapes;
  for (const auto& [name, array] : arguments.tensors) shapes[name] = {array.dtype(), array.sizes(), array.strides()};
  return ir::bindSymbols(fusion, shapes, arguments.dims);
}

std::vector<HostArray> evaluate(const ir::Fusion& fusion, const Arguments& arguments) {
  Evaluation evaluation(fusion, arguments);
  evaluation.run(false);
  std::vector<HostArray> results;
  for (const ir::Output& output : fusion.outputs()) results.push_back(evaluation.output(output));
  return results;
}

std::map<std::string, HostArray> evaluateAll(const ir::Fusion& fusion, const Arguments& arguments) {
  Evaluation evaluation(fusion, arguments);
  evaluation.run(true);
  std::map<std::string, HostArray> results;
  for (uint32_t i = 0; i < fusion.values().size(); ++i) {
    const ir::Value& value = fusion.values()[i];
    if (value.kind == ir::ValueKind::Tensor) results[value.name()] = evaluation.value(ir::ValueId{i});
  }
  return results;
}

}  // namespace braid::evaluator
