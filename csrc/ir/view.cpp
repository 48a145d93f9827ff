// Which values are views. The problem: an output that only renames an input's strides should cost no kernel, but
// whether it is a view may not depend on the strides of the day, else `execute` would return now a view, now a copy.
// The rule: walk the definition back to an input; slices, permutes and repeats always have strides; a reshape has them
// where the axes it merges lie one after the other in memory whatever the symbols are. Example: x[B, T, 6, 4]
// contiguous, reshaped to [B, T, 24], has strides (24 T, 24, 1); the same of a permuted x is a copy.

#include "ir/view.h"

#include <fmt/format.h>

#include "base/overloaded.h"
#include "ir/axis.h"

namespace braid::ir {

std::string strideSymbol(const std::string& tensor, size_t axis) { return fmt::format("{}.stride{}", tensor, axis); }

std::vector<Extent> inputStrides(const Fusion& fusion, const Input& input) {
  const TensorView& tensor = fusion.tensor(input.value);
  std::vector<Extent> strides(tensor.logical.size());
  Extent running = 1;
  for (size_t axis = strides.size(); axis-- > 0;) {
    if (input.layout.contiguous) {
      strides[axis] = running;
      running = running * tensor.logical[axis].extent;
    } else {
      const auto& declared = input.layout.strides[axis].value;
      strides[axis] = declared ? *declared : Extent::symbol(strideSymbol(tensor.name, axis));
    }
  }
  return strides;
}

namespace {

/// Carries strides through one movement expression. False where the result has none.
class Strides {
 public:
  Strides(const AxisTransforms& axes, View& view) : axes_(axes), view_(view), strides_(axes.extents.size()) {
    for (size_t i = 0; i < axes.root.size(); ++i) set(axes.root[i], view.strides[i]);
  }

  bool carry() {
    for (const AxisTransform& transform : axes_.transforms) {
      if (!std::visit([&](const auto& each) { return apply(each); }, transform)) return false;
    }
    std::vector<Extent> result;
    for (const AxisId axis : axes_.logical) result.push_back(strides_[axis]);
    view_.strides = std::move(result);
    return true;
  }

 private:
  void set(AxisId axis, const Extent& stride) { strides_[axis] = stride; }
  const Extent& extent(AxisId axis) const { return axes_.extents[axis.value]; }

  bool apply(const Split& t) {
    set(t.outer, strides_[t.in] * t.factor);
    set(t.inner, strides_[t.in]);
    return true;
  }
  bool apply(const Merge& t) {
    if (!index::mustEqual(strides_[t.outer], strides_[t.inner] * extent(t.inner))) return false;
    set(t.out, strides_[t.inner]);
    return true;
  }
  bool apply(const Resize& t) {
    view_.offset = view_.offset - strides_[t.in] * t.lo;
    set(t.out, strides_[t.in]);
    return true;
  }
  bool apply(const FlipAxis&) { return false; }
  bool apply(const StrideAxis& t) {
    set(t.out, strides_[t.in] * t.step);
    return true;
  }
  bool apply(const BroadcastAxis& t) {
    set(t.out, 0);
    return true;
  }

  const AxisTransforms& axes_;
  View& view_;
  IdMap<AxisId, Extent> strides_;
};

bool keepsStrides(const Op& op) {
  return std::holds_alternative<Slice>(op) || std::holds_alternative<Reshape>(op) ||
         std::holds_alternative<Permute>(op) || std::holds_alternative<BroadcastInDim>(op) ||
         std::holds_alternative<Expand>(op) || std::holds_alternative<Squeeze>(op);
}

}  // namespace

std::optional<View> viewOf(const Fusion& fusion, ValueId value) {
  if (fusion.value(value).kind != ValueKind::Tensor) return std::nullopt;
  const Expr* definition = fusion.definition(value);
  if (definition == nullptr) {
    for (const Input& input : fusion.inputs()) {
      if (input.value == value) return View{value, 0, inputStrides(fusion, input)};
    }
    return std::nullopt;
  }
  if (!keepsStrides(definition->op)) return std::nullopt;
  std::optional<View> view = viewOf(fusion, definition->inputs[0]);
  if (!view) return std::nullopt;
  const AxisTransforms axes = axisTransforms(fusion, *definition, 0);
  return Strides(axes, *view).carry() ? view : std::nullopt;
}

}  // namespace braid::ir
