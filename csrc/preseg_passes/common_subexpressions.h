#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// The same operation on the same operands is done once.
///   a = slice(x, …); b = slice(x, …); o = add(a, b)  ->  a = slice(x, …); o = add(a, a)
/// when op, attributes and operands are equal, numbers bit for bit. Exact: an op is a function of its operands.
ir::Fusion commonSubexpressions(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
