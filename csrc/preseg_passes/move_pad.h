#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// Moves pads (and the pads that a cat stands for) back to the inputs of the fusion, or to a movement chain of one.
///
/// Before:  p = pad(exp(x[4, T]), widths=[0, 2])
/// After:   y = exp(pad(x, widths=[0, 2]));  p = select_at(y, full(0), dim=1, bounds=[T])
///
/// Before:  o = cat(neg(x[4, 3]), y[4, 2], dim=1)
/// After:   o = select_at(neg(pad(x, widths=[0, 2])), pad(y, widths=[3, 0]), dim=1, bounds=[3])
///
/// The rules, each with its golden texts:
///   merge      pad(pad(x, [a, b]), [c, d]) -> pad(x, [a + c, b + d]) when both write the same bits and, on each side,
///              the inner one cuts nothing or the outer one adds nothing; a slice is a pad that cuts.
///   movement   pad(f(x)) -> f(pad(x)) for permute, flip, squeeze, and for broadcast, expand and reshape where the
///   padded
///              axis is an axis of x.
///   pointwise  pad(f(x), v) -> select by position of f(pad(x)) and v, for any pointwise f.
///   cat        cat(a, b) -> select by position of the padded branches, when some branch computes something; where all
///              branches do the same thing it is done once, on the selected operands.
///
/// Why it is right: inside, f(pad(x)) is f of the same elements; outside, whatever f makes of the padding is replaced
/// by the select, which moves bits, so -0.0, NaN and Inf come out as they went in (a sum of padded branches would make
/// +0.0 of -0.0). Every element is computed from the same elements in the same order.
/// It gives up (with a remark) where the padding ends at an input already, where the sign of a width is not known, and
/// at a cat whose branches are read as they are.
ir::Fusion movePad(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
