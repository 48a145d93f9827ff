// Result axes of movement ops.

#include <fmt/format.h>

#include <algorithm>

#include "ir/infer_context.h"

namespace braid::ir {

namespace {

void expectRank(const InferContext& context, size_t count, std::string_view attribute) {
  const int64_t rank = context.tensor(0).rank();
  if (static_cast<int64_t>(count) == rank) return;
  throw context.error(ErrorCode::InvalidRank,
                      fmt::format("{} has {} entries, {} has {} axes", attribute, count, context.tensor(0).name, rank));
}

/// Positions of `dims` as axes, each at most once.
std::vector<size_t> distinctAxes(const InferContext& context, const std::vector<int64_t>& dims, int64_t rank) {
  std::vector<size_t> axes;
  for (const int64_t dim : dims) {
    const size_t axis = context.axisOf(dim, rank, "dims");
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      throw context.error(ErrorCode::InvalidArgument,
                          fmt::format("dims=[{}] names axis {} twice", fmt::join(dims, ", "), axis));
    }
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace

std::vector<IterDomain> inferSlice(InferContext& context, const Slice& op) {
  const TensorView& x = context.tensor(0);
  expectRank(context, op.start.size(), "start");
  expectRank(context, op.stop.size(), "stop");
  if (!op.step.empty()) expectRank(context, op.step.size(), "step");
  std::vector<IterDomain> result = x.logical;
  for (size_t axis = 0; axis < result.size(); ++axis) {
    const Extent& n = x.logical[axis].extent;
    const Extent& start = op.start[axis];
    const Extent& stop = op.stop[axis];
    const Extent step = op.step.empty() ? Extent(1) : op.step[axis];
    const auto names = fmt::format("axis {} of {} has {} elements", axis, x.name, n.text());
    try {
      context.requireLessEqual(0, start, ErrorCode::InvalidExtent,
                               fmt::format("start[{}] is {}, {}", axis, start.text(), names));
      context.requireLessEqual(start, stop, ErrorCode::InvalidExtent,
                               fmt::format("start[{}] is {}, behind stop[{}], which is {}; {}", axis, start.text(),
                                           axis, stop.text(), names));
      context.requireLessEqual(stop, n, ErrorCode::InvalidExtent,
                               fmt::format("stop[{}] is {}, {}", axis, stop.text(), names));
      context.requireLessEqual(1, step, ErrorCode::InvalidExtent,
                               fmt::format("step[{}] is {}, a step is at least 1", axis, step.text()));
    } catch (Error& error) {
      Extents whole = op.stop;
      for (size_t i = 0; i < whole.size(); ++i) whole[i] = i == axis ? n : whole[i];
      throw error.note(fmt::format("a slice does not clamp; did you mean stop={}?", describe(whole)));
    }
    const Extent length = stop - start;
    result[axis].extent = step.is(1) ? length : floorDiv(length + step - Extent(1), step);
  }
  return result;
}

std::vector<IterDomain> inferPad(InferContext& context, const Pad& op) {
  const TensorView& x = context.tensor(0);
  if (op.widths.size() % 2 != 0 || op.widths.size() / 2 > x.logical.size()) {
    throw context.error(ErrorCode::InvalidArgument,
                        fmt::format("widths has {} entries; it holds lo, hi for at most {} axes, innermost first",
                                    op.widths.size(), x.rank()));
  }
  std::vector<IterDomain> result = x.logical;
  for (size_t pair = 0; 2 * pair < op.widths.size(); ++pair) {
    const size_t axis = result.size() - 1 - pair;
    const Extent& lo = op.widths[2 * pair];
    const Extent& hi = op.widths[2 * pair + 1];
    if (lo.is(0) && hi.is(0)) continue;
    const Extent extent = lo + result[axis].extent + hi;
    context.requireLessEqual(0, extent, ErrorCode::InvalidExtent,
                             fmt::format("axis {} of {} has {} elements, widths {} and {} leave {}", axis, x.name,
                                         result[axis].extent.text(), lo.text(), hi.text(), extent.text()));
    result[axis] = {extent, IterKind::Iteration};
  }
  return result;
}

namespace {

/// Every axis but `except` must agree with the first operand's. A constant is taken for the result where one is.
std::vector<IterDomain> commonAxes(InferContext& context, std::optional<size_t> except) {
  std::vector<IterDomain> result = context.tensor(0).logical;
  for (size_t k = 1; k < context.operandCount(); ++k) {
    const TensorView& y = context.tensor(k);
    for (size_t axis = 0; axis < result.size(); ++axis) {
      if (axis == except) continue;
      context.requireEqual(
          result[axis].extent, y.logical[axis].extent, ErrorCode::ShapeMismatch,
          fmt::format("axis {} of {} has {} elements, axis {} of {} has {}", axis, context.tensor(0).name,
                      result[axis].extent.text(), axis, y.name, y.logical[axis].extent.text()));
      if (!result[axis].extent.isConstant() && y.logical[axis].extent.isConstant()) {
        result[axis].extent = y.logical[axis].extent;
      }
      if (y.logical[axis].kind != IterKind::Broadcast) result[axis].kind = IterKind::Iteration;
    }
  }
  return result;
}

}  // namespace

std::vector<IterDomain> inferCat(InferContext& context, const Cat& op) {
  const size_t dim = context.axisOf(op.dim, context.commonRank(), "dim");
  std::vector<IterDomain> result = commonAxes(context, dim);
  Extent total = 0;
  for (size_t k = 0; k < context.operandCount(); ++k) total = total + context.tensor(k).logical[dim].extent;
  result[dim] = {total, IterKind::Iteration};
  return result;
}

std::vector<IterDomain> inferSelectAt(InferContext& context, const SelectAt& op) {
  const size_t dim = context.axisOf(op.dim, context.commonRank(), "dim");
  if (op.bounds.size() + 1 != context.operandCount()) {
    throw context.error(ErrorCode::InvalidArgument,
                        fmt::format("{} operands need {} bounds, not {}", context.operandCount(),
                                    context.operandCount() - 1, op.bounds.size()));
  }
  std::vector<IterDomain> result = commonAxes(context, std::nullopt);
  for (size_t k = 1; k < op.bounds.size(); ++k) {
    context.requireLessEqual(op.bounds[k - 1], op.bounds[k], ErrorCode::InvalidExtent,
                             fmt::format("bounds[{}] is {}, below bounds[{}], which is {}", k, op.bounds[k].text(),
                                         k - 1, op.bounds[k - 1].text()));
  }
  result[dim].kind = IterKind::Iteration;
  return result;
}

std::vector<IterDomain> inferReshape(InferContext& context, const Reshape& op) {
  const TensorView& x = context.tensor(0);
  const Extent before = productOf(x.shape());
  const Extent after = productOf(op.shape);
  for (size_t axis = 0; axis < op.shape.size(); ++axis) {
    context.requireLessEqual(0, op.shape[axis], ErrorCode::InvalidExtent,
                             fmt::format("shape[{}] is {}", axis, op.shape[axis].text()));
  }
  context.requireEqual(
      before, after, ErrorCode::InvalidExtent,
      fmt::format("{} has {} elements, shape={} has {}", x.name, before.text(), describe(op.shape), after.text()));
  std::vector<IterDomain> result;
  for (const Extent& extent : op.shape) result.push_back({extent, IterKind::Iteration});
  return result;
}

std::vector<IterDomain> inferPermute(InferContext& context, const Permute& op) {
  const TensorView& x = context.tensor(0);
  expectRank(context, op.dims.size(), "dims");
  std::vector<IterDomain> result;
  for (const size_t axis : distinctAxes(context, op.dims, x.rank())) result.push_back(x.logical[axis]);
  return result;
}

std::vector<IterDomain> inferBroadcastInDim(InferContext& context, const BroadcastInDim& op) {
  const TensorView& x = context.tensor(0);
  expectRank(context, op.dims.size(), "dims");
  const auto axes = distinctAxes(context, op.dims, static_cast<int64_t>(op.shape.size()));
  if (!std::is_sorted(axes.begin(), axes.end())) {
    throw context.error(ErrorCode::InvalidArgument,
                        fmt::format("dims=[{}] must ascend; permute {} first", fmt::join(op.dims, ", "), x.name));
  }
  std::vector<IterDomain> result;
  for (const Extent& extent : op.shape) result.push_back({extent, IterKind::Broadcast});
  for (size_t i = 0; i < axes.size(); ++i) {
    const Extent& n = x.logical[i].extent;
    IterDomain& axis = result[axes[i]];
    if (n.is(1)) continue;
    context.requireEqual(n, axis.extent, ErrorCode::ShapeMismatch,
                         fmt::format("axis {} of {} has {} elements, shape[{}] is {}", i, x.name, n.text(), axes[i],
                                     axis.extent.text()));
    axis.kind = x.logical[i].kind;
  }
  return result;
}

std::vector<IterDomain> inferExpand(InferContext& context, const Expand& op) {
  const TensorView& x = context.tensor(0);
  expectRank(context, op.shape.size(), "shape");
  std::vector<IterDomain> result = x.logical;
  for (size_t axis = 0; axis < result.size(); ++axis) {
    const Extent& n = x.logical[axis].extent;
    if (n.is(1)) {
      if (!op.shape[axis].is(1)) result[axis] = {op.shape[axis], IterKind::Broadcast};
      continue;
    }
    context.requireEqual(n, op.shape[axis], ErrorCode::ShapeMismatch,
                         fmt::format("axis {} of {} has {} elements, shape[{}] is {}; only an axis of extent 1 expands",
                                     axis, x.name, n.text(), axis, op.shape[axis].text()));
    result[axis].extent = op.shape[axis];
  }
  return result;
}

std::vector<IterDomain> inferSqueeze(InferContext& context, const Squeeze& op) {
  const TensorView& x = context.tensor(0);
  const auto axes = distinctAxes(context, op.dims, x.rank());
  std::vector<IterDomain> result;
  for (size_t axis = 0; axis < x.logical.size(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      result.push_back(x.logical[axis]);
      continue;
    }
    const Extent& n = x.logical[axis].extent;
    context.requireEqual(
        n, 1, ErrorCode::ShapeMismatch,
        fmt::format("axis {} of {} has {} elements, only an axis of extent 1 can go", axis, x.name, n.text()));
  }
  return result;
}

std::vector<IterDomain> inferFlip(InferContext& context, const Flip& op) {
  distinctAxes(context, op.dims, context.tensor(0).rank());
  return context.tensor(0).logical;
}

}  // namespace braid::ir
