#pragma once
// What one kernel is asked to compute.

#include <string>
#include <vector>

#include "ir/fusion.h"
#include "scheduler/facts.h"

namespace braid::scheduler {

struct KernelOutput {
  std::string name;  ///< of the tensor argument
  ir::ValueId value;
  ir::Layout layout;
};

struct KernelTask {
  std::string name;
  std::vector<KernelOutput> outputs;
  std::vector<ir::ValueId> materialised;  ///< values that earlier kernels wrote, contiguous
};

/// Element strides of an output's layout.
std::vector<index::IndexExpr> outputStrides(index::IndexArena& arena, const Facts& facts, const ir::Fusion& fusion,
                                            const KernelOutput& output);

}  // namespace braid::scheduler
