#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// One extent for each exact class of axes: where a repeated or created axis is written with another name for the same
/// size, the name (or the constant) that its class owns takes its place.
///   add(x[T], broadcast_in_dim(s, shape=[S])) where S == T  ->  … shape=[T]
/// Exact: the constraint that made them one class is still checked at run time. Axes that come from an input keep the
/// extent that it declares.
ir::Fusion extentSubstitution(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
