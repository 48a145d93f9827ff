#include "ir/normalise.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "ir/infer.h"
#include "ir/infer_context.h"

namespace braid::ir {

namespace {

/// The extent that a -1 stands for, so that `shape` has as many elements as x.
void fillReshape(const InferContext& context, Extents& shape, std::vector<Constraint>& constraints) {
  const auto hole = std::find(shape.begin(), shape.end(), Extent(-1));
  if (hole == shape.end()) return;
  if (std::count(shape.begin(), shape.end(), Extent(-1)) > 1) {
    throw context.error(ErrorCode::InvalidArgument, fmt::format("shape={} has more than one -1", describe(shape)));
  }
  *hole = 1;
  const Extent total = productOf(context.tensor(0).shape());
  const Extent rest = productOf(shape);
  if (rest.is(0)) {
    throw context.error(ErrorCode::InvalidExtent, "a -1 beside an extent of 0 could be any number");
  }
  if (const auto quotient = index::exactQuotient(total, rest)) {
    *hole = *quotient;
    return;
  }
  const auto message =
      fmt::format("{} elements of {} are no multiple of {}", total.text(), context.tensor(0).name, rest.text());
  if (index::mustDiffer(mod(total, rest), 0)) throw context.error(ErrorCode::InvalidExtent, message);
  constraints.push_back({Constraint::Kind::Equal, mod(total, rest), 0, fmt::format("reshape: {}", message)});
  *hole = floorDiv(total, rest);
}

void fillExpand(const InferContext& context, Extents& shape) {
  const TensorView& x = context.tensor(0);
  if (shape.size() < x.logical.size()) {
    throw context.error(ErrorCode::InvalidRank,
                        fmt::format("shape={} has fewer axes than {}", describe(shape), context.describe(0)));
  }
  const size_t added = shape.size() - x.logical.size();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (!shape[axis].is(-1)) continue;
    if (axis < added) throw context.error(ErrorCode::InvalidArgument, "a new axis needs an extent, not -1");
    shape[axis] = x.logical[axis - added].extent;
  }
}

void countFromFront(const InferContext& context, std::vector<int64_t>& dims, int64_t rank) {
  for (int64_t& dim : dims) dim = static_cast<int64_t>(context.axisOf(dim, rank, "dims"));
}

bool allOnes(const Extents& extents) {
  return std::all_of(extents.begin(), extents.end(), [](const Extent& each) { return each.is(1); });
}

}  // namespace

Op normaliseAttributes(const Fusion& fusion, Op op, const std::vector<ValueId>& operands, const Location& loc,
                       std::vector<Constraint>& constraints) {
  const InferContext context(fusion, nameOf(op), operands, loc);
  const bool hasTensor = !operands.empty() && context.isTensor(0);
  if (!hasTensor) return op;
  const int64_t rank = context.tensor(0).rank();
  const auto dim = [&](int64_t& each) {
    each = static_cast<int64_t>(context.axisOf(each, context.commonRank(), "dim"));
  };
  std::optional<Op> replacement;
  std::visit(
      overloaded{
          [](Unary&) {},
          [](Binary&) {},
          [](Ternary&) {},
          [](Cast&) {},
          [](Slice& each) {
            if (allOnes(each.step)) each.step.clear();
          },
          [](Pad& each) {
            // Missing outer axes are 0; so are written ones.
            while (each.widths.size() >= 2 && each.widths.back().is(0) && each.widths[each.widths.size() - 2].is(0) &&
                   each.widths.size() > 2) {
              each.widths.resize(each.widths.size() - 2);
            }
          },
          [&](Cat& each) { dim(each.dim); },
          [&](SelectAt& each) { dim(each.dim); },
          [&](Reshape& each) { fillReshape(context, each.shape, constraints); },
          [&](Permute& each) { countFromFront(context, each.dims, rank); },
          [&](BroadcastInDim& each) { countFromFront(context, each.dims, static_cast<int64_t>(each.shape.size())); },
          [&](Expand& each) {
            fillExpand(context, each.shape);
            if (static_cast<int64_t>(each.shape.size()) == rank) return;
            BroadcastInDim broadcast{each.shape, {}};
            for (int64_t axis = 0; axis < rank; ++axis) {
              broadcast.dims.push_back(axis + static_cast<int64_t>(each.shape.size()) - rank);
            }
            replacement = std::move(broadcast);
          },
          [&](Squeeze& each) { countFromFront(context, each.dims, rank); },
          [&](Flip& each) { countFromFront(context, each.dims, rank); },
          [](Full&) {},
          [](Iota&) {},
          [](Reduce&) {},
      },
      op);
  return replacement ? *replacement : op;
}

