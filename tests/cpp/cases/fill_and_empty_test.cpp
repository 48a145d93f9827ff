// What fills a pad, which dtype a cat has, bools of any byte, and tensors without elements.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/host_run.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// C14: nvFuser's tests PadHalfWithDoubleValue, PadDtypes.
TEST(Fill, IsConvertedToTheDtypeOfTheTensor) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint16_t>(DType::Float16, {2}, {0x3c00, 0x8000}));
  options.arrays.emplace("i", arrayOf<int32_t>(DType::Int32, {2}, {7, -8}));
  options.arrays.emplace("m", arrayOf<uint8_t>(DType::Bool, {2}, {0, 1}));
  options.expected.emplace("a", arrayOf<uint16_t>(DType::Float16, {4}, {0x2e66, 0x3c00, 0x8000, 0x2e66}));
  options.expected.emplace("b", arrayOf<int32_t>(DType::Int32, {3}, {-3, 7, -8}));
  options.expected.emplace("c", arrayOf<uint8_t>(DType::Bool, {3}, {0, 1, 1}));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f16[2], i: i32[2], m: bool[2]) {
  a = pad(x, widths=[1, 1], value=0.1)
  b = pad(i, widths=[1, 0], value=-3)
  c = pad(m, widths=[0, 1], value=true)
  return a, b, c
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C14, the fraction for an integer tensor: eager's fill truncates.
TEST(Fill, OfAnIntegerTensorIsTruncated) {
  RunOptions options;
  options.arrays.emplace("i", arrayOf<int32_t>(DType::Int32, {1}, {5}));
  options.expected.emplace("b", arrayOf<int32_t>(DType::Int32, {3}, {-2, 5, -2}));
  expectRunsWithAndWithoutMovePad("fusion f(i: i32[1]) { b = pad(i, widths=[1, 1], value=-2.7)  return b }", {},
                                  options);
}

constexpr const char* kCrop = "fusion f(x: bf16[3, 3, 4, N]) { o = pad(x, widths=[-1, -1], value=4.2)  return o }";

// C15: NVIDIA/Fuser#1906, nvFuser's test PadToEmptyTensor.
TEST(Empty, ACropMayLeaveNothing) {
  for (const int64_t n : {2, 3, 10}) expectRunsWithAndWithoutMovePad(kCrop, {{"N", n}});
  HostRun run(kCrop, {{"N", 2}});
  EXPECT_THAT(run.run().outputs[0].sizes, ElementsAre(3, 3, 4, 0));
}

TEST(Empty, ACropMayNotLeaveLessThanNothing) {
  const Error error = HostRun(kCrop, {{"N", 1}}).failure();
  EXPECT_EQ(error.code(), ErrorCode::ConstraintFailed);
  EXPECT_THAT(error.what(), HasSubstr("pad: axis 3 of x has N elements, widths -1 and -1 leave N - 2"));
  EXPECT_THAT(error.what(), HasSubstr("N is 1"));
}

// C24: pytorch/pytorch#35684, pytorch/pytorch#152995.
TEST(Empty, ABranchWithoutElementsStillTakesPartInPromotion) {
  RunOptions options;
  options.arrays.emplace("a", arrayOf<int8_t>(DType::Int8, {2, 3}, {-1, 2, -128, 127, 0, 5}));
  options.arrays.emplace("b", arrayOf<int32_t>(DType::Int32, {1, 3}, {1 << 30, -7, 9}));
  options.expected.emplace("o", arrayOf<int32_t>(DType::Int32, {3, 3}, {-1, 2, -128, 127, 0, 5, 1 << 30, -7, 9}));
  options.expected.emplace("p", arrayOf<float>(DType::Float32, {2, 3}, {-1, 2, -128, 127, 0, 5}));
  expectRunsWithAndWithoutMovePad(R"(
fusion f(a: i8[2, 3], b: i32[1, 3], e: f32[0, 3]) {
  o = cat(a, b, dim=0)
  p = cat(a, e, dim=0)
  return o, p
})",
                                  {}, options);
}

// C25: pytorch/pytorch#185535, pytorch/pytorch#107118. Eager skips the tensor of one axis; Braid asks for equal ranks.
TEST(Empty, ATensorOfOneAxisIsNotSkippedInACatOfHigherRank) {
  const Error error = parseError(R"(
fusion f(cache: bf16[0], k: bf16[1, 8, T, 78]) {
  o = cat(cache, k, dim=-2)
  return o
})");
  EXPECT_EQ(error.code(), ErrorCode::InvalidRank);
  EXPECT_THAT(error.what(), HasSubstr("cat: cache has 1 axes, k has 4"));
}

// C26: NVIDIA/Fuser#2697, pytorch/pytorch#139609. Movement copies the byte; logic reads any non-zero byte as true.
TEST(Bool, MayBeAnyByte) {
  RunOptions options;
  options.arrays.emplace("a", arrayOf<uint8_t>(DType::Bool, {1, 4}, {0, 1, 5, 255}));
  options.arrays.emplace("b", arrayOf<uint8_t>(DType::Bool, {1, 4}, {255, 4, 0, 2}));
  options.arrays.emplace("c", arrayOf<uint8_t>(DType::Bool, {1, 4}, {0, 1, 5, 255}));
  options.expected.emplace("o", arrayOf<uint8_t>(DType::Bool, {2, 4}, {0, 1, 0, 1, 0, 1, 5, 255}));
  options.expected.emplace("n", arrayOf<uint8_t>(DType::Bool, {1, 4}, {1, 0, 0, 0}));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(a: bool[1, 4], b: bool[1, 4], c: bool[1, 4]) {
  d = logical_and(a, b)
  o = cat(d, c, dim=0)
  n = logical_not(c)
  return o, n
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

constexpr const char* kCache = R"(
fusion f(x: f16[P, 64], y: f16[T, 64]) {
  o = cat(x, y, dim=0)
  r = neg(o)
  return r
})";

// C27: pytorch/pytorch#107066. The host executor knows no element of a tensor without any.
TEST(Empty, ABranchWithoutElementsIsNotRead) {
  for (const auto& [p, t] : {std::pair<int64_t, int64_t>{0, 5}, {5, 0}, {0, 0}, {3, 4}}) {
    expectRunsWithAndWithoutMovePad(kCache, {{"P", p}, {"T", t}});
    HostRun run(kCache, {{"P", p}, {"T", t}});
    if (p == 0) run.input("x").data = nullptr;
    if (t == 0) run.input("y").data = nullptr;
    EXPECT_THAT(run.run().outputs[0].sizes, ElementsAre(p + t, 64));
  }
}

// C28: NVIDIA/Fuser#365, nvFuser's tests MultiSliceEmpty, FusionSizeZeroSliceSplitSchedule.
TEST(Empty, AnOutputWithoutElementsLeavesTheOthersTheirWidth) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[8]) {
  a = slice(x, start=[0], stop=[2])
  b = slice(x, start=[6], stop=[6])
  c = slice(x, start=[6], stop=[8])
  d = add(b, 1.0)
  e = neg(x)
  return a, b, c, d, e
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  EXPECT_EQ(storeBytes(*program, "e"), std::set<int64_t>{16});
}

}  // namespace
}  // namespace braid::test
