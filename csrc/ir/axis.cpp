#include "ir/axis.h"

#include "base/check.h"
#include "base/overloaded.h"
#include "ir/infer_context.h"

namespace braid::ir {

namespace {

class Derivation {
 public:
  explicit Derivation(const TensorView& operand) {
    for (const IterDomain& axis : operand.logical) axes_.root.push_back(axisOf(axis.extent));
    axes_.logical = axes_.root;
  }

  const std::vector<AxisId>& root() const { return axes_.root; }
  void setLogical(std::vector<AxisId> logical) { axes_.logical = std::move(logical); }
  const Extent& extent(AxisId axis) const { return axes_.extents[axis.value]; }

  AxisId merge(AxisId outer, AxisId inner) {
    const AxisId out = axisOf(extent(outer) * extent(inner));
    axes_.transforms.push_back(Merge{outer, inner, out});
    return out;
  }
  std::pair<AxisId, AxisId> split(AxisId in, const Extent& outer, const Extent& factor) {
    const std::pair result(axisOf(outer), axisOf(factor));
    axes_.transforms.push_back(Split{in, result.first, result.second, factor});
    return result;
  }
  /// Nothing when nothing is cut and nothing added.
  AxisId resize(AxisId in, const Extent& lo, const Extent& hi) {
    if (index::mustEqual(lo, 0) && index::mustEqual(hi, 0)) return in;
    const AxisId out = axisOf(lo + extent(in) + hi);
    axes_.transforms.push_back(Resize{in, out, lo, hi});
    return out;
  }
  AxisId flip(AxisId in) {
    const AxisId out = axisOf(extent(in));
    axes_.transforms.push_back(FlipAxis{in, out});
    return out;
  }
  AxisId stride(AxisId in, const Extent& step) {
    if (step.is(1)) return in;
    const AxisId out = axisOf(floorDiv(extent(in) + step - Extent(1), step));
    axes_.transforms.push_back(StrideAxis{in, out, step});
    return out;
  }
  /// `in` may be invalid: a new axis.
  AxisId broadcast(AxisId in, const Extent& to) {
    const AxisId out = axisOf(to);
    axes_.transforms.push_back(BroadcastAxis{in, out});
    return out;
  }

  AxisTransforms take() { return std::move(axes_); }

 private:
  AxisId axisOf(const Extent& extent) {
    axes_.extents.push_back(extent);
    return AxisId{static_cast<uint32_t>(axes_.extents.size() - 1)};
  }
  AxisTransforms axes_;
};

void slice(Derivation& axes, const Slice& op) {
  std::vector<AxisId> logical;
  for (size_t i = 0; i < axes.root().size(); ++i) {
    const AxisId in = axes.root()[i];
    const AxisId cut = axes.resize(in, Extent(0) - op.start[i], op.stop[i] - axes.extent(in));
    logical.push_back(axes.stride(cut, op.step.empty() ? Extent(1) : op.step[i]));
  }
  axes.setLogical(std::move(logical));
}

void pad(Derivation& axes, const Pad& op) {
  std::vector<AxisId> logical = axes.root();
  for (size_t pair = 0; 2 * pair < op.widths.size(); ++pair) {
    AxisId& axis = logical[logical.size() - 1 - pair];
    axis = axes.resize(axis, op.widths[2 * pair], op.widths[2 * pair + 1]);
  }
  axes.setLogical(std::move(logical));
}

void cat(Derivation& axes, const Fusion& fusion, const Expr& expr, size_t dim, size_t operand) {
  Extent before = 0, after = 0;
  for (size_t k = 0; k < expr.inputs.size(); ++k) {
    const Extent& extent = fusion.tensor(expr.inputs[k]).logical[dim].extent;
    if (k < operand) before = before + extent;
    if (k > operand) after = after + extent;
  }
  std::vector<AxisId> logical = axes.root();
  logical[dim] = axes.resize(logical[dim], before, after);
  axes.setLogical(std::move(logical));
}

/// Axes of extent 1 neither take part in a product nor have an index to speak of.
struct ReshapeSide {
  std::vector<size_t> axes;
  Extents extents;
};

ReshapeSide sideOf(const Extents& extents) {
  ReshapeSide side;
  for (size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].is(1)) continue;
    side.axes.push_back(i);
    side.extents.push_back(extents[i]);
  }
  return side;
}

/// The fewest axes from `from` on, on both sides, with equal products; all that are left when none is proved equal.
std::pair<size_t, size_t> nextGroup(const Extents& in, size_t i, const Extents& out, size_t j) {
  for (size_t total = 2; total <= (in.size() - i) + (out.size() - j); ++total) {
    for (size_t a = 1; a < total; ++a) {
      const size_t b = total - a;
      if (i + a > in.size() || j + b > out.size()) continue;
      const Extent product = productOf(std::span(in).subspan(i, a));
      if (index::mustEqual(product, productOf(std::span(out).subspan(j, b)))) return {a, b};
    }
  }
  return {in.size() - i, out.size() - j};
}

