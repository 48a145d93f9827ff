#pragma once
// Movement and creation ops on row-major arrays.

#include <vector>

#include "evaluator/host_array.h"
#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::evaluator {

/// The result of a movement or creation op; operands are contiguous. Moves bits.
HostArray applyMovement(const ir::Op& op, DType dtype, const std::vector<int64_t>& sizes,
                        const std::vector<const HostArray*>& operands, const ir::Symbols& symbols);

}  // namespace braid::evaluator
