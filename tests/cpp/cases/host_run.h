#pragma once
// One fusion on the checking host executor in memory that the test holds: for tests of pointers, views and refusals.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "braid/error.h"
#include "evaluator/host_array.h"
#include "runtime/draw_inputs.h"
#include "runtime/fusion_executor.h"

namespace braid::test {

/// Draws the inputs; a test then changes `arguments` as it likes.
class HostRun {
 public:
  HostRun(std::string_view text, const ir::Symbols& dims,
          const std::map<std::string, runtime::InputPlacement>& placements = {});

  runtime::TensorView& input(const std::string& name) { return arguments.inputs.at(name); }
  runtime::ExecuteResult run() { return executor.execute(arguments); }
  std::vector<runtime::OutputShape> shapes() const { return executor.outputShapes(arguments); }
  int64_t kernels() { return executor.programFor(arguments)->kernels(); }
  /// What the run throws.
  Error failure();

  runtime::FusionExecutor executor;
  runtime::ExecuteArguments arguments;

 private:
  std::map<std::string, evaluator::HostArray> arrays_;
};

/// What the function throws; Error(Internal, "nothing was wrong") if nothing.
Error errorOf(const std::function<void()>& function);
/// What parsing the text throws.
Error parseError(std::string_view text);

/// The distinct widths in bytes of a program's loads from an input, or of its stores to an output.
std::set<int64_t> loadBytes(const pipeline::CompiledProgram& program, const std::string& tensor);
std::set<int64_t> storeBytes(const pipeline::CompiledProgram& program, const std::string& tensor);
/// How many load statements of a program read the tensor.
int64_t loadCount(const pipeline::CompiledProgram& program, const std::string& tensor);

}  // namespace braid::test
