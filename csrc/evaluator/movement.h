#pragma once
// Movement and creation ops on row-major arrays.

#include <vector>

#include "evaluator/host_array.h"
#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::evaluator {

/// Writes the result of a movement or creation op; operands and result are contiguous. Moves bits.
void applyMovement(const ir::Op& op, const std::vector<const HostArray*>& operands, const ir::Symbols& symbols,
                   HostArray& result);

}  // namespace braid::evaluator
