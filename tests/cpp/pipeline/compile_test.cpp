// From a fusion to kernels: several kernels where one would be too large give the same bits as one.

#include "pipeline/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

/// Each step adds the value to itself, rolled: 2^steps maps to the first value.
std::string doubling(int steps) {
  std::string text = "fusion f(x: bf16[T, 24]) { v0 = sub(x, 0.5) ";
  for (int i = 0; i < steps; ++i) {
    const std::string v = "v" + std::to_string(i), w = "v" + std::to_string(i + 1);
    text += w + " = add(mul(" + v + ", 0.5), roll(" + v + ", shifts=[" + std::to_string(i + 1) + "], dims=[1])) ";
  }
  return text + "return v" + std::to_string(steps) + ", v1 }";
}

TEST(Compile, OneKernelOrManyGiveTheSameBits) {
  for (const int64_t nodes : {40, 200, 4096}) {
    RunOptions options;
    options.compile.limits.maxNodes = nodes;
    const auto program = expectRunsBitwise(doubling(4), {{"T", 5}}, options);
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels() == 1, nodes == 4096) << program->kernels();
  }
}

TEST(Compile, ManyInputsAreSummedInSeveralKernels) {
  std::string parameters, body, sum = "x0";
  for (int i = 0; i < 20; ++i) parameters += (i == 0 ? "x" : ", x") + std::to_string(i) + ": f32[N]";
  for (int i = 1; i < 20; ++i) {
    body += "s" + std::to_string(i) + " = sub(" + sum + ", x" + std::to_string(i) + ") ";
    sum = "s" + std::to_string(i);
  }
  RunOptions options;
  options.compile.limits.maxTensors = 8;
  const auto program =
      expectRunsBitwise("fusion f(" + parameters + ") { " + body + "return " + sum + " }", {{"N", 37}}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 4);
}

}  // namespace
}  // namespace braid::test
