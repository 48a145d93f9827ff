#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// Drops expressions that no output needs.
///   n = neg(x); o = exp(x); return o  ->  o = exp(x); return o
/// Inputs, constraints and outputs stay. Exact: what is left is computed as before.
ir::Fusion deadCode(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
