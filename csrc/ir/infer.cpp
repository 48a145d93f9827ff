#include "ir/infer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "ir/infer_context.h"

namespace braid::ir {

namespace {

Scalar::Kind categoryOf(DType type) {
  if (isFloating(type)) return Scalar::Kind::Float;
  return type == DType::Bool ? Scalar::Kind::Bool : Scalar::Kind::Int;
}

/// The dtype of the tensor operands from `first` on, which must agree (numbers and parameters follow them).
DType commonType(const InferContext& context, size_t first) {
  std::optional<size_t> leader;
  for (size_t k = first; k < context.operandCount(); ++k) {
    if (!context.isTensor(k)) continue;
    if (leader && context.tensor(k).dtype != context.tensor(*leader).dtype) {
      throw context.error(ErrorCode::InvalidDType, fmt::format("operands differ in dtype: {}, {}",
                                                               context.describe(*leader), context.describe(k)));
    }
    if (!leader) leader = k;
  }
  if (leader) return context.tensor(*leader).dtype;
  // Only numbers and parameters: the types that their categories have by default.
  DType result = DType::Bool;
  for (size_t k = first; k < context.operandCount(); ++k) {
    const Value& value = context.value(k);
    result = promoteWeak(result, value.kind == ValueKind::Literal ? value.literal.kind : categoryOf(value.dtype()));
  }
  return result;
}

DType resultType(const InferContext& context, TypeRule rule, DType type) {
  const auto refuse = [&](std::string_view wanted) {
    return context.error(ErrorCode::InvalidDType, fmt::format("takes {}, not {}", wanted, nameOf(type)));
  };
  switch (rule) {
    case TypeRule::Same:
      if (type == DType::Bool) throw refuse("numbers");
      return type;
    case TypeRule::SameOrBool:
      return type;
    case TypeRule::Float:
    case TypeRule::FloatOnly:
      if (!isFloating(type)) throw refuse("floating dtypes");
      return type;
    case TypeRule::Predicate:
      return DType::Bool;
    case TypeRule::BitPattern:
      if (isFloating(type)) throw refuse("integers and bool");
      return type;
    case TypeRule::IntegerOnly:
      if (!isInteger(type)) throw refuse("integers");
      return type;
  }
  return type;
}

/// Axes of a pointwise result: the operands' axes, a constant extent where one operand has it.
std::vector<IterDomain> pointwiseAxes(InferContext& context) {
  std::optional<size_t> leader;
  std::vector<IterDomain> result;
  for (size_t k = 0; k < context.operandCount(); ++k) {
    if (!context.isTensor(k)) continue;
    const TensorView& y = context.tensor(k);
    if (!leader) {
      leader = k;
      result = y.logical;
      continue;
    }
    if (y.logical.size() != result.size()) {
      throw context.error(ErrorCode::InvalidRank,
                          fmt::format("{} and {} differ in rank", context.describe(*leader), context.describe(k)));
    }
    for (size_t axis = 0; axis < result.size(); ++axis) {
      const Extent& other = y.logical[axis].extent;
      context.requireEqual(
          result[axis].extent, other, ErrorCode::ShapeMismatch,
          fmt::format("axis {} differs: {}, {}", axis, context.describe(*leader), context.describe(k)));
      if (!result[axis].extent.isConstant() && other.isConstant()) result[axis].extent = other;
      if (y.logical[axis].kind != IterKind::Broadcast) result[axis].kind = IterKind::Iteration;
    }
  }
  return result;
}

void expectTensors(const InferContext& context) {
  for (size_t k = 0; k < context.operandCount(); ++k) {
    if (context.isTensor(k)) continue;
    throw context.error(ErrorCode::InvalidArgument,
                        fmt::format("operand {} must be a tensor, not {}", k, context.describe(k)));
  }
}

DType pointwiseType(InferContext& context, const Op& op) {
  if (const auto* unary = std::get_if<Unary>(&op)) {
    context.expectOperands(1);
    return resultType(context, kUnaryRules[static_cast<int>(unary->kind)], commonType(context, 0));
  }
  if (const auto* binary = std::get_if<Binary>(&op)) {
    context.expectOperands(2);
    return resultType(context, kBinaryRules[static_cast<int>(binary->kind)], commonType(context, 0));
  }
  const TernaryKind kind = std::get<Ternary>(op).kind;
  context.expectOperands(kind == TernaryKind::Addcmul ? 4 : 3);
  const bool isWhere = kind == TernaryKind::Where;
  if (isWhere && (!context.isTensor(0) || context.tensor(0).dtype != DType::Bool)) {
    throw context.error(ErrorCode::InvalidDType,
                        fmt::format("the condition must be a bool tensor, not {}", context.describe(0)));
  }
  return resultType(context, kTernaryRules[static_cast<int>(kind)], commonType(context, isWhere ? 1 : 0));
}

void requireExtents(InferContext& context, const Extents& extents) {
  for (const Extent& extent : extents) {
    context.requireLessEqual(0, extent, ErrorCode::InvalidExtent, fmt::format("an extent is {}", extent.text()));
  }
}

}  // namespace

DType operandType(const Fusion& fusion, const Expr& expr) {
  const auto* ternary = std::get_if<Ternary>(&expr.op);
  const bool isWhere = ternary != nullptr && ternary->kind == TernaryKind::Where;
  return commonType(InferContext(fusion, nameOf(expr.op), expr.inputs, expr.loc), isWhere ? 1 : 0);
}

Inferred infer(const Fusion& fusion, const Op& op, std::span<const ValueId> operands, const Location& loc) {
  InferContext context(fusion, nameOf(op), operands, loc);
  Inferred result{};
  const auto moved = [&](auto rule, const auto& attributes) {
    expectTensors(context);
    if (operands.empty()) context.expectOperands(1);
    result.dtype = commonType(context, 0);
    result.logical = rule(context, attributes);
  };
  const auto movedOne = [&](auto rule, const auto& attributes) {
    context.expectOperands(1);
    moved(rule, attributes);
  };
  const auto pointwise = [&] {
    result.dtype = pointwiseType(context, op);
    result.logical = pointwiseAxes(context);
  };
  std::visit(overloaded{
                 [&](const Unary&) { pointwise(); },
                 [&](const Binary&) { pointwise(); },
                 [&](const Ternary&) { pointwise(); },
                 [&](const Cast& cast) {
                   context.expectOperands(1);
                   expectTensors(context);
                   result.dtype = cast.dtype;
                   result.logical = context.tensor(0).logical;
                 },
                 [&](const Slice& each) { movedOne(inferSlice, each); },
                 [&](const Pad& each) { movedOne(inferPad, each); },
                 [&](const Cat& each) { moved(inferCat, each); },
                 [&](const SelectAt& each) { moved(inferSelectAt, each); },
                 [&](const Reshape& each) { movedOne(inferReshape, each); },
                 [&](const Permute& each) { movedOne(inferPermute, each); },
                 [&](const BroadcastInDim& each) { movedOne(inferBroadcastInDim, each); },
                 [&](const Expand& each) { movedOne(inferExpand, each); },
                 [&](const Squeeze& each) { movedOne(inferSqueeze, each); },
                 [&](const Flip& each) { movedOne(inferFlip, each); },
                 [&](const Full& full) {
                   context.expectOperands(0);
                   requireExtents(context, full.shape);
                   result.dtype = full.dtype;
                   for (const Extent& extent : full.shape) result.logical.push_back({extent, IterKind::Iteration});
                 },
                 [&](const Iota& iota) {
                   context.expectOperands(0);
                   if (iota.dtype == DType::Bool)
                     throw context.error(ErrorCode::InvalidDType, "takes numbers, not bool");
                   requireExtents(context, {iota.extent});
                   result.dtype = iota.dtype;
                   result.logical.push_back({iota.extent, IterKind::Iteration});
                 },
                 [&](const Reduce&) {
                   throw context.error(ErrorCode::InvalidArgument, "reductions are not supported yet")
                       .note("unary, binary, ternary and movement ops, full and iota are");
                 },
             },
             op);
  result.constraints = context.takeConstraints();
  return result;
}

}  // namespace braid::ir
