#pragma once
// Where an axis should be split: the factors by which the accesses themselves take it apart.

#include <vector>

#include "scheduler/pull.h"

namespace braid::scheduler {

/// Every index expression of a graph: offsets, conditions and positions.
std::vector<IndexExpr> indexExpressions(const PullGraph& graph);

/// True if some expression divides, or takes the remainder of, something that depends on the variable.
bool isTakenApart(const IndexArena& arena, const std::vector<IndexExpr>& expressions, IndexExpr variable);

/// The factors f of an axis for which `axis // f` or `axis % f` occur (also inside each other, so `axis // 8 % 4` gives
/// 8 and 32), ascending, each a multiple of the one before and a divisor of the extent. What does not fit is left out.
/// Example: k[b, h, t, d] expanded from 8 to 32 heads reads x[… + (h // 4) * 768 + …]: h has the factor 4.
std::vector<IndexExpr> splitPoints(IndexArena& arena, const std::vector<IndexExpr>& expressions, IndexExpr variable,
                                   IndexExpr extent);

}  // namespace braid::scheduler
