#include "preseg_passes/pad_widths.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "ir/axis.h"
#include "ir/prove.h"

namespace braid::preseg {

Widths widthsOf(const ir::Pad& pad, size_t rank) {
  Widths result(rank);
  for (size_t pair = 0; 2 * pair < pad.widths.size(); ++pair) {
    result[rank - 1 - pair] = {pad.widths[2 * pair], pad.widths[2 * pair + 1]};
  }
  return result;
}

ir::Extents padAttribute(const Widths& widths) {
  ir::Extents result;
  for (auto it = widths.rbegin(); it != widths.rend(); ++it) {
    result.push_back(it->lo);
    result.push_back(it->hi);
  }
  return result;
}

bool isZero(const Widths& widths) {
  return std::all_of(widths.begin(), widths.end(), [](const Width& each) { return each.isZero(); });
}

std::string text(const Widths& widths) { return ir::describe(padAttribute(widths)); }

std::optional<Widths> cutOf(const ir::Slice& slice, const ir::Extents& operandShape) {
  if (!slice.step.empty()) return std::nullopt;
  Widths result;
  for (size_t i = 0; i < operandShape.size(); ++i) {
    result.push_back({ir::Extent(0) - slice.start[i], slice.stop[i] - operandShape[i]});
  }
  return result;
}

std::optional<Widths> merged(const Widths& inner, const Widths& outer) {
  const auto sideMerges = [](const ir::Extent& in, const ir::Extent& out) {
    return ir::provedLessEqual(0, in) || ir::provedLessEqual(out, 0);
  };
  Widths result;
  for (size_t i = 0; i < inner.size(); ++i) {
    if (!sideMerges(inner[i].lo, outer[i].lo) || !sideMerges(inner[i].hi, outer[i].hi)) return std::nullopt;
    result.push_back({inner[i].lo + outer[i].lo, inner[i].hi + outer[i].hi});
  }
  return result;
}

namespace {

/// The padded axes of a reshape or squeeze, each an axis of the operand as it stands.
std::optional<Widths> throughAxes(const ir::Fusion& fusion, const ir::Expr& expr, const Widths& widths) {
  const ir::AxisTransforms axes = ir::axisTransforms(fusion, expr, 0);
  Widths result(axes.root.size());
  for (size_t i = 0; i < widths.size(); ++i) {
    if (widths[i].isZero()) continue;
    const auto it = std::find(axes.root.begin(), axes.root.end(), axes.logical[i]);
    if (it == axes.root.end()) return std::nullopt;
    result[static_cast<size_t>(it - axes.root.begin())] = widths[i];
  }
  return result;
}

ir::Extents paddedShape(const ir::Extents& shape, const Widths& widths) {
  ir::Extents result;
  for (size_t i = 0; i < shape.size(); ++i) result.push_back(widths[i].lo + shape[i] + widths[i].hi);
  return result;
}

}  // namespace

std::optional<Widths> throughMovement(const ir::Fusion& fusion, const ir::Expr& expr, const Widths& widths,
                                      ir::Op& op) {
  if (auto* permute = std::get_if<ir::Permute>(&op)) {
    Widths result(widths.size());
    for (size_t i = 0; i < widths.size(); ++i) result[static_cast<size_t>(permute->dims[i])] = widths[i];
    return result;
  }
  if (auto* flip = std::get_if<ir::Flip>(&op)) {
    Widths result = widths;
    for (const int64_t dim : flip->dims)
      std::swap(result[static_cast<size_t>(dim)].lo, result[static_cast<size_t>(dim)].hi);
    return result;
  }
  std::optional<Widths> result;
  if (auto* reshape = std::get_if<ir::Reshape>(&op)) {
    result = throughAxes(fusion, expr, widths);
    if (result) reshape->shape = paddedShape(reshape->shape, widths);
  } else if (auto* broadcast = std::get_if<ir::BroadcastInDim>(&op)) {
    result = throughAxes(fusion, expr, widths);
    if (result) broadcast->shape = paddedShape(broadcast->shape, widths);
  } else if (auto* expand = std::get_if<ir::Expand>(&op)) {
    result = throughAxes(fusion, expr, widths);
    if (result) expand->shape = paddedShape(expand->shape, widths);
  } else if (std::holds_alternative<ir::Squeeze>(op)) {
    result = throughAxes(fusion, expr, widths);
  }
  return result;
}

}  // namespace braid::preseg
