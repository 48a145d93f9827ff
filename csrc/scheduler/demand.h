#pragma once
// Demand: under which conditions a pulled node's value matters. It decides which selects are idle, which loads need a
// predicate (a load that is not wanted may point outside its tensor), and which loads are never wanted together.

#include <functional>
#include <vector>

#include "scheduler/pull.h"

namespace braid::scheduler {

/// A set of conjunctions: any of them. None: never. One empty conjunction: always.
using Demand = std::vector<std::vector<IndexExpr>>;

/// Adds a conjunction, dropping what it absorbs and joining `a && c` with `a && !c`.
void addConjunction(Demand& demand, std::vector<IndexExpr> conjunction, IndexArena& arena);
/// Each conjunction and the condition; conjunctions that contradict it go.
Demand demandWhere(const Demand& demand, IndexExpr condition, IndexArena& arena);
/// True when every conjunction contains the condition.
bool implies(const Demand& demand, IndexExpr condition, IndexArena& arena);

/// Fills in every node's demand, replaces selects that their demand decides by the branch taken, and drops nodes that
/// nothing wants. `guards`: for each root where it is wanted; invalid: everywhere.
void simplifyByDemand(PullGraph& graph, IndexArena& arena, const std::vector<IndexExpr>& guards);

/// Joins two loads of one tensor, one wanted under `p && c` and the other under `p && !c`, into one wanted under `p`
/// with two places, where `mayJoin(first, second, joined)` agrees. Renumbers; returns whether anything changed.
using MayJoin = std::function<bool(const PullNode& first, const PullNode& second, const PullNode& joined)>;
bool joinComplementaryLoads(PullGraph& graph, IndexArena& arena, const MayJoin& mayJoin);

}  // namespace braid::scheduler
