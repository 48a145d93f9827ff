// Slices, reshapes and views: what is read, how wide, and what is only another look at an input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/host_run.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Widths = std::set<int64_t>;

// C30: NVIDIA/Fuser#413. Source runs are two elements long and a store's three cross them.
TEST(Slice, AReshapeLaterOnDoesNotWidenALoad) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[10240, 2]) {
  b = broadcast_in_dim(x, shape=[10240, 3, 2], dims=[0, 2])
  r = reshape(b, shape=[10240, 2, 3])
  p = permute(r, dims=[1, 0, 2])
  o = reshape(p, shape=[20480, 3])
  return o
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  EXPECT_LE(*loadBytes(*program, "x").rbegin(), 8);
}

// C31: NVIDIA/Fuser#3855. The slice keeps a run of eight at the start of each row.
TEST(Slice, ARunThroughASplitAxisKeepsItsWidth) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[32, 16]) {
  s = sin(x)
  r = reshape(s, shape=[32, 8, 2])
  a = slice(r, start=[0, 0, 0], stop=[32, 4, 2])
  o = cos(a)
  return o
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(loadBytes(*program, "x"), Widths{16});
  EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
}

// C32: nvFuser's test VectorizeInnerSliceMultiplePaths.
TEST(Slice, EachAccessHasItsOwnWidth) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[128]) {
  s = sin(x)
  a = slice(s, start=[4], stop=[128])
  b = slice(s, start=[2], stop=[126])
  c = slice(s, start=[0], stop=[124])
  d = add(a, b)
  o = add(d, c)
  return o
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(loadBytes(*program, "x"), (Widths{8, 16}));
  EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
}

// C34: nvFuser's test VectorizeOuterPad.
TEST(Slice, ACatOfAnOuterAxisIsAPlainCopy) {
  for (const int64_t t : {1, 5}) {
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(q: bf16[1, 8, 4, T, 128], k: bf16[1, 8, 1, T, 128], v: bf16[1, 8, 1, T, 128]) {
  c = cat(q, k, v, dim=2)
  p = permute(c, dims=[0, 3, 1, 2, 4])
  o = reshape(p, shape=[1, T, 6144])
  return o
})",
                                                         {{"T", t}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    for (const char* input : {"q", "k", "v"}) EXPECT_EQ(loadBytes(*program, input), Widths{16});
    EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
  }
}

