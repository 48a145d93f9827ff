// Numbers at the edges, extents that happen to be 1, and tensors beyond 32 bits.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/host_run.h"
#include "ir/text.h"
#include "pipeline/compile.h"
#include "runtime/launch_plan.h"
#include "scheduler/facts.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

using ::testing::HasSubstr;

// C67: pytorch/pytorch#185610, pytorch/pytorch#194347.
TEST(Numbers, MinimumAndMaximumOfEveryPair) {
  constexpr uint16_t kZero = 0, kMinusZero = 0x8000, kOne = 0x3f80, kMinusInf = 0xff80, kNan = 0x7fc0;
  const std::vector<uint16_t> ascending = {kMinusInf, kMinusZero, kZero, kOne};
  std::vector<uint16_t> x, y, smaller, larger;
  for (size_t i = 0; i <= ascending.size(); ++i) {
    for (size_t j = 0; j <= ascending.size(); ++j) {
      const bool hasNan = i == ascending.size() || j == ascending.size();
      x.push_back(i == ascending.size() ? kNan : ascending[i]);
      y.push_back(j == ascending.size() ? kNan : ascending[j]);
      smaller.push_back(hasNan ? kNan : ascending[std::min(i, j)]);
      larger.push_back(hasNan ? kNan : ascending[std::max(i, j)]);
    }
  }
  RunOptions options;
  const auto count = static_cast<int64_t>(x.size());
  options.arrays.emplace("x", arrayOf(DType::BFloat16, {count}, x));
  options.arrays.emplace("y", arrayOf(DType::BFloat16, {count}, y));
  options.expected.emplace("a", arrayOf(DType::BFloat16, {count}, smaller));
  options.expected.emplace("b", arrayOf(DType::BFloat16, {count}, larger));
  expectRunsBitwise("fusion f(x: bf16[N], y: bf16[N]) { a = minimum(x, y)  b = maximum(x, y)  return a, b }",
                    {{"N", count}}, options);
}

constexpr const char* kPair = R"(
fusion f(x: f32[A], y: f32[C]) {
  u = reshape(x, shape=[A // 4, 4])
  v = reshape(y, shape=[C // 4, 4])
  o = mul(u, v)
  return o
})";

// C68: pytorch/pytorch#136640.
TEST(Sizes, AnExtentThatHappensToBeOneDoesNotBroadcast) {
  for (const int64_t n : {0, 4, 8}) expectRunsWithAndWithoutMovePad(kPair, {{"A", n}, {"C", n}});
  const Error error = HostRun(kPair, {{"A", 4}, {"C", 8}}).failure();
  EXPECT_EQ(error.code(), ErrorCode::ConstraintFailed);
  EXPECT_THAT(error.what(), HasSubstr("A // 4 == C // 4 must hold, but A // 4 is 1 and C // 4 is 2"));
  EXPECT_THAT(error.what(), HasSubstr("mul: axis 0 differs"));
}

TEST(Sizes, AReshapeThatDoesNotDivideIsAnError) {
  const Error error = HostRun(kPair, {{"A", 6}, {"C", 6}}).failure();
  EXPECT_EQ(error.code(), ErrorCode::ConstraintFailed);
  EXPECT_THAT(error.what(), HasSubstr("A == A // 4 * 4 must hold, but A is 6 and A // 4 * 4 is 4"));
}

/// The plan of the only kernel, without memory for any tensor.
runtime::LaunchPlan planOf(std::string_view text, const ir::Symbols& dims) {
  const ir::Fusion fusion = ir::parse(text);
  const auto program = pipeline::compile(fusion, scheduler::factsOf(fusion, dims, {}), {});
  EXPECT_EQ(program.kernels(), 1);
  for (const pipeline::CompiledSegment& segment : program.segments) {
    if (segment.kernel != nullptr) return runtime::planLaunch(*segment.kernel, dims);
  }
  return {};
}

constexpr const char* kPacked = R"(
fusion f(x: bf16[T, 3, 32, 128]) {
  q = squeeze(slice(x, start=[0, 0, 0, 0], stop=[T, 1, 32, 128]), dims=[1])
  v = squeeze(slice(x, start=[0, 2, 0, 0], stop=[T, 3, 32, 128]), dims=[1])
  o = cat(q, v, dim=1)
  return o
})";

// C70: thu-ml/SageAttention#386, ROCm/triton#944: 174763 rows are one row more than 2^31 elements.
TEST(Sizes, OffsetsBeyond32BitsAreComputedIn64) {
  EXPECT_EQ(planOf(kPacked, {{"T", 174762}}).width, device_lower::IndexWidth::Bits32);
  EXPECT_EQ(planOf(kPacked, {{"T", 174763}}).width, device_lower::IndexWidth::Bits64);
  expectRunsWithAndWithoutMovePad(kPacked, {{"T", 3}});
}

std::string bytesText(int64_t n) {
  return fmt::format(
      "fusion f(x: u8[{0}, {0}]) {{ o = bitwise_not(slice(x, start=[1, 1], stop=[{0}, {0}])) return o }}", n);
}

// C71: pytorch/pytorch#154168: an output of 2^32 elements.
TEST(Sizes, AGridCoversMoreThan2To32Elements) {
  const runtime::LaunchPlan plan = planOf(bytesText(65537), {});
  EXPECT_EQ(plan.width, device_lower::IndexWidth::Bits64);
  EXPECT_EQ(plan.partThreads, std::vector<int64_t>{(1LL << 32) / 16});
  EXPECT_LE(plan.blocks, INT32_MAX);
  EXPECT_GE(plan.blocks * 1024, plan.partThreads[0]);
  for (const int64_t n : {1, 2, 17, 33}) expectRunsWithAndWithoutMovePad(bytesText(n), {});
}

}  // namespace
}  // namespace braid::test