void reshape(Derivation& axes, const Reshape& op) {
  Extents before;
  for (const AxisId axis : axes.root()) before.push_back(axes.extent(axis));
  const ReshapeSide in = sideOf(before), out = sideOf(op.shape);
  std::vector<AxisId> logical(op.shape.size());
  size_t i = 0, j = 0;
  while (i < in.axes.size() && j < out.axes.size()) {
    const auto [a, b] = nextGroup(in.extents, i, out.extents, j);
    AxisId axis = axes.root()[in.axes[i]];
    for (size_t k = 1; k < a; ++k) axis = axes.merge(axis, axes.root()[in.axes[i + k]]);
    for (size_t k = 0; k + 1 < b; ++k) {
      const Extent inner = productOf(std::span(out.extents).subspan(j + k + 1, b - k - 1));
      const auto [outer, rest] = axes.split(axis, out.extents[j + k], inner);
      logical[out.axes[j + k]] = outer;
      axis = rest;
    }
    logical[out.axes[j + b - 1]] = axis;
    i += a;
    j += b;
  }
  // What is left has extent 1, be it proved or promised by a constraint.
  for (size_t k = 0; k < logical.size(); ++k) {
    if (!logical[k].valid()) logical[k] = axes.broadcast(AxisId{}, op.shape[k]);
  }
  axes.setLogical(std::move(logical));
}

AxisId repeated(Derivation& axes, AxisId in, const Extent& to) {
  return axes.extent(in).is(1) && !to.is(1) ? axes.broadcast(in, to) : in;
}

void broadcastInDim(Derivation& axes, const BroadcastInDim& op) {
  std::vector<AxisId> logical(op.shape.size());
  for (size_t i = 0; i < op.dims.size(); ++i) {
    const auto axis = static_cast<size_t>(op.dims[i]);
    logical[axis] = repeated(axes, axes.root()[i], op.shape[axis]);
  }
  for (size_t axis = 0; axis < logical.size(); ++axis) {
    if (!logical[axis].valid()) logical[axis] = axes.broadcast(AxisId{}, op.shape[axis]);
  }
  axes.setLogical(std::move(logical));
}

}  // namespace

AxisTransforms axisTransforms(const Fusion& fusion, const Expr& expr, size_t operand) {
  BRAID_CHECK(operand < expr.inputs.size(), "{} has no operand {}", nameOf(expr.op), operand);
  Derivation axes(fusion.tensor(expr.inputs[operand]));
  std::visit(overloaded{
                 [](const Unary&) {},
                 [](const Binary&) {},
                 [](const Ternary&) {},
                 [](const Cast&) {},
                 [&](const Slice& op) { slice(axes, op); },
                 [&](const Pad& op) { pad(axes, op); },
                 [&](const Cat& op) { cat(axes, fusion, expr, static_cast<size_t>(op.dim), operand); },
                 [](const SelectAt&) {},
                 [&](const Reshape& op) { reshape(axes, op); },
                 [&](const Permute& op) {
                   std::vector<AxisId> logical;
                   for (const int64_t dim : op.dims) logical.push_back(axes.root()[static_cast<size_t>(dim)]);
                   axes.setLogical(std::move(logical));
                 },
                 [&](const BroadcastInDim& op) { broadcastInDim(axes, op); },
                 [&](const Expand& op) {
                   std::vector<AxisId> logical;
                   for (size_t i = 0; i < op.shape.size(); ++i) {
                     logical.push_back(repeated(axes, axes.root()[i], op.shape[i]));
                   }
                   axes.setLogical(std::move(logical));
                 },
                 [&](const Squeeze& op) {
                   std::vector<char> dropped(axes.root().size(), 0);
                   for (const int64_t dim : op.dims) dropped[static_cast<size_t>(dim)] = 1;
                   std::vector<AxisId> logical;
                   for (size_t i = 0; i < dropped.size(); ++i) {
                     if (!dropped[i]) logical.push_back(axes.root()[i]);
                   }
                   axes.setLogical(std::move(logical));
                 },
                 [&](const Flip& op) {
                   std::vector<AxisId> logical = axes.root();
                   for (const int64_t dim : op.dims) {
                     AxisId& axis = logical[static_cast<size_t>(dim)];
                     axis = axes.flip(axis);
                   }
                   axes.setLogical(std::move(logical));
                 },
                 [](const Full&) {},
                 [](const Iota&) {},
                 [](const Reduce&) {},
             },
             expr.op);
  return axes.take();
}

}  // namespace braid::ir
