#pragma once
// Axis transforms: how the logical domain of a movement op's result comes from its root domain (the operand's axes).
// Derived on demand from the op, never stored.

#include <cstdint>
#include <variant>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

/// Axes of one derivation: first the root axes (operand's, in order), then one or more for each transform.
using AxisId = Id<struct AxisTag>;

/// axis -> (axis // factor, axis % factor)
struct Split {
  AxisId in, outer, inner;
  Extent factor;
};
/// (outer, inner) -> outer * extent(inner) + inner
struct Merge {
  AxisId outer, inner, out;
};
/// Result position p is operand position p - lo; extent lo + n + hi. Negative widths crop.
struct Resize {
  AxisId in, out;
  Extent lo, hi;
};
struct FlipAxis {
  AxisId in, out;
};
/// Result position p is operand position p * step.
struct StrideAxis {
  AxisId in, out;
  Extent step;
};
/// A new axis that repeats (`in` invalid), or an axis of extent 1 that does.
struct BroadcastAxis {
  AxisId in, out;
};

using AxisTransform = std::variant<Split, Merge, Resize, FlipAxis, StrideAxis, BroadcastAxis>;

struct AxisTransforms {
  std::vector<Extent> extents;            ///< by AxisId
  std::vector<AxisId> root;               ///< the operand's axes
  std::vector<AxisTransform> transforms;  ///< in order
  std::vector<AxisId> logical;            ///< the result's axes
};

/// How operand number `operand` of a movement expression becomes the result's axes. For pointwise expressions root and
/// logical are the same axes. Cat: Resize of its axis by what lies before and after the operand.
/// A reshape is cut into independent groups of axes with equal products of extents (proved equal), each merged and
/// split as little as possible: [B, 8, 4, T] -> [B, 32, T] is one Merge, [B, 32] -> [B, 8, 4] one Split.
AxisTransforms axisTransforms(const Fusion& fusion, const Expr& expr, size_t operand);

}  // namespace braid::ir
