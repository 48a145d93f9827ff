#pragma once
// The same program for inputs that lie otherwise in memory.

#include <string>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

/// The fusion with each of these contiguous inputs declared to take any strides. Which outputs are views is decided
/// anew: a reshape may need a copy now.
Fusion withAnyStrides(const Fusion& fusion, const std::vector<std::string>& inputs);

}  // namespace braid::ir
