#pragma once
// What the language leaves implicit, written out: negative dims, one -1 in a shape, dtype promotion, broadcasting.

#include <vector>

#include "ir/builder.h"

namespace braid::ir {

/// Counts dims from the front, fills in -1 extents, turns an expand to more axes into a broadcast_in_dim.
Op normaliseAttributes(const Fusion& fusion, Op op, const std::vector<ValueId>& operands, const Location& loc,
                       std::vector<Constraint>& constraints);

/// Appends the casts that PyTorch's promotion implies and returns the operands to use instead.
std::vector<ValueId> promoteOperands(FusionBuilder& builder, const Op& op, std::vector<ValueId> operands,
                                     const Location& loc);

/// Appends the broadcasts that NumPy's rule implies for missing leading axes and axes of constant extent 1.
std::vector<ValueId> broadcastOperands(FusionBuilder& builder, const Op& op, std::vector<ValueId> operands,
                                       const Location& loc);

}  // namespace braid::ir
