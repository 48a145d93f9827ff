#include "support/run_fusion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "braid/error.h"
#include "evaluator/evaluate.h"
#include "evaluator/strided_copy.h"
#include "ir/text.h"
#include "runtime/compare.h"
#include "runtime/fusion_executor.h"
#include "runtime/kernel_executor.h"
#include "runtime/nvrtc_api.h"
#include "runtime/overlap.h"

namespace braid::test {

namespace {

using evaluator::HostArray;

/// Inputs in an executor's memory, laid out as the host arrays are.
class Run {
 public:
  Run(const ir::Fusion& fusion, const evaluator::Arguments& arguments, const RunOptions& options,
      std::shared_ptr<runtime::KernelExecutor> device)
      : options_(options), device_(device), executor_(fusion, device, options.compile) {
    for (const auto& [name, array] : arguments.tensors) execution_.inputs[name] = upload(array);
    execution_.scalars = arguments.scalars;
    execution_.dims = arguments.dims;
  }

  std::shared_ptr<const pipeline::CompiledProgram> program() { return executor_.programFor(execution_); }

  std::vector<HostArray> outputs() {
    for (const auto& [name, placement] : options_.outputs) giveBuffer(name, placement);
    const runtime::ExecuteResult result = executor_.execute(execution_);
    std::vector<HostArray> arrays;
    for (const runtime::TensorView& view : result.outputs) arrays.push_back(download(view));
    return arrays;
  }

 private:
  /// The whole storage travels, so that strides, offset and gaps are the same on the device.
  runtime::TensorView upload(const HostArray& array) {
    const int64_t offset = array.offset() * bytesOf(array.dtype());
    const int64_t bytes = offset + spanBytes(array.dtype(), array.sizes(), array.strides());
    memory_.push_back(device_->allocate(bytes));
    auto* data = static_cast<std::byte*>(memory_.back().get());
    if (array.data() != nullptr) device_->copyFromHost(data, array.data() - offset, bytes, nullptr);
    return {data + offset, array.dtype(), array.sizes(), array.strides()};
  }

  void giveBuffer(const std::string& name, const runtime::InputPlacement& placement) {
    const std::vector<runtime::OutputShape> shapes = executor_.outputShapes(execution_);
    const auto shape = std::find_if(shapes.begin(), shapes.end(), [&](const auto& each) { return each.name == name; });
    ASSERT_NE(shape, shapes.end()) << "no output " << name;
    const std::vector<int64_t> strides =
        placement.strides.empty() ? evaluator::contiguousStrides(shape->sizes) : placement.strides;
    const int64_t offset = placement.offset * bytesOf(shape->dtype);
    const int64_t bytes = offset + spanBytes(shape->dtype, shape->sizes, strides);
    memory_.push_back(device_->allocate(bytes));
    auto* data = static_cast<std::byte*>(memory_.back().get());
    device_->fill(data, 0xfb, bytes, nullptr);
    execution_.outputs[name] = {data + offset, shape->dtype, shape->sizes, strides};
  }

  HostArray download(const runtime::TensorView& view) {
    const int64_t bytes = spanBytes(view.dtype, view.sizes, view.strides);
    std::vector<std::byte> staged(static_cast<size_t>(bytes));
    device_->synchronize(nullptr);
    device_->copyToHost(staged.data(), view.data, bytes, nullptr);
    device_->synchronize(nullptr);
    HostArray array(view.dtype, view.sizes);
    evaluator::copyStrided({view.sizes, bytesOf(view.dtype)}, {array.data(), array.strides()}, staged.data(),
                           view.strides);
    return array;
  }

  static int64_t spanBytes(DType dtype, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
    return runtime::spanOf(sizes, strides) * bytesOf(dtype);
  }