namespace {

/// PyTorch's result type: tensors with axes decide, then tensors without, then numbers, each by category.
DType resultType(const Fusion& fusion, const std::vector<ValueId>& operands, size_t first) {
  std::optional<DType> withAxes, withoutAxes, weak;
  const auto join = [](std::optional<DType>& into, DType type) { into = into ? promote(*into, type) : type; };
  for (size_t k = first; k < operands.size(); ++k) {
    const Value& value = fusion.value(operands[k]);
    if (value.kind == ValueKind::Tensor) {
      join(value.tensor.logical.empty() ? withoutAxes : withAxes, value.dtype());
    } else {
      // A host parameter is as weak as a number of its category.
      const DType type = value.kind == ValueKind::Parameter ? value.dtype() : DType::Bool;
      const Scalar::Kind kind = value.kind == ValueKind::Literal ? value.literal.kind
                                : isFloating(type)               ? Scalar::Kind::Float
                                : type == DType::Bool            ? Scalar::Kind::Bool
                                                                 : Scalar::Kind::Int;
      join(weak, promoteWeak(DType::Bool, kind));
    }
  }
  const auto combine = [](std::optional<DType> higher, std::optional<DType> lower) -> std::optional<DType> {
    if (!higher) return lower;
    if (!lower || isFloating(*higher)) return higher;
    return *higher == DType::Bool || isFloating(*lower) ? promote(*higher, *lower) : *higher;
  };
  return *combine(combine(withAxes, withoutAxes), weak);
}

/// The first operand that takes part in promotion; nothing when none does.
std::optional<size_t> firstPromoted(const Op& op) {
  if (const auto* ternary = std::get_if<Ternary>(&op)) return ternary->kind == TernaryKind::Where ? 1 : 0;
  if (std::holds_alternative<Unary>(op) || std::holds_alternative<Binary>(op)) return 0;
  if (std::holds_alternative<Cat>(op) || std::holds_alternative<SelectAt>(op)) return 0;
  return std::nullopt;
}

/// Ops on floating numbers take integers as f32.
bool computesInFloat(const Op& op) {
  if (const auto* unary = std::get_if<Unary>(&op)) return kUnaryRules[static_cast<int>(unary->kind)] == TypeRule::Float;
  if (const auto* binary = std::get_if<Binary>(&op)) {
    return kBinaryRules[static_cast<int>(binary->kind)] == TypeRule::Float;
  }
  return false;
}

}  // namespace

std::vector<ValueId> promoteOperands(FusionBuilder& builder, const Op& op, std::vector<ValueId> operands,
                                     const Location& loc) {
  const auto first = firstPromoted(op);
  if (!first || operands.size() <= *first) return operands;
  const Fusion& fusion = builder.fusion();
  DType type = resultType(fusion, operands, *first);
  if (computesInFloat(op) && !isFloating(type)) type = DType::Float32;
  for (size_t k = *first; k < operands.size(); ++k) {
    const Value& value = fusion.value(operands[k]);
    if (value.kind != ValueKind::Tensor || value.dtype() == type) continue;
    const std::string name = fmt::format("{}.{}", value.name(), nameOf(type));
    operands[k] = builder.addImplicit(Cast{type}, {operands[k]}, name, loc);
  }
  return operands;
}

namespace {

/// The common shape under NumPy's rule; extents that must differ are found by `infer` afterwards.
Extents broadcastShape(const Fusion& fusion, const std::vector<ValueId>& operands) {
  size_t rank = 0;
  for (const ValueId id : operands) rank = std::max(rank, fusion.tensor(id).logical.size());
  Extents shape(rank, Extent(1));
  for (const ValueId id : operands) {
    if (fusion.value(id).kind != ValueKind::Tensor) continue;
    const Extents own = fusion.tensor(id).shape();
    const size_t missing = rank - own.size();
    for (size_t axis = 0; axis < own.size(); ++axis) {
      Extent& common = shape[missing + axis];
      if (common.is(1) || (!common.isConstant() && own[axis].isConstant() && !own[axis].is(1))) common = own[axis];
    }
  }
  return shape;
}

}  // namespace

std::vector<ValueId> broadcastOperands(FusionBuilder& builder, const Op& op, std::vector<ValueId> operands,
                                       const Location& loc) {
  if (!std::holds_alternative<Binary>(op) && !std::holds_alternative<Ternary>(op)) return operands;
  const Fusion& fusion = builder.fusion();
  const Extents common = broadcastShape(fusion, operands);
  for (ValueId& id : operands) {
    if (fusion.value(id).kind != ValueKind::Tensor) continue;
    const Extents own = fusion.tensor(id).shape();
    const size_t missing = common.size() - own.size();
    Extents shape = common;
    std::vector<int64_t> dims;
    bool repeats = missing > 0;
    for (size_t axis = 0; axis < own.size(); ++axis) {
      if (!own[axis].is(1)) shape[missing + axis] = own[axis];
      repeats = repeats || shape[missing + axis] != own[axis];
      dims.push_back(static_cast<int64_t>(missing + axis));
    }
    if (!repeats) continue;
    const std::string name = fmt::format("{}.expand", fusion.value(id).name());
    Op broadcast = missing > 0 ? Op(BroadcastInDim{shape, dims}) : Op(Expand{shape});
    id = builder.addImplicit(std::move(broadcast), {id}, name, loc);
  }
  return operands;
}

}  // namespace braid::ir
