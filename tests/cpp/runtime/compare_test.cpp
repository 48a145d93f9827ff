// Comparing results, and the inputs that are drawn for it.

#include "runtime/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "braid/error.h"
#include "ir/text.h"
#include "runtime/compare_scaled.h"
#include "runtime/draw_inputs.h"
#include "support/run_fusion.h"

namespace braid::runtime {
namespace {

using evaluator::HostArray;
using test::arrayOf;
using ::testing::HasSubstr;

HostArray floats(const std::vector<float>& values) {
  return arrayOf(DType::Float32, {static_cast<int64_t>(values.size())}, values);
}
HostArray bits(const std::vector<uint32_t>& values) {
  return arrayOf(DType::Float32, {static_cast<int64_t>(values.size())}, values);
}

TEST(Compare, CountsDifferences) {
  const Comparison result = compareBitwise(floats({1, 2, 3, 4}), floats({1, 2.5f, 3, 5}), NanRule::AnyNan);
  EXPECT_FALSE(result.equal);
  EXPECT_EQ(result.elements, 4);
  EXPECT_EQ(result.differences, 2);
  EXPECT_EQ(result.firstDifference, 1);
  EXPECT_EQ(result.maxAbsDiff, 1);
}

TEST(Compare, TellsZerosApart) { EXPECT_FALSE(compareBitwise(floats({0.0f}), floats({-0.0f}), NanRule::AnyNan).equal); }

TEST(Compare, TellsNansApartWhereOnlyMovesLieBetween) {
  const HostArray a = bits({0x7fc00000}), b = bits({0x7fc00001});
  EXPECT_TRUE(compareBitwise(a, b, NanRule::AnyNan).equal);
  EXPECT_FALSE(compareBitwise(a, b, NanRule::Bitwise).equal);
  EXPECT_FALSE(compareBitwise(a, floats({1}), NanRule::AnyNan).equal);
  const ir::Fusion fusion =
      ir::parse("fusion f(x: f32[4]) { a = flip(x, dims=[0]) b = add(x, 1) c = set(cat(a, x, dim=0)) return a, b, c }");
  EXPECT_EQ(nanRuleOf(fusion, fusion.outputs()[0]), NanRule::Bitwise);
  EXPECT_EQ(nanRuleOf(fusion, fusion.outputs()[1]), NanRule::AnyNan);
  EXPECT_EQ(nanRuleOf(fusion, fusion.outputs()[2]), NanRule::Bitwise);
}

TEST(Compare, LooksThroughStrides) {
  HostArray column = floats({1, 9, 2, 9});
  const HostArray view(DType::Float32, {2}, {2}, column.storage(), 0);
  EXPECT_TRUE(compareBitwise(view, floats({1, 2}), NanRule::AnyNan).equal);
  EXPECT_THROW(compareBitwise(view, floats({1, 2, 3}), NanRule::AnyNan), Error);
}

TEST(Compare, DescribesTheFirstDifference) {
  const HostArray a = arrayOf<float>(DType::Float32, {2, 2}, {1, 2, 3, 4});
  const HostArray b = arrayOf<float>(DType::Float32, {2, 2}, {1, 2, -3, 4});
  EXPECT_THAT(describe(compareBitwise(a, b, NanRule::AnyNan), a, b),
              HasSubstr("1 of 4 elements differ, first at [1, 0]: 3 (0x40400000), expected -3 (0xc0400000)"));
}

TEST(CompareScaled, MeasuresInTheLastPlaceOfTheLargestValue) {
  const float ulp = std::ldexp(1.0f, -21);  // of 4
  EXPECT_TRUE(compareScaled(floats({4, ulp}), floats({4, 0}), 1).equal);
  EXPECT_FALSE(compareScaled(floats({4, 2.5f * ulp}), floats({4, 0}), 2).equal);
  EXPECT_FALSE(compareScaled(floats({NAN}), floats({1}), 1e6).equal);
  EXPECT_FALSE(compareScaled(floats({INFINITY, 1}), floats({3e38f, 1}), 1e6).equal);
  EXPECT_TRUE(compareScaled(floats({NAN, INFINITY}), floats({NAN, INFINITY}), 0).equal);
}

TEST(CompareScaled, OnlyForFunctionsThatAGpuRoundsItsOwnWay) {
  EXPECT_TRUE(roundsInexactly(ir::parse("fusion f(x: f32[4]) { o = sin(x) return o }")));
  EXPECT_TRUE(roundsInexactly(ir::parse("fusion f(x: f32[4]) { o = pow(x, 2.5) return o }")));
  EXPECT_FALSE(roundsInexactly(ir::parse("fusion f(x: f32[4]) { o = rsqrt(div(x, 3)) return o }")));
  EXPECT_FALSE(roundsInexactly(ir::parse("fusion f(x: i32[4]) { o = pow(x, 2) return o }")));
}

TEST(DrawInput, IsTheSameTensorInEveryLayout) {
  for (const DType dtype : {DType::Bool, DType::Int8, DType::Int64, DType::BFloat16, DType::Float64}) {
    const HostArray plain = drawInput(dtype, {3, 4}, {}, 0, 5, true);
    for (const auto& [strides, offset] : {std::pair<std::vector<int64_t>, int64_t>{{1, 3}, 0}, {{9, 2}, 7}}) {
      const HostArray other = drawInput(dtype, {3, 4}, strides, offset, 5, true);
      EXPECT_EQ(other.strides(), strides);
      EXPECT_EQ(other.packed(), plain.packed()) << nameOf(dtype);
    }
  }
}

TEST(DrawInput, RepeatsAlongStrideZero) {
  const HostArray array = drawInput(DType::Float32, {3, 2}, {0, 1}, 0, 5, false);
  const std::vector<std::byte> bytes = array.packed();
  EXPECT_EQ(std::memcmp(&bytes[0], &bytes[8], 8), 0);
}

TEST(DrawInput, SeedsAndNamesDiffer) {
  const auto drawn = [](uint64_t seed) { return drawInput(DType::Float32, {16}, {}, 0, seed, false).packed(); };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
  EXPECT_NE(inputSeed(1, "x"), inputSeed(1, "y"));
}

TEST(DrawInput, MixesInSpecialValues) {
  const HostArray array = drawInput(DType::Float32, {4096}, {}, 0, 1, true);
  const auto* values = reinterpret_cast<const float*>(array.data());
  int nans = 0, infinities = 0, zeros = 0, minusZeros = 0, denormals = 0;
  for (int64_t i = 0; i < 4096; ++i) {
    nans += std::isnan(values[i]) ? 1 : 0;
    infinities += std::isinf(values[i]) ? 1 : 0;
    if (values[i] == 0) ++(std::signbit(values[i]) ? minusZeros : zeros);
    denormals += std::fpclassify(values[i]) == FP_SUBNORMAL ? 1 : 0;
  }
  for (const int count : {nans, infinities, zeros, minusZeros, denormals}) EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace braid::runtime
