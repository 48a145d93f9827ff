#pragma once
// How much one position of an output costs when everything is pulled.

#include <cstdint>
#include <set>
#include <vector>

#include "ir/fusion.h"

namespace braid::segmentation {

/// For each value, the different index maps through which the given values read it. A map is known by the chain of
/// movement ops that made it; two chains may still compose to one map, so this counts at least what a pull builds.
/// Counting stops at `limit` maps a value.
IdMap<ir::ValueId, std::set<uint64_t>> readingMaps(const ir::Fusion& fusion, const std::vector<ir::ValueId>& wanted,
                                                   const std::vector<ir::ValueId>& materialised, size_t limit);

/// Nodes of the pull: each value once for each of its maps.
int64_t pulledNodes(const IdMap<ir::ValueId, std::set<uint64_t>>& maps);

}  // namespace braid::segmentation
