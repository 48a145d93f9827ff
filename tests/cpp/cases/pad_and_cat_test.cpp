// Pads and cats, alone and with what move_pad does to them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "cases/host_run.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

constexpr uint32_t kMinusZero = 0x80000000, kInf = 0x7f800000, kMinusInf = 0xff800000, kNan = 0x7fc00001,
                   kNegativeNan = 0xffc00123, kOne = 0x3f800000;

/// Runs at each size of one extent and expects one kernel.
void expectOneKernel(std::string_view text, const std::string& extent, const std::vector<int64_t>& sizes) {
  for (const int64_t size : sizes) {
    SCOPED_TRACE(extent + " = " + std::to_string(size));
    const auto program = expectRunsWithAndWithoutMovePad(text, {{extent, size}});
    if (program != nullptr) {
      EXPECT_EQ(program->kernels(), 1);
    }
  }
}

// C01: nvFuser's move_pad.cpp makes a sum of zero-padded branches of a cat.
TEST(PadAndCat, CatMovesEveryBitOfItsOperands) {
  RunOptions options;
  options.arrays.emplace(
      "x", arrayOf<uint32_t>(DType::Float32, {4, 5},
                             {0, kMinusZero, kInf,       kMinusInf,  kNan,       kNan,       kMinusZero, kNegativeNan,
                              0, kOne,       kMinusZero, kMinusZero, kMinusZero, kMinusZero, kMinusZero, 0,
                              0, 0,          0,          0}));
  options.arrays.emplace(
      "y", arrayOf<uint32_t>(DType::Float32, {4, 3},
                             {0, kMinusZero, kOne, kInf, kMinusInf, 0, 0, 0, 0, kMinusZero, kMinusZero, kMinusZero}));
  const uint32_t minusOne = kOne | kMinusZero;
  options.expected.emplace(
      "o",
      arrayOf<uint32_t>(DType::Float32, {4, 8},
                        {kMinusZero, 0,          kMinusInf,  kInf,       kNan,       kMinusZero, 0,          minusOne,
                         kNan,       0,          kNan,       kMinusZero, minusOne,   kMinusInf,  kInf,       kMinusZero,
                         0,          0,          0,          0,          0,          kMinusZero, kMinusZero, kMinusZero,
                         kMinusZero, kMinusZero, kMinusZero, kMinusZero, kMinusZero, 0,          0,          0}));
  const auto program = expectRunsWithAndWithoutMovePad(
      R"(fusion f(x: f32[4, 5], y: f32[4, 3]) {
  a = neg(x)
  b = neg(y)
  o = cat(a, b, dim=1)
  return o
})",
      {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C03: the ops that nvFuser's move_pad.cpp knows to keep zero; exp, cos and x + 1 do not.
TEST(PadAndCat, APadStaysZeroBehindOpsThatDoNotKeepZero) {
  constexpr const char* kText = R"(
fusion f(x: f32[T, 6], y: f32[T, 2]) {
  a = exp(x)
  b = add(a, 1.0)
  c = cos(y)
  o = cat(b, c, dim=1)
  q = pad(b, widths=[0, 2])
  return o, q
})";
  expectOneKernel(kText, "T", {1, 2, 7, 64});
  RunOptions options;
  options.arrays.emplace("x", arrayOf<float>(DType::Float32, {1, 6}, std::vector<float>(6, 0.0f)));
  options.expected.emplace("q", arrayOf<float>(DType::Float32, {1, 8}, {2, 2, 2, 2, 2, 2, 0, 0}));
  expectRunsWithAndWithoutMovePad(kText, {{"T", 1}}, options);
}

// C04: nvFuser's test NotMergeNegativePad, openxla/xla#48715. The sum over the result is left out.
TEST(PadAndCat, ACropThenAPadBringsNothingBack) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<int32_t>(DType::Int32, {1, 2}, {669, -763}));
  options.expected.emplace("b", arrayOf<int32_t>(DType::Int32, {1, 2}, {0, -763}));
  expectRunsWithAndWithoutMovePad(R"(
fusion f(x: i32[1, 2]) {
  a = pad(x, widths=[-1, 0])
  b = pad(a, widths=[1, 0])
  return b
})",
                                  {}, options);
}

