#pragma once
// Pad widths by axis, outermost first: what move_pad carries from op to op.

#include <optional>
#include <string>
#include <vector>

#include "ir/fusion.h"

namespace braid::preseg {

struct Width {
  ir::Extent lo = 0, hi = 0;
  bool isZero() const { return lo.is(0) && hi.is(0); }
  bool operator==(const Width&) const = default;
};
using Widths = std::vector<Width>;

Widths widthsOf(const ir::Pad& pad, size_t rank);
/// The attribute, innermost axis first.
ir::Extents padAttribute(const Widths& widths);
bool isZero(const Widths& widths);
std::string text(const Widths& widths);

/// What a slice without steps cuts, as negative widths; nothing if it has steps.
std::optional<Widths> cutOf(const ir::Slice& slice, const ir::Extents& operandShape);
/// `outer` after `inner` as one, if on each side of each axis the inner one cuts nothing or the outer one adds nothing.
std::optional<Widths> merged(const Widths& inner, const Widths& outer);

/// The widths for the operand of a movement op so that the op of the padded operand is the padded op. Nothing where a
/// padded axis is no axis of the operand. `op` is adjusted to the padded extents.
std::optional<Widths> throughMovement(const ir::Fusion& fusion, const ir::Expr& expr, const Widths& widths, ir::Op& op);

}  // namespace braid::preseg
