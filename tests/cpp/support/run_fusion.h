#pragma once
// Runs a fusion on an executor and holds the result against the reference evaluator, bit for bit.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/evaluate.h"
#include "evaluator/host_array.h"
#include "ir/bind.h"
#include "ir/fusion.h"
#include "pipeline/compile.h"
#include "runtime/draw_inputs.h"
#include "runtime/kernel_executor.h"

namespace braid::test {

struct RunOptions {
  uint64_t seed = 1;
  bool special = true;  ///< ±0, ±Inf, NaN, denormals, extreme integers among the inputs
  std::map<std::string, runtime::InputPlacement> inputs;   ///< strides and offsets, by input
  std::map<std::string, runtime::InputPlacement> outputs;  ///< of the buffers given for outputs, by output
  std::map<std::string, evaluator::HostArray> arrays;      ///< inputs that are given, not drawn
  std::map<std::string, evaluator::HostArray> expected;    ///< right values of outputs that the test states itself
  std::map<std::string, ir::Scalar> scalars;               ///< host parameters; one that is missing is drawn
  pipeline::CompileOptions compile;                        ///< switches, limits, schedules
  bool cudaToo = true;                                     ///< also on the GPU, if there is one
};

/// Draws the inputs, executes on the checking host executor (and on a GPU where there is one), and expects every output
/// to equal the evaluator's: any NaN equals any NaN unless only movement ops lie between. Returns the program that ran,
/// or null after a failure that left none.
std::shared_ptr<const pipeline::CompiledProgram> expectRunsBitwise(const ir::Fusion& fusion, const ir::Symbols& dims,
                                                                   const RunOptions& options = {});
/// The same for the text of a fusion.
std::shared_ptr<const pipeline::CompiledProgram> expectRunsBitwise(std::string_view text, const ir::Symbols& dims,
                                                                   const RunOptions& options = {});

/// The same with every pass and again without move_pad, which must not change the number of kernels. Returns the
/// program that ran with every pass.
std::shared_ptr<const pipeline::CompiledProgram> expectRunsWithAndWithoutMovePad(std::string_view text,
                                                                                 const ir::Symbols& dims,
                                                                                 const RunOptions& options = {});

/// The outputs that an executor gives, in order.
std::vector<evaluator::HostArray> runOn(std::shared_ptr<runtime::KernelExecutor> executor, const ir::Fusion& fusion,
                                        const evaluator::Arguments& arguments, const RunOptions& options = {});

/// A contiguous array of these elements. `Element` is as large as one of the dtype; half types are given as bits.
template <class Element>
evaluator::HostArray arrayOf(DType dtype, std::vector<int64_t> sizes, const std::vector<Element>& elements) {
  evaluator::HostArray array(dtype, std::move(sizes));
  EXPECT_EQ(bytesOf(dtype), static_cast<int64_t>(sizeof(Element)));
  EXPECT_EQ(array.elements(), static_cast<int64_t>(elements.size()));
  if (!elements.empty()) std::memcpy(array.data(), elements.data(), elements.size() * sizeof(Element));
  return array;
}

}  // namespace braid::test