// C06: nvFuser's test CascadePadCase1.
TEST(PadAndCat, PadsOfDifferentValuesStayTwo) {
  constexpr uint16_t kHalfOne = 0x3c00;
  RunOptions options;
  std::vector<uint16_t> x(40), b(6 * 13, 0);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint16_t>(0x4000 + i);
  for (size_t row = 0; row < 6; ++row) {
    b[row * 13] = kHalfOne;
    for (size_t column = 0; row >= 1 && row < 5 && column < 10; ++column) {
      b[row * 13 + 1 + column] = x[(row - 1) * 10 + column];
    }
  }
  options.arrays.emplace("x", arrayOf(DType::Float16, {4, 10}, x));
  options.expected.emplace("b", arrayOf(DType::Float16, {6, 13}, b));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f16[4, 10]) {
  a = pad(x, widths=[0, 2, 1, 1])
  b = pad(a, widths=[1, 0], value=1.0)
  return b
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C07: nvFuser's test CascadePadCase2. The host executor checks that each element is written exactly once.
TEST(PadAndCat, EveryPadOfAChainMayBeAnOutput) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[4, 10]) {
  a = pad(x, widths=[0, 2, 1, 1])
  b = pad(a, widths=[0, 0, 4, 0])
  c = pad(b, widths=[1, 0])
  return a, b, c
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

constexpr const char* kStencil = R"(
fusion f(x: f32[N]) {
  a = pad(x, widths=[0, 1])
  b = pad(x, widths=[1, 0])
  o = add(a, b)
  return o
})";

// C08: nvFuser's test DISABLED_Pad8.
TEST(PadAndCat, OppositePadsOfOneTensorMakeAStencil) {
  expectOneKernel(kStencil, "N", {0, 1, 2, 3, 4, 5, 999, 1024});
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint32_t>(DType::Float32, {1}, {kMinusZero}));
  options.expected.emplace("o", arrayOf<uint32_t>(DType::Float32, {2}, {0, 0}));
  expectRunsWithAndWithoutMovePad(kStencil, {{"N", 1}}, options);
}

// C09: nvFuser's test PadReplayOnMultipleUsesCase1.
TEST(PadAndCat, AProducerOfACatMayHaveOtherUses) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[4, 10], y: f32[4, 10]) {
  r = relu(x)
  n = neg(r)
  s = sin(r)
  u = add(n, s)
  o = cat(u, y, dim=0)
  w = sin(r)
  return o, w
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

TEST(PadAndCat, ReluOfANanIsANan) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint32_t>(DType::Float32, {4}, {kNan, kNegativeNan, kMinusInf, kMinusZero}));
  options.expected.emplace("o", arrayOf<uint32_t>(DType::Float32, {4}, {kNan, kNan, 0, 0}));
  expectRunsBitwise("fusion f(x: f32[4]) { o = relu(x)  return o }", {}, options);
}

// C10: NVIDIA/Fuser#3597.
TEST(PadAndCat, APadOfASliceWithSymbolicBoundsKeepsTheAxesApart) {
  for (const int64_t m : {1, 2, 5}) {
    for (const int64_t n : {1, 2, 3, 4, 5, 8, 33}) {
      const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[M, N], y: f32[M - 1, N]) {
  a = slice(x, start=[1, 0], stop=[M, N])
  b = add(a, y)
  o = pad(b, widths=[0, 1])
  return o
})",
                                                           {{"M", m}, {"N", n}});
      ASSERT_NE(program, nullptr);
      EXPECT_EQ(program->kernels(), 1);
    }
  }
}

// C11: nvFuser's test BinaryBroadcastOnCatDim.
TEST(PadAndCat, TheAxisOfACatMayBeABroadcastOne) {
  RunOptions options;
  std::vector<uint32_t> y(20, kMinusZero);
  y[3] = kNegativeNan;
  y[17] = kNan;
  options.arrays.emplace("y", arrayOf(DType::Float32, {2, 10}, y));
  options.arrays.emplace("x", arrayOf(DType::Float32, {4, 10}, std::vector<float>(40, 2.0f)));
  options.arrays.emplace("b", arrayOf(DType::Float32, {10}, std::vector<float>(10, 1.5f)));
  std::vector<uint32_t> o = y;
  o.resize(60, std::bit_cast<uint32_t>(3.5f));
  options.expected.emplace("o", arrayOf(DType::Float32, {6, 10}, o));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[4, 10], b: f32[10], y: f32[2, 10]) {
  s = add(x, b)
  o = cat(y, s, dim=0)
  return o
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C13: NVIDIA/Fuser#1277.
TEST(PadAndCat, OppositePadsMeetWhereOneInputIsExpandedByItsStrides) {
  for (const int64_t a : {1, 3}) {
    for (const int64_t c : {1, 4, 5}) {
      const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[A, B, C, 4] strides(0, 0, 4, 1), y: f32[A, B, C, 12]) {
  p = pad(y, widths=[4, 0])
  q = pad(x, widths=[0, 12])
  o = add(p, q)
  return o
})",
                                                           {{"A", a}, {"B", 2}, {"C", c}});
      ASSERT_NE(program, nullptr);
      EXPECT_EQ(program->kernels(), 1);
      EXPECT_EQ(loadBytes(*program, "x"), std::set<int64_t>{16});
      EXPECT_EQ(storeBytes(*program, "o"), std::set<int64_t>{16});
    }
  }
}

