// Every example is one kernel, bit for bit what eager computes, for all sizes, alignments and layouts.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

#include "ir/any_strides.h"
#include "ir/text.h"
#include "support/example_files.h"
#include "support/run_fusion.h"

namespace braid::runtime {
namespace {

using test::expectRunsBitwise;
using test::RunOptions;

class Example : public ::testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    std::ifstream stream(GetParam());
    std::stringstream text;
    text << stream.rdbuf();
    fusion_ = ir::parse(text.str(), GetParam().string());
  }

  ir::Symbols dims(int64_t batch, int64_t tokens) const {
    ir::Symbols result;
    for (const std::string& symbol : fusion_->symbols()) result[symbol] = symbol == "T" ? tokens : batch;
    return result;
  }

  void expectOneKernel(const ir::Symbols& dims, const RunOptions& options) const {
    const auto program = expectRunsBitwise(*fusion_, dims, options);
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
  }

  /// Strides that fill memory in the given order of axes, innermost first, with a gap after each.
  static std::vector<int64_t> strides(const std::vector<int64_t>& sizes, const std::vector<size_t>& order,
                                      int64_t gap) {
    std::vector<int64_t> result(sizes.size());
    int64_t stride = 1;
    for (const size_t axis : order) {
      result[axis] = stride;
      stride = stride * sizes[axis] + gap;
    }
    return result;
  }

  static std::vector<std::vector<int64_t>> layouts(const std::vector<int64_t>& sizes) {
    std::vector<size_t> outermostFirst(sizes.size());
    std::iota(outermostFirst.begin(), outermostFirst.end(), size_t{0});
    const std::vector<size_t> innermostFirst(outermostFirst.rbegin(), outermostFirst.rend());
    std::vector<std::vector<int64_t>> result = {strides(sizes, outermostFirst, 0), strides(sizes, innermostFirst, 8),
                                                strides(sizes, innermostFirst, 3),
                                                std::vector<int64_t>(sizes.size(), 0)};
    result.push_back(strides(sizes, innermostFirst, 0));
    result.back().front() = 0;
    return result;
  }

  std::optional<ir::Fusion> fusion_;
};

TEST_P(Example, IsOneKernelForEverySize) {
  for (const int64_t tokens : {1, 7, 63, 64, 65, 129}) {
    RunOptions options;
    expectOneKernel(dims(1, tokens), options);
    options.compile.disabled = {"move_pad"};
    expectOneKernel(dims(1, tokens), options);
  }
}

TEST_P(Example, ComputesNothingOnEmptyInputs) {
  for (const auto& [batch, tokens] : {std::pair<int64_t, int64_t>{0, 5}, {2, 0}}) {
    expectRunsBitwise(*fusion_, dims(batch, tokens));
  }
}

TEST_P(Example, NeedsNoAlignment) {
  for (const ir::Input& input : fusion_->inputs()) {
    for (const int64_t offset : {1, 2, 4}) {
      RunOptions options;
      options.inputs[fusion_->value(input.value).name()].offset = offset;
      expectOneKernel(dims(2, 9), options);
    }
  }
}

TEST_P(Example, TakesInputsOfAnyStrides) {
  const ir::Symbols sizes = dims(2, 9);
  for (const ir::Input& input : fusion_->inputs()) {
    const std::string& name = fusion_->value(input.value).name();
    const ir::Fusion strided = ir::withAnyStrides(*fusion_, {name});
    for (const std::vector<int64_t>& strides : layouts(runtime::inputSizes(*fusion_, input, sizes))) {
      RunOptions options;
      options.inputs[name].strides = strides;
      SCOPED_TRACE(fmt::format("{} strides [{}]", name, fmt::join(strides, ", ")));
      const auto program = expectRunsBitwise(strided, sizes, options);
      ASSERT_NE(program, nullptr);
      EXPECT_EQ(program->kernels(), 1);
    }
  }
}

TEST_P(Example, TakesBuffersOfAnyAlignment) {
  for (const ir::Output& output : fusion_->outputs()) {
    if (output.kind == ir::OutputKind::Alias) continue;
    RunOptions options;
    options.outputs[output.name].offset = 1;
    expectOneKernel(dims(2, 9), options);
  }
}

INSTANTIATE_TEST_SUITE_P(Forward, Example, ::testing::ValuesIn(test::exampleFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace braid::runtime
