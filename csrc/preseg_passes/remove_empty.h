#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// Tensors with an extent of 0 take no part.
///   cat(a[2, 3], e[0, 3], dim=0)  ->  cat(a, dim=0), then a itself
///   neg(e[0, 3])                  ->  full(shape=[0, 3])
/// when the extent is the constant 0. Exact: no element is changed; dtypes were promoted when the cat was defined.
ir::Fusion removeEmpty(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
