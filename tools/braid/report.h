#pragma once
// What a compiled program looks like, as JSON and as lines.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "pipeline/compile.h"

namespace braid::tool {

/// One kind of global access of a part: how wide, how often in the text of the kernel.
struct AccessSummary {
  std::string part, tensor;
  bool isStore = false;
  int64_t bytes = 0;
  bool operator==(const AccessSummary&) const = default;
};

/// Each access of a kernel once, in order.
std::vector<AccessSummary> accessesOf(const device_lower::Kernel& kernel);
/// The widest and the narrowest store of an output, in bytes: "16 bytes", "4 to 16 bytes".
std::string storeWidths(const pipeline::CompiledProgram& program, const std::string& output);
/// The widths of all loads or all stores: "8, 16 bytes".
std::string accessWidths(const pipeline::CompiledProgram& program, bool isStore);

nlohmann::ordered_json segmentsJson(const pipeline::CompiledProgram& program);
std::string segmentsText(const pipeline::CompiledProgram& program);

/// Loads and operations that one position of each computed output takes, pulled as a kernel pulls them.
struct PositionCost {
  int64_t loads = 0, operations = 0, selects = 0;
};
PositionCost positionCost(const ir::Fusion& fusion);

}  // namespace braid::tool
