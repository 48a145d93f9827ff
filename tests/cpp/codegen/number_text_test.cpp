#include "codegen/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace braid::codegen {
namespace {

using ir::Scalar;

TEST(NumberText, ReadsBackBitForBit) {
  EXPECT_EQ(numberText(Scalar::real(0.1), DType::Float32), "0.1f");
  EXPECT_EQ(numberText(Scalar::real(0.1), DType::Float64), "0.1");
  EXPECT_EQ(numberText(Scalar::integral(3), DType::Float32), "3.0f");
  EXPECT_EQ(numberText(Scalar::real(-0.0), DType::Float32), "(-0.0f)");
  EXPECT_EQ(numberText(Scalar::real(1e20), DType::Float32), "1e+20f");
  EXPECT_EQ(numberText(Scalar::real(INFINITY), DType::Float32), "__uint_as_float(0x7f800000u)");
  EXPECT_EQ(numberText(Scalar::real(-INFINITY), DType::Float64), "__longlong_as_double(0xfff0000000000000ULL)");
  EXPECT_EQ(numberText(Scalar::real(1e-45), DType::Float32), "__uint_as_float(0x1u)");
}

TEST(NumberText, ComputesHalvesInFloat) { EXPECT_EQ(numberText(Scalar::real(0.1), DType::BFloat16), "0.1f"); }

TEST(NumberText, SpellsTheLowestIntegers) {
  EXPECT_EQ(numberText(Scalar::integral(INT32_MIN), DType::Int32), "(-2147483647 - 1)");
  EXPECT_EQ(numberText(Scalar::integral(INT64_MIN), DType::Int64), "(-9223372036854775807LL - 1)");
  EXPECT_EQ(numberText(Scalar::integral(-5), DType::Int64), "(-5LL)");
  EXPECT_EQ(numberText(Scalar::integral(300), DType::UInt8), "44");
}

TEST(NumberText, RoundsElementsOfHalvesToNearestEven) {
  EXPECT_EQ(halfElement(Scalar::real(1.0), DType::BFloat16), 0x3f80);
  EXPECT_EQ(halfElement(Scalar::real(1.00390625), DType::BFloat16), 0x3f80);  // halfway, down to even
  EXPECT_EQ(halfElement(Scalar::real(1.01171875), DType::BFloat16), 0x3f82);  // halfway, up to even
  EXPECT_EQ(halfElement(Scalar::real(NAN), DType::BFloat16) & 0x7fff, 0x7fc0);
  EXPECT_EQ(halfElement(Scalar::real(1.0), DType::Float16), 0x3c00);
  EXPECT_EQ(halfElement(Scalar::real(65519.0), DType::Float16), 0x7bff);
  EXPECT_EQ(halfElement(Scalar::real(65520.0), DType::Float16), 0x7c00);
  EXPECT_EQ(halfElement(Scalar::real(std::ldexp(1.0, -24)), DType::Float16), 0x0001);
  EXPECT_EQ(halfElement(Scalar::real(-std::ldexp(1.0, -25)), DType::Float16), 0x8000);  // halfway, to even zero
  EXPECT_EQ(halfElement(Scalar::real(std::ldexp(1.0, -14)), DType::Float16), 0x0400);
}

TEST(NumberText, KnowsWhichNumbersAHalfHolds) {
  EXPECT_TRUE(isExactHalf(Scalar::real(0.5), DType::BFloat16));
  EXPECT_TRUE(isExactHalf(Scalar::real(-0.0), DType::Float16));
  EXPECT_TRUE(isExactHalf(Scalar::integral(2048), DType::Float16));
  EXPECT_FALSE(isExactHalf(Scalar::integral(2049), DType::Float16));
  EXPECT_FALSE(isExactHalf(Scalar::real(0.1), DType::BFloat16));
  EXPECT_FALSE(isExactHalf(Scalar::real(1e30), DType::Float16));
}

}  // namespace
}  // namespace braid::codegen
