#pragma once

#include "ir/fusion.h"

namespace braid::ir {

/// Checks every structural rule: unique names, topological order, operand ranks and dtypes, result types as inferred,
/// outputs and layouts. Runs after parsing and after every pass, in release builds too. Throws Error(Internal) naming
/// the expression, since no user input may produce an ill-formed fusion: user mistakes are found at definition.
void verify(const Fusion& fusion);

}  // namespace braid::ir
