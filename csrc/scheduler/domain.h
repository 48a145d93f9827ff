#pragma once
// A part's iteration domain: from the axes of its output to loop axes, and the output's index in terms of them.

#include <string>
#include <vector>

#include "ir/fusion.h"
#include "scheduler/facts.h"
#include "scheduler/schedule.h"

namespace braid::scheduler {

using index::IndexArena;
using index::IndexExpr;

struct LoopAxis {
  std::string name;
  IndexExpr variable;  ///< 0 <= variable < extent; the constant 0 for an axis of extent 1
  IndexExpr extent;
};

struct Domain {
  std::vector<LoopAxis> leaves;  ///< what the steps leave, in the output's order
  std::vector<IndexExpr> index;  ///< the output's index, one for each axis, over the leaves' variables
  IndexExpr guard;               ///< what must hold for an index to exist (uneven splits); invalid: nothing

  const LoopAxis& leaf(const std::string& name) const;
};

/// Applies the steps to an output of that shape. Variables are named `prefix` + axis name. Throws
/// Error(InvalidArgument) for a step that names an axis which is not there, or merges axes that are no neighbours.
Domain makeDomain(IndexArena& arena, const Facts& facts, const ir::Extents& shape, const std::vector<DomainStep>& steps,
                  const std::string& prefix);

}  // namespace braid::scheduler