// C17: NVIDIA/Fuser#224, NVIDIA/Fuser#868.
TEST(PadAndCat, AnExpandedAxisIsNotBroadcastOverThePadding) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<float>(DType::Float32, {1, 2}, {5, 6}));
  options.arrays.emplace("y", arrayOf<float>(DType::Float32, {3, 2}, {1, 2, 3, 4, 7, 8}));
  options.expected.emplace("o", arrayOf<float>(DType::Float32, {7, 2}, {5, 6, 5, 6, 5, 6, 5, 6, 1, 2, 3, 4, 7, 8}));
  options.expected.emplace("p", arrayOf<float>(DType::Float32, {6, 2}, {0, 0, 5, 6, 5, 6, 5, 6, 5, 6, 0, 0}));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[1, 2], y: f32[3, 2]) {
  e = expand(x, shape=[4, 2])
  o = cat(e, y, dim=0)
  p = pad(e, widths=[0, 0, 1, 1])
  return o, p
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C18: NVIDIA/Fuser#596, pytorch/pytorch#96484.
TEST(PadAndCat, AnAxisCroppedToTheConstantOneBroadcasts) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<float>(DType::Float32, {2}, {3, 100}));
  options.arrays.emplace("y", arrayOf<float>(DType::Float32, {3}, {1, 2, -4}));
  options.expected.emplace("o", arrayOf<float>(DType::Float32, {3}, {3, 6, -12}));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[2], y: f32[3]) {
  a = pad(x, widths=[0, -1])
  o = mul(y, a)
  return o
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C18, its twin.
TEST(PadAndCat, AnAxisCroppedToASymbolThatIsOneDoesNotBroadcast) {
  constexpr const char* kText = R"(
fusion f(x: f32[N], y: f32[3]) {
  a = pad(x, widths=[0, -1])
  o = mul(y, a)
  return o
})";
  expectRunsWithAndWithoutMovePad(kText, {{"N", 4}});
  const Error error = HostRun(kText, {{"N", 2}}).failure();
  EXPECT_EQ(error.code(), ErrorCode::ConstraintFailed);
  EXPECT_EQ(error.what(), std::string("3 == N - 1 must hold, but N - 1 is 1\n"
                                      "note: mul: axis 0 differs: y: f32[3], a: f32[N - 1]\n"
                                      "note: N is 2 by what was given"));
}

// C19: NVIDIA/Fuser#1221. The sum over the axis of one element is left out.
TEST(PadAndCat, AnAxisSlicedToOneGrowsBackByAPad) {
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[12, 64]) {
  v = reshape(x, shape=[12, 32, 2])
  a = slice(v, start=[0, 0, 1], stop=[12, 32, 2])
  n = neg(a)
  g = pad(a, widths=[1, 0])
  return n, g
})",
                                                       {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
}

// C21: pytorch/pytorch#144462.
TEST(PadAndCat, APadOfOneElementIsNoBroadcast) {
  RunOptions options;
  std::vector<float> o(21, 0.0f);
  o[10] = 7.0f;
  options.arrays.emplace("x", arrayOf<float>(DType::Float32, {1, 1, 1}, {7}));
  options.expected.emplace("o", arrayOf(DType::Float32, {1, 1, 21}, o));
  expectRunsWithAndWithoutMovePad("fusion f(x: f32[1, 1, 1]) { o = pad(x, widths=[10, 10], value=0.0)  return o }", {},
                                  options);
}

// C22: pytorch/pytorch#195582, pytorch/pytorch#194558.
TEST(PadAndCat, ACropOfAFlattenedTensorIsAStridedRead) {
  RunOptions options;
  std::vector<float> x(1350), o(150);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (size_t i = 0; i < o.size(); ++i) o[i] = static_cast<float>(2 * (i / 50 * 450 + i % 50));
  options.arrays.emplace("x", arrayOf(DType::Float32, {3, 50, 3, 3}, x));
  options.expected.emplace("o", arrayOf(DType::Float32, {3, 50}, o));
  const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: f32[3, 50, 3, 3]) {
  f = reshape(x, shape=[3, 450])
  p = pad(f, widths=[0, -400])
  o = mul(p, 2.0)
  return o
})",
                                                       {}, options);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  EXPECT_EQ(loadBytes(*program, "x"), std::set<int64_t>{8});  // rows begin at 450 r, runs are 50 long
}

}  // namespace
}  // namespace braid::test
