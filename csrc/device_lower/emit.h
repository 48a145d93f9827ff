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
  const std::vector<const scheduler::KernelOutput*>& outputs;  ///< all stored at `index`
  std::vector<IndexExpr> index;                                ///< one for each axis, over loop variables and the lane
  std::vector<IndexExpr> loopVariables;                        ///< serial loops, outermost first
  IndexExpr lane;                                              ///< invalid when there is one lane
  int lanes = 1;
  IndexExpr guard;                         ///< which lanes exist; invalid: all
  const std::vector<std::string>& cached;  ///< tensors read by many threads
};

LeveledStatements emit(KernelBuilder& builder, const EmitRequest& request);

}  // namespace braid::device_lower
