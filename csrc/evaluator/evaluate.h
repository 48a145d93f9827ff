#pragma once
// The oracle: runs a fusion op by op on host arrays. It knows nothing of passes, schedules or kernels.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "evaluator/host_array.h"
#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::evaluator {

struct Arguments {
  std::map<std::string, HostArray> tensors;   ///< by input name
  std::map<std::string, ir::Scalar> scalars;  ///< by parameter name; converted to the parameter's dtype
  std::map<std::string, int64_t> dims;        ///< extents that no input binds (and any that should be checked)
};

/// ir::bindSymbols over these arrays.
ir::Symbols bindSymbols(const ir::Fusion& fusion, const Arguments& arguments);

/// One array for each output, in order. Aliases are views of the caller's input; the others have the output's layout.
std::vector<HostArray> evaluate(const ir::Fusion& fusion, const Arguments& arguments);

/// Every value of the fusion by name, for tests and for finding where two programs part.
std::map<std::string, HostArray> evaluateAll(const ir::Fusion& fusion, const Arguments& arguments);

}  // namespace braid::evaluator
