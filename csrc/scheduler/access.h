#pragma once
// How the lanes of one vector value are read or written: as few, as wide accesses as are provably legal.
//
// Lanes l = first … first + width - 1 are one access when the offset is `base + (l - first)`, the base is a multiple of
// the width, the pointer is aligned to the access, and the predicate is the same for all of them. Where that cannot be
// shown for a run of lanes, its halves are tried; a single lane always works.

#include <vector>

#include "index/expr.h"
#include "scheduler/pull.h"

namespace braid::scheduler {

struct Access {
  int firstLane = 0;
  int width = 1;
  IndexExpr offset;     ///< of the first lane
  IndexExpr predicate;  ///< invalid: always
};

struct AccessRequest {
  std::vector<PullLoad::Alternative> places;  ///< one, or several with conditions (the last without)
  IndexExpr predicate;                        ///< invalid: always
  IndexExpr lane;                             ///< the lane variable; invalid when nothing depends on it
  int lanes = 1;
  int64_t elementBytes = 1;
  int64_t alignmentBytes = 1;  ///< of the tensor's pointer
};

/// The accesses, in the order of the lanes, covering each lane once.
std::vector<Access> planAccesses(IndexArena& arena, const AccessRequest& request);

/// e at one lane.
IndexExpr atLane(IndexArena& arena, IndexExpr e, IndexExpr lane, int value);

/// a, or `condition ? a : b` with what both have in common taken out of the select.
IndexExpr selectOffset(IndexArena& arena, IndexExpr condition, IndexExpr a, IndexExpr b);

inline constexpr int64_t kMaxAccessBytes = 16;

}  // namespace braid::scheduler
