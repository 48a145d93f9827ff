#pragma once
// One fusion, ready to run: binds symbols, finds or makes the program for the facts at hand, plans and launches.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ir/bind.h"
#include "ir/fusion.h"
#include "pipeline/compile.h"
#include "runtime/kernel_executor.h"
#include "runtime/launch_plan.h"

namespace braid::runtime {

/// A tensor in the executor's memory. Does not own. Strides count elements.
struct TensorView {
  void* data = nullptr;
  DType dtype = DType::Float32;
  std::vector<int64_t> sizes, strides;
};

struct OutputShape {
  std::string name;
  DType dtype;
  std::vector<int64_t> sizes, strides;
  bool isAlias = false;     ///< a view of an input: nothing writes it
  std::string aliasOf;      ///< the input's name
  int64_t aliasOffset = 0;  ///< elements from the input's pointer
};

struct ExecuteArguments {
  std::map<std::string, TensorView> inputs;   ///< by name
  std::map<std::string, ir::Scalar> scalars;  ///< host parameters by name
  ir::Symbols dims;                           ///< extents that no input binds
  /// Buffers for computed outputs, by name; where one is missing the executor allocates. A buffer given for an alias
  /// gets a copy of it.
  std::map<std::string, TensorView> outputs;
  void* stream = nullptr;
};

/// What an execution gave: views of inputs for aliases, else the caller's or the executor's buffers.
struct ExecuteResult {
  std::vector<TensorView> outputs;   ///< in the order of the fusion's outputs
  std::vector<DeviceMemory> memory;  ///< what the executor allocated; keep it while the outputs are used
};

struct CallBinding;
struct PreparedProgram;

/// Thread-safe. Nothing is compiled before the first execution; a program is reused for all shapes with equal facts.
class FusionExecutor {
 public:
  FusionExecutor(ir::Fusion fusion, std::shared_ptr<KernelExecutor> executor, pipeline::CompileOptions options = {});

  const ir::Fusion& fusion() const { return fusion_; }
  KernelExecutor& device() { return *executor_; }

  /// Shapes, strides and aliases of the outputs for these arguments. All argument errors come from here.
  std::vector<OutputShape> outputShapes(const ExecuteArguments& arguments) const;
  /// Throws before any launch if an argument does not fit or an output buffer overlaps an input or another output.
  ExecuteResult execute(const ExecuteArguments& arguments);
  /// The program that would run for these arguments (compiled if need be).
  std::shared_ptr<const pipeline::CompiledProgram> programFor(const ExecuteArguments& arguments);

 private:
  struct Call;
  class Execution;
  std::shared_ptr<const Call> callFor(const ExecuteArguments& arguments);
  std::shared_ptr<const Call> makeCall(const ExecuteArguments& arguments);
  std::shared_ptr<const PreparedProgram> programFor(const ir::Fusion& variant, const std::vector<bool>& delivery,
                                                    const ir::Symbols& symbols, const ExecuteArguments& arguments);
  const ir::Fusion& variantFor(const std::vector<bool>& delivery);
  /// The arguments without the buffers that are the views themselves, if there are any.
  std::optional<ExecuteArguments> withoutViews(const ExecuteArguments& arguments) const;

  ir::Fusion fusion_;
  std::shared_ptr<KernelExecutor> executor_;
  pipeline::CompileOptions options_;
  std::mutex mutex_;
  /// The fusion as it is compiled, by how each output is delivered: a view for which a buffer is given becomes a copy.
  std::map<std::vector<bool>, ir::Fusion> variants_;
  std::map<std::string, std::shared_ptr<const PreparedProgram>> programs_;  ///< by variant and facts
  /// By everything that an execution's arguments say but for where the buffers are. Forgotten when there are too many.
  std::map<std::string, std::shared_ptr<const Call>, std::less<>> calls_;
};

}  // namespace braid::runtime