// C35: NVIDIA/Fuser#3640, nvFuser's test SliceRotateCatResidual.
TEST(Slice, WidthsFollowTheHalvesNotTheResidual) {
  for (const int64_t f : {1, 2, 3, 100, 101, 104}) {
    SCOPED_TRACE(f);
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[16, F]) {
  s = sin(x)
  a = slice(s, start=[0, 0], stop=[16, F // 2])
  b = slice(s, start=[0, F // 2], stop=[16, F])
  c = cat(b, a, dim=1)
  o = add(x, c)
  return o
})",
                                                         {{"F", f}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
  }
}

// C37: NVIDIA/Fuser#4970. What is read along T is strided for a vector of the output.
TEST(Slice, ATransposedTableIsReadElementByElement) {
  for (const int64_t t : {1, 5, 4096}) {
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[1, 32, T]) {
  p = permute(x, dims=[0, 2, 1])
  b = broadcast_in_dim(p, shape=[1, T, 2, 32], dims=[0, 1, 3])
  r = reshape(b, shape=[1, T, 64])
  c = cos(r)
  h = cast(c, dtype=bf16)
  o = reshape(h, shape=[1, 1, T, 64])
  return o
})",
                                                         {{"T", t}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    EXPECT_EQ(loadBytes(*program, "x"), Widths{4});
    EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
  }
}

// C39: NVIDIA/Fuser#3801.
TEST(Slice, SlicesThatAreReturnedAreViews) {
  constexpr const char* kText = R"(
fusion f(s: f32[1, 16], x: f32[1, 4, 3, 1, 16]) {
  a = squeeze(slice(x, start=[0, 0, 1, 0, 0], stop=[1, 4, 2, 1, 16]), dims=[3])
  b = squeeze(slice(x, start=[0, 0, 0, 0, 0], stop=[1, 4, 1, 1, 16]), dims=[3])
  e = broadcast_in_dim(s, shape=[1, 4, 1, 16], dims=[2, 3])
  u = mul(a, e)
  v = mul(b, e)
  return a, u, b, v
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  HostRun run(kText, {});
  const auto shapes = run.shapes();
  EXPECT_TRUE(shapes[0].isAlias && shapes[2].isAlias && !shapes[1].isAlias && !shapes[3].isAlias);
  EXPECT_EQ(shapes[0].aliasOffset, 16);
  EXPECT_EQ(shapes[2].aliasOffset, 0);
}

// C40: nvFuser's test TraversalForInliningPosition.
TEST(Slice, TheSameSliceWrittenTwiceIsReadOnce) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[16], y: f32[8]) {
  a = slice(x, start=[0], stop=[8])
  s = sin(a)
  b = slice(x, start=[0], stop=[8])
  c = add(y, b)
  o = add(a, c)
  return s, o
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  EXPECT_LE(loadCount(*program, "x"), 2);  // once for each output at most
}

// C42: NVIDIA/Fuser#3571, nvFuser's test PropagateMultipleSlicesToInputs4.
TEST(Slice, MayCutAnAxisThatAnOperandIsBroadcastOver) {
  for (const int64_t m : {1, 3, 8}) {
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[M, 100], y: f32[M]) {
  s = sin(y)
  b = broadcast_in_dim(s, shape=[M, 100], dims=[0])
  t = add(x, b)
  a = slice(t, start=[0, 1], stop=[M, 100])
  o = sin(a)
  return s, o
})",
                                                         {{"M", m}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
  }
}

// C43: NVIDIA/Fuser#2552, NVIDIA/Fuser#963.
TEST(Slice, MayCutAnExpandedAxisBackToOne) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<float>(DType::Float32, {1, 3}, {1, 2, 3}));
  options.arrays.emplace("y", arrayOf<float>(DType::Float32, {1, 3}, {10, 20, 30}));
  options.expected.emplace("a", arrayOf<float>(DType::Float32, {1, 3}, {1, 2, 3}));
  options.expected.emplace("z", arrayOf<float>(DType::Float32, {1, 3}, {11, 22, 33}));
  options.expected.emplace("q", arrayOf<float>(DType::Float32, {3}, {1, 2, 3}));
  constexpr const char* kText = R"(
fusion f(x: f32[1, 3], y: f32[1, 3]) {
  e = expand(x, shape=[2, 3])
  a = slice(e, start=[0, 0], stop=[1, 3])
  z = add(a, y)
  q = squeeze(slice(e, start=[1, 0], stop=[2, 3]), dims=[0])
  return a, z, q
})";
  expectRunsWithAndWithoutMovePad(kText, {}, options);
  const auto shapes = HostRun(kText, {}).shapes();
  EXPECT_TRUE(shapes[0].isAlias && shapes[2].isAlias);
}

// C44: nvFuser's tests SliceConstantShmoo, SliceInputShmoo. Braid does not clamp.
TEST(Slice, OutOfRangeIsAnError) {
  const Error negative = parseError("fusion f(x: f32[N, 7]) { a = slice(x, start=[-3, 0], stop=[N, 7])  return a }");
  EXPECT_EQ(negative.code(), ErrorCode::InvalidExtent);
  EXPECT_THAT(negative.what(), HasSubstr("start[0] is -3"));
  constexpr const char* kFar = "fusion f(x: f32[N, 7]) { b = slice(x, start=[2, 0], stop=[2000, 7])  return b }";
  const Error far = HostRun(kFar, {{"N", 9}}).failure();
  EXPECT_EQ(far.code(), ErrorCode::ConstraintFailed);
  EXPECT_THAT(far.what(), HasSubstr("2000 <= N must hold, but N is 9"));
}