  const RunOptions& options_;
  std::shared_ptr<runtime::KernelExecutor> device_;
  runtime::FusionExecutor executor_;
  runtime::ExecuteArguments execution_;
  std::vector<runtime::DeviceMemory> memory_;
};

evaluator::Arguments argumentsFor(const ir::Fusion& fusion, const ir::Symbols& dims, const RunOptions& options) {
  evaluator::Arguments arguments;
  arguments.dims = dims;
  for (const ir::Input& input : fusion.inputs()) {
    const ir::Value& value = fusion.value(input.value);
    const std::string& name = value.name();
    if (value.kind == ir::ValueKind::Parameter) {
      const auto given = options.scalars.find(name);
      arguments.scalars[name] = given == options.scalars.end() ? ir::Scalar::real(0.75) : given->second;
      continue;
    }
    if (const auto given = options.arrays.find(name); given != options.arrays.end()) {
      arguments.tensors.emplace(name, given->second);
      continue;
    }
    const auto given = options.inputs.find(name);
    const runtime::InputPlacement placement = given == options.inputs.end() ? runtime::InputPlacement{} : given->second;
    arguments.tensors.emplace(
        name, runtime::drawInput(value.dtype(), runtime::inputSizes(fusion, input, dims),
                                 runtime::inputStrides(fusion, input, dims, placement), placement.offset,
                                 runtime::inputSeed(options.seed, name), options.special));
  }
  return arguments;
}

void expectEqual(const ir::Fusion& fusion, const std::vector<HostArray>& actual, const std::vector<HostArray>& expected,
                 const std::string& device) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    const ir::Output& output = fusion.outputs()[i];
    const runtime::Comparison comparison =
        runtime::compareBitwise(actual[i], expected[i], runtime::nanRuleOf(fusion, output));
    EXPECT_TRUE(comparison.equal) << "output " << output.name << " on " << device << ": "
                                  << runtime::describe(comparison, actual[i], expected[i]);
  }
}

/// The evaluator knows nothing of executors; where the test states the right values, it is held against them too.
void expectStated(const ir::Fusion& fusion, const std::vector<HostArray>& evaluated, const RunOptions& options) {
  for (const auto& [name, right] : options.expected) {
    const auto& outputs = fusion.outputs();
    const auto output =
        std::find_if(outputs.begin(), outputs.end(), [&](const auto& each) { return each.name == name; });
    ASSERT_NE(output, outputs.end()) << "no output " << name;
    const HostArray& actual = evaluated[static_cast<size_t>(output - outputs.begin())];
    ASSERT_EQ(actual.sizes(), right.sizes()) << "output " << name;
    const runtime::Comparison comparison = runtime::compareBitwise(actual, right, runtime::nanRuleOf(fusion, *output));
    EXPECT_TRUE(comparison.equal) << "output " << name
                                  << " of the evaluator: " << runtime::describe(comparison, actual, right);
  }
}

}  // namespace

std::vector<HostArray> runOn(std::shared_ptr<runtime::KernelExecutor> executor, const ir::Fusion& fusion,
                             const evaluator::Arguments& arguments, const RunOptions& options) {
  return Run(fusion, arguments, options, std::move(executor)).outputs();
}

std::shared_ptr<const pipeline::CompiledProgram> expectRunsBitwise(const ir::Fusion& fusion, const ir::Symbols& dims,
                                                                   const RunOptions& options) {
  SCOPED_TRACE(ir::print(fusion));
  try {
    const evaluator::Arguments arguments = argumentsFor(fusion, dims, options);
    const std::vector<HostArray> expected = evaluator::evaluate(fusion, arguments);
    expectStated(fusion, expected, options);
    Run host(fusion, arguments, options, runtime::makeHostExecutor());
    expectEqual(fusion, host.outputs(), expected, "the host");
    if (options.cudaToo && runtime::cudaDeviceCount() > 0 && runtime::nvrtcAvailable()) {
      Run cuda(fusion, arguments, options, runtime::makeCudaExecutor(0));
      expectEqual(fusion, cuda.outputs(), expected, "the GPU");
    }
    return host.program();
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
    return nullptr;
  }
}

std::shared_ptr<const pipeline::CompiledProgram> expectRunsBitwise(std::string_view text, const ir::Symbols& dims,
                                                                   const RunOptions& options) {
  try {
    return expectRunsBitwise(ir::parse(text), dims, options);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
    return nullptr;
  }
}

std::shared_ptr<const pipeline::CompiledProgram> expectRunsWithAndWithoutMovePad(std::string_view text,
                                                                                 const ir::Symbols& dims,
                                                                                 const RunOptions& options) {
  const auto program = expectRunsBitwise(text, dims, options);
  RunOptions without = options;
  without.compile.disabled.insert("move_pad");
  SCOPED_TRACE("without move_pad");
  const auto programWithout = expectRunsBitwise(text, dims, without);
  if (program != nullptr && programWithout != nullptr) {
    EXPECT_EQ(program->kernels(), programWithout->kernels());
  }
  return program;
}

}  // namespace braid::test
