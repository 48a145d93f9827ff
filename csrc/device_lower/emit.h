#pragma once
// Pull graph → statements: which register each node fills, in how many lanes, at which loop level, by which accesses.

#include <string>
#include <vector>

#include "device_lower/kernel_builder.h"
#include "device_lower/name_indices.h"

namespace braid::device_lower {

struct EmitRequest {
  const ir::Fusion& fusion;
  const scheduler::Facts& facts;
  const std::vector<ir::ValueId>& materialised;
  const std::vector<const scheduler::KernelOutput*>& outputs;  ///< each stored at every position
  /// Indices of the output's axes over loop variables and the lane; one position for each combination of jammed axes.
  struct Position {
    std::vector<IndexExpr> index;
    IndexExpr guard;  ///< which lanes exist; invalid: all
  };
  std::vector<Position> positions;
  std::vector<IndexExpr> loopVariables;  ///< serial loops, outermost first
  IndexExpr lane;                        ///< invalid when there is one lane
  int lanes = 1;
  const std::vector<std::string>& cached;  ///< tensors read by many threads
};

LeveledStatements emit(KernelBuilder& builder, const EmitRequest& request);

}  // namespace braid::device_lower
