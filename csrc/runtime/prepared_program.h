#pragma once
// A compiled program with all that a launch needs, looked up once: plans, and where each argument comes from.

#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/compile.h"
#include "runtime/launch_plan.h"

namespace braid::runtime {

/// Where a kernel's tensor argument lies: a position in the fusion's inputs or outputs, or in `intermediates`.
struct TensorSource {
  enum class Kind : uint8_t { Input, Output, Intermediate };
  Kind kind = Kind::Input;
  size_t index = 0;
};

struct PreparedKernel {
  const device_lower::Kernel* kernel = nullptr;
  LaunchPlanner planner;
  std::vector<TensorSource> tensors;    ///< in the order of Kernel::tensors
  std::vector<std::string> parameters;  ///< names, in the order of Kernel::parameters
};

struct PreparedProgram {
  std::shared_ptr<const pipeline::CompiledProgram> compiled;
  std::vector<PreparedKernel> kernels;     ///< in launch order
  std::vector<ir::ValueId> intermediates;  ///< values of compiled->fusion that kernels hand on, contiguous
};

PreparedProgram prepareProgram(std::shared_ptr<const pipeline::CompiledProgram> compiled);

}  // namespace braid::runtime
