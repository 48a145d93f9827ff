// What eager leaves to the device, Braid fixes: the same values from the evaluator, the host executor and a GPU.
// docs/semantics.md lists them.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/run_fusion.h"

namespace braid::test {
namespace {

using evaluator::HostArray;

template <class T>
constexpr DType kDType = std::is_same_v<T, int8_t>    ? DType::Int8
                         : std::is_same_v<T, uint8_t> ? DType::UInt8
                         : std::is_same_v<T, int16_t> ? DType::Int16
                         : std::is_same_v<T, int32_t> ? DType::Int32
                         : std::is_same_v<T, int64_t> ? DType::Int64
                         : std::is_same_v<T, float>   ? DType::Float32
                                                      : DType::Float64;

template <class T>
HostArray vectorOf(const std::vector<T>& values) {
  return arrayOf(kDType<T>, {static_cast<int64_t>(values.size())}, values);
}

template <class T>
class IntegerEdges : public ::testing::Test {
 protected:
  static constexpr T kMin = std::numeric_limits<T>::min();
  static constexpr T kMax = std::numeric_limits<T>::max();

  /// op(a, b) must give `right`.
  void expect(const std::string& op, const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& right) {
    RunOptions options;
    options.arrays.emplace("a", vectorOf(a));
    options.arrays.emplace("b", vectorOf(b));
    options.expected.emplace("o", vectorOf(right));
    const std::string dtype(nameOf(kDType<T>));
    expectRunsBitwise("fusion f(a: " + dtype + "[N], b: " + dtype + "[N]) { o = " + op + "(a, b) return o }",
                      {{"N", static_cast<int64_t>(a.size())}}, options);
  }
};

using IntegerTypes = ::testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t>;
TYPED_TEST_SUITE(IntegerEdges, IntegerTypes);

TYPED_TEST(IntegerEdges, DivisionByZeroDoesNotTrap) {
  using T = TypeParam;
  const std::vector<T> a = {0, 1, 7, TestFixture::kMin, TestFixture::kMax}, zero(5, 0);
  this->expect("floordiv", a, zero, std::vector<T>(5, static_cast<T>(-1)));
  this->expect("mod", a, zero, a);
  this->expect("fmod", a, zero, a);
}

TYPED_TEST(IntegerEdges, TheLeastNumberByMinusOneWraps) {
  using T = TypeParam;
  if (std::is_unsigned_v<T>) GTEST_SKIP() << "has no -1";
  const auto minusOne = static_cast<T>(-1);
  const T least = TestFixture::kMin;
  this->expect("floordiv", {least, 5}, {minusOne, minusOne}, {least, static_cast<T>(-5)});
  this->expect("mod", {least, 5}, {minusOne, minusOne}, {0, 0});
  this->expect("fmod", {least, 5}, {minusOne, minusOne}, {0, 0});
}

TYPED_TEST(IntegerEdges, ArithmeticWraps) {
  using T = TypeParam;
  const T least = TestFixture::kMin, most = TestFixture::kMax;
  this->expect("add", {most, least}, {1, most}, {least, static_cast<T>(least + most)});
  this->expect("sub", {least}, {1}, {most});
  this->expect("mul", {most}, {2}, {static_cast<T>(-2)});
}

TYPED_TEST(IntegerEdges, AShiftByTooManyBitsOrLessThanNoneShiftsEverythingOut) {
  using T = TypeParam;
  constexpr auto kBits = static_cast<T>(sizeof(T) * 8);
  const T least = TestFixture::kMin;
  this->expect("lshift", {1, 1, 1}, {kBits, static_cast<T>(kBits - 1), 100},
               {0, static_cast<T>(uint64_t{1} << (kBits - 1)), 0});
  const auto sign = static_cast<T>(std::is_signed_v<T> ? -1 : 0);
  this->expect("rshift", {least, 64, 64}, {kBits, kBits, 3}, {sign, 0, 8});
  if (std::is_unsigned_v<T>) return;
  const auto minusOne = static_cast<T>(-1);
  this->expect("lshift", {5}, {minusOne}, {0});
  this->expect("rshift", {5, static_cast<T>(-5)}, {minusOne, minusOne}, {0, minusOne});
}

TYPED_TEST(IntegerEdges, ANegativePowerTruncates) {
  using T = TypeParam;
  if (std::is_unsigned_v<T>) GTEST_SKIP() << "has no negative powers";
  const auto minus = [](int value) { return static_cast<T>(-value); };
  this->expect("pow", {1, minus(1), minus(1), 2, 0}, {minus(3), minus(3), minus(2), minus(1), minus(1)},
               {1, minus(1), 1, 0, 0});
}

/// cast(x) from F to I.
template <class F, class I>
void expectCast(const std::vector<F>& x, const std::vector<I>& right) {
  RunOptions options;
  options.arrays.emplace("x", vectorOf(x));
  options.expected.emplace("o", vectorOf(right));
  expectRunsBitwise("fusion f(x: " + std::string(nameOf(kDType<F>)) +
                        "[N]) { o = cast(x, dtype=" + std::string(nameOf(kDType<I>)) + ") return o }",
                    {{"N", static_cast<int64_t>(x.size())}}, options);
}

template <class F, class I>
void expectSaturation() {
  const F inf = std::numeric_limits<F>::infinity(), nan = std::numeric_limits<F>::quiet_NaN();
  const I least = std::numeric_limits<I>::min(), most = std::numeric_limits<I>::max();
  expectCast<F, I>({nan, inf, -inf, F(1e30), F(-1e30), F(2.9), F(-0.9), F(-0.0)},
                   {0, most, least, most, least, 2, 0, 0});
  // The ends themselves.
  const F end = std::ldexp(F(1), std::numeric_limits<I>::digits);
  expectCast<F, I>({end, std::nextafter(end, F(0)), -end, -end - F(1)},
                   {most, static_cast<I>(std::nextafter(end, F(0))), least, least});
}

TEST(CastEdges, FloatingToIntegerTruncatesAndSaturates) {
  expectSaturation<float, int8_t>();
  expectSaturation<float, int16_t>();
  expectSaturation<float, int32_t>();
  expectSaturation<float, int64_t>();
  expectSaturation<float, uint8_t>();
  expectSaturation<double, int8_t>();
  expectSaturation<double, int16_t>();
  expectSaturation<double, int32_t>();
  expectSaturation<double, int64_t>();
  expectSaturation<double, uint8_t>();
}

TEST(CastEdges, IntegersAreCutToTheirLowBits) {
  expectCast<int64_t, int8_t>({255, 256, -129}, {-1, 0, 127});
  expectCast<int32_t, uint8_t>({-1, 256, 300}, {255, 0, 44});
  expectCast<uint8_t, int8_t>({255, 128}, {-1, -128});
}

TEST(CastEdges, ADoubleIsRoundedToHalfThroughFloat) {
  // 1 + 2^-11 + 2^-30 lies above the tie between 1 and 1 + 2^-10; as a float it is the tie, which goes to the even one.
  RunOptions options;
  options.arrays.emplace("x", vectorOf<double>({1 + 0x1p-11 + 0x1p-30, 1 + 0x1p-11 + 0x1p-20}));
  options.expected.emplace("o", arrayOf<uint16_t>(DType::Float16, {2}, {0x3c00, 0x3c01}));
  expectRunsBitwise("fusion f(x: f64[2]) { o = cast(x, dtype=f16) return o }", {}, options);
}

/// The ops of `text` on f32: inputs x, y and the right o.
void expectFloats(const std::string& text, const std::vector<float>& x, const std::vector<float>& y,
                  const std::vector<float>& right) {
  RunOptions options;
  options.arrays.emplace("x", vectorOf(x));
  options.arrays.emplace("y", vectorOf(y));
  options.expected.emplace("o", vectorOf(right));
  expectRunsBitwise("fusion f(x: f32[N], y: f32[N]) { o = " + text + " return o }",
                    {{"N", static_cast<int64_t>(x.size())}}, options);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(FloatEdges, MinusZeroIsLessThanZero) {
  expectFloats("maximum(x, y)", {-0.0f, 0.0f, -0.0f}, {0.0f, -0.0f, -0.0f}, {0.0f, 0.0f, -0.0f});
  expectFloats("minimum(x, y)", {-0.0f, 0.0f, 0.0f}, {0.0f, -0.0f, 0.0f}, {-0.0f, -0.0f, 0.0f});
  expectFloats("clamp(x, min=0, max=1)", {-0.0f, -1.0f}, {0, 0}, {0.0f, 0.0f});
  expectFloats("relu(x)", {-0.0f, -1.0f, kNan}, {0, 0, 0}, {0.0f, 0.0f, kNan});
}

TEST(FloatEdges, NanPassesThroughMaximumMinimumAndClamp) {
  expectFloats("maximum(x, y)", {kNan, 1, kNan}, {1, kNan, kInf}, {kNan, kNan, kNan});
  expectFloats("minimum(x, y)", {kNan, 1, kNan}, {1, kNan, -kInf}, {kNan, kNan, kNan});
  expectFloats("clamp(x, min=-1, max=1)", {kNan, kInf, -kInf}, {0, 0, 0}, {kNan, 1, -1});
}

TEST(FloatEdges, DivisionRoundsOnce) {
  // By a number too: times the reciprocal gives another last bit.
  expectFloats("div(x, 3)", {5.0f, 1.1f}, {0, 0}, {5.0f / 3.0f, 1.1f / 3.0f});
  expectFloats("div(x, y)", {1, -1, 0, 1e-45f}, {0, 0, 0, 2}, {kInf, -kInf, kNan, 0});
}

TEST(FloatEdges, MultiplyAndAddRoundTwice) {
  // (1 + e)^2 - 1 with e = 2^-12: the product loses 2^-24, which a fused step would keep.
  const float x = 1 + 0x1p-12f;
  expectFloats("sub(mul(x, y), 1)", {x}, {x}, {0x1p-11f});
  expectFloats("addcmul(x, y, y, value=1)", {-1.0f}, {x}, {0x1p-11f});
}

TEST(FloatEdges, LerpReachesItsEnds) {
  expectFloats("lerp(x, y, full(shape=[N], value=1, dtype=f32))", {1e20f, 3}, {1, 0.1f}, {1, 0.1f});
}

TEST(FloatEdges, ModTakesTheSignOfTheDivisor) {
  expectFloats("mod(x, y)", {5, -5, 5, -5, 5}, {3, 3, -3, -3, kInf}, {2, 1, -1, -2, 5});
  expectFloats("fmod(x, y)", {5, -5, 5, -5, 5}, {3, 3, -3, -3, kInf}, {2, -2, 2, -2, 5});
  expectFloats("floordiv(x, y)", {5, -5, 5, -5, 1}, {3, 3, -3, -3, 0}, {1, -2, -2, 1, kInf});
}

TEST(HalfEdges, ANumberIsNotRoundedToTheHalfType) {
  // 0.1 is 0x3dcd as bf16 (0.10009765625), 0x3dcccccd as f32; 1000 times either differ after rounding.
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint16_t>(DType::BFloat16, {1}, {0x447a}));    // 1000
  options.expected.emplace("o", arrayOf<uint16_t>(DType::BFloat16, {1}, {0x42c8}));  // 100
  options.expected.emplace("p", arrayOf<uint16_t>(DType::BFloat16, {2}, {0x447a, 0x3dcd}));
  expectRunsBitwise("fusion f(x: bf16[1]) { o = mul(x, 0.1) p = pad(x, widths=[0, 1], value=0.1) return o, p }", {},
                    options);
}

TEST(HalfEdges, AStepRoundsOnceFromF32) {
  // 256 + 1 = 257 is a tie of bf16 and goes to 256; 257 + 1, if it were kept in f32, would be 258.
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint16_t>(DType::BFloat16, {1}, {0x4380}));
  options.expected.emplace("o", arrayOf<uint16_t>(DType::BFloat16, {1}, {0x4380}));
  expectRunsBitwise("fusion f(x: bf16[1]) { o = add(add(x, 1), 1) return o }", {}, options);
}

TEST(BoolEdges, AnyNumberButZeroIsTrue) {
  RunOptions options;
  options.arrays.emplace("x", vectorOf<float>({0, -0.0f, kNan, 1e-45f, kInf}));
  options.expected.emplace("o", arrayOf<uint8_t>(DType::Bool, {5}, {0, 0, 1, 1, 1}));
  options.expected.emplace("n", arrayOf<uint8_t>(DType::Bool, {5}, {1, 1, 0, 0, 0}));
  expectRunsBitwise("fusion f(x: f32[5]) { o = cast(x, dtype=bool) n = logical_not(x) return o, n }", {}, options);
}

TEST(MoveEdges, PayloadsOfNansArrive) {
  const std::vector<uint32_t> bits = {0x7f800001, 0xffc12345, 0x80000000, 0x00000001};
  RunOptions options;
  HostArray x(DType::Float32, {4});
  std::memcpy(x.data(), bits.data(), 16);
  HostArray right(DType::Float32, {6});
  std::memcpy(right.data(), bits.data(), 16);
  std::memcpy(right.data() + 16, bits.data(), 8);
  options.arrays.emplace("x", x);
  options.expected.emplace("o", right);
  expectRunsBitwise("fusion f(x: f32[4]) { o = cat(x, slice(x, start=[0], stop=[2]), dim=0) return o }", {}, options);
}

}  // namespace
}  // namespace braid::test