// C46: NVIDIA/Fuser#1116, nvFuser's test MergeBroadcastsBetweenConcretes.
TEST(Slice, AMergeOfExpandedAxesIsAViewWhereStridesAllowIt) {
  constexpr const char* kText = R"(
fusion f(x: f32[4, 5], y: f32[2, 3, 5, 7] strides(7, 0, 0, 1)) {
  e = broadcast_in_dim(x, shape=[4, 5, 6], dims=[0, 1])
  o = reshape(e, shape=[40, 3])
  m = reshape(y, shape=[2, 15, 7])
  n = reshape(m, shape=[30, 7])
  return o, m, n
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  const auto shapes = HostRun(kText, {}).shapes();
  EXPECT_FALSE(shapes[0].isAlias);
  EXPECT_TRUE(shapes[1].isAlias);
  EXPECT_THAT(shapes[1].strides, ElementsAre(7, 0, 1));
  EXPECT_FALSE(shapes[2].isAlias);
}

// C48: NVIDIA/Fuser#1393.
TEST(Slice, AnExpandedResultSaysItsStrides) {
  constexpr const char* kText = R"(
fusion f(x: f32[M, N] strides(1, 0), y: f32[M, N] strides(0, 1)) {
  s = add(x, y)
  r = reshape(s, shape=[M, N, 1])
  o = expand(r, shape=[M, N, 5])
  return o
})";
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {5, 7}, {8, 1}}) {
    const auto program = expectRunsWithAndWithoutMovePad(kText, {{"M", m}, {"N", n}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
  }
  EXPECT_THAT(HostRun(kText, {{"M", 3}, {"N", 2}}).shapes()[0].strides, ElementsAre(10, 5, 1));
}

// C49: apache/tvm#9731.
TEST(Slice, HalvesAtAnOddOffsetAreReadOneByOne) {
  for (const int64_t n : {1, 2, 3, 9, 17, 4097}) {
    const auto program = expectRunsWithAndWithoutMovePad(
        "fusion f(x: f16[N]) { o = add(slice(x, start=[1], stop=[N]), "
        "slice(x, start=[1], stop=[N]))  return o }",
        {{"N", n}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(loadBytes(*program, "x"), Widths{2});
    EXPECT_TRUE(storeBytes(*program, "o").contains(16));
  }
}

// C51: pytorch/pytorch#191002.
TEST(Slice, AViewStartsWhereTheInputStarts) {
  constexpr const char* kText = R"(
fusion f(x: bf16[T, 64]) {
  a = slice(x, start=[1, 0], stop=[T, 64])
  o = neg(x)
  return a, o
})";
  HostRun run(kText, {{"T", 3}}, {{"x", {{}, 1}}});
  const auto result = run.run();
  EXPECT_EQ(result.outputs[0].data, static_cast<std::byte*>(run.input("x").data) + 2 * 64);
  EXPECT_THAT(result.outputs[0].sizes, ElementsAre(2, 64));
  EXPECT_THAT(result.outputs[0].strides, ElementsAre(64, 1));
  HostRun one(kText, {{"T", 1}});
  EXPECT_THAT(one.run().outputs[0].sizes, ElementsAre(0, 64));
  RunOptions options;
  options.inputs["x"].offset = 1;
  for (const int64_t t : {1, 3}) expectRunsWithAndWithoutMovePad(kText, {{"T", t}}, options);
}

// C52: torch-spyre/torch-spyre#3558, pytorch/pytorch#101950.
TEST(Slice, FlipsOfBothAxesAndNeverInPlace) {
  constexpr const char* kText = R"(
fusion f(x: f32[4, 64]) {
  f = flip(x, dims=[0])
  g = flip(x, dims=[1])
  o = cat(f, g, dim=0)
  return f, o
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  HostRun run(kText, {});
  run.arguments.outputs["f"] = run.input("x");
  const Error error = run.failure();
  EXPECT_EQ(error.code(), ErrorCode::Aliasing);
  EXPECT_THAT(error.what(), HasSubstr("the buffer of output f overlaps input x"));
}

}  // namespace
}  // namespace braid::test
