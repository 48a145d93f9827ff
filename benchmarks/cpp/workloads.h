#pragma once
// The workloads that Braid is measured on: programs of examples/ at the sizes that models use.

#include <map>
#include <string>
#include <vector>

#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::bench {

struct Workload {
  std::string name;  ///< of the file in examples/
  ir::Symbols dims;
};

/// Every forward workload, in the order of the README's table.
const std::vector<Workload>& forwardWorkloads();

/// Reads examples/<name>.fusion.
ir::Fusion loadExample(const std::string& name);
/// The same program with the given extents written as constants.
ir::Fusion withConstantExtents(const ir::Fusion& fusion, const ir::Symbols& dims);

/// Sizes of every input under these dims.
std::map<std::string, std::vector<int64_t>> inputSizes(const ir::Fusion& fusion, const ir::Symbols& dims);

}  // namespace braid::bench
