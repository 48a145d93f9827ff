#pragma once
// Gives a name to every index value that is worth computing once.

#include <map>
#include <vector>

#include "device_lower/kernel_builder.h"

namespace braid::device_lower {

/// Statements of one thread by loop level: level 0 before all loops, level i inside the first i loops.
struct LeveledStatements {
  std::vector<IndexExpr> loopVariables;        ///< outermost first
  std::vector<std::vector<Statement>> levels;  ///< one more than loops
};

/// Divisions, remainders and conditions, and the part of each access's offset that its neighbours share, become lets at
/// the outermost level where their loop variables are known:
///   load x[b * T * 6144 + t * 6144 + d + 64]   →   x_at = b * T * 6144 + t * 6144 + d;  load x[x_at + 64]
void nameIndices(KernelBuilder& builder, LeveledStatements& body);

}  // namespace braid::device_lower
