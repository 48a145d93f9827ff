#include "codegen/index_text.h"

#include <gtest/gtest.h>

#include "support/hand_kernel.h"

namespace braid::test {
namespace {

using codegen::IndexText;
using codegen::Preamble;

/// Symbols: T and U are sizes, T is a listed divisor; n may be negative, t and u may not.
struct Printed : HandKernel {
  explicit Printed(IndexWidth width = IndexWidth::Bits32)
      : HandKernel("printed"), preamble(width), text(kernel, width, preamble) {
    const IndexExpr T = size("T");
    const index::Range natural{0, std::nullopt};
    text.bind(T, "T");
    text.bind(size("U"), "U");
    text.bindDivisor(T, "T_div");
    text.bind(arena().symbol("n"), "n");
    text.bind(arena().symbol("t", {.range = natural, .exclusiveUpper = std::nullopt, .divisor = 1}), "t");
    text.bind(arena().symbol("u", {.range = natural, .exclusiveUpper = std::nullopt, .divisor = 1}), "u");
  }
  std::string integer(const std::string& source) { return text.integer(arena().parse(source)); }
  std::string condition(const std::string& source) { return text.condition(arena().parse(source)); }

  Preamble preamble;
  IndexText text;
};

TEST(IndexText, PrintsSumsAndProductsWithoutNeedlessParentheses) {
  Printed p;
  EXPECT_EQ(p.integer("(t * 8 + u) * T"), "T * t * 8 + T * u");
  EXPECT_EQ(p.integer("t - 64"), "t - 64");
  EXPECT_EQ(p.integer("t - u * 4"), "t - u * 4");
  EXPECT_EQ(p.integer("0 - t"), "-t");
  EXPECT_EQ(p.text.factor(p.arena().parse("t + 1")), "(t + 1)");
  EXPECT_EQ(p.text.factor(p.arena().parse("t * 8")), "t * 8");
}

TEST(IndexText, DividesByPowersOfTwoWithShiftsWhateverTheSign) {
  Printed p;
  EXPECT_EQ(p.integer("n // 8"), "n >> 3");
  EXPECT_EQ(p.integer("n % 8 * 4 + t"), "(n & 7) * 4 + t");
  EXPECT_EQ(p.integer("(n + 1) // 8 + t"), "((n + 1) >> 3) + t");
}

TEST(IndexText, DividesByOtherConstantsByMultiplication) {
  Printed p;
  EXPECT_EQ(p.integer("t // 3"), "const_div(t, 3)");
  EXPECT_EQ(p.integer("t % 3"), "const_mod(t, 3)");
  EXPECT_EQ(p.integer("n // 3"), "floor_const_div(n, 3)");
  EXPECT_EQ(p.integer("n % 3"), "floor_const_mod(n, 3)");
}

TEST(IndexText, DividesByListedSizesWithTheLaunchsMultipliers) {
  Printed p;
  EXPECT_EQ(p.integer("t // T"), "fast_div(t, T_div)");
  EXPECT_EQ(p.integer("t % T"), "fast_mod(t, T_div)");
  EXPECT_EQ(p.integer("n // T"), "floor_fast_div(n, T_div)");
  EXPECT_EQ(p.integer("t // U"), "floor_div_index(t, U)");
}

TEST(IndexText, PrintsConditionsAsCppDoes) {
  Printed p;
  EXPECT_EQ(p.condition("n < 4 && t == u"), "n < 4 && t == u");
  EXPECT_EQ(p.condition("!(n == 4)"), "n != 4");
  EXPECT_EQ(p.text.condition(p.arena().truth(true)), "true");
  EXPECT_EQ(p.integer("select(n < 4, t, u) + 1"), "(n < 4 ? t : u) + 1");
  EXPECT_EQ(p.integer("min(t, 8)"), "min_index(t, 8)");
}

TEST(IndexText, NegatesANamedCondition) {
  Printed p;
  const IndexExpr inside = p.arena().symbol("inside", {.range = {0, 1}, .exclusiveUpper = std::nullopt, .divisor = 1});
  p.text.bind(inside, "inside");
  p.text.markCondition(inside);
  EXPECT_EQ(p.text.condition(inside), "inside");
  EXPECT_EQ(p.text.condition(p.arena().logicalNot(inside)), "!inside");
}

TEST(IndexText, SpellsTheLowestIntegers) {
  Printed narrow;
  EXPECT_EQ(narrow.text.integer(narrow.constant(INT32_MIN)), "(-2147483647 - 1)");
  Printed wide(IndexWidth::Bits64);
  EXPECT_EQ(wide.text.integer(wide.constant(INT32_MIN)), "-2147483648");
  EXPECT_EQ(wide.text.integer(wide.constant(INT64_MIN)), "(-9223372036854775807LL - 1)");
}

TEST(Preamble, HoldsWhatIsUsedInOneOrder) {
  Preamble a(IndexWidth::Bits32);
  a.use("pack_bf16");
  a.use("fast_mod");
  Preamble b(IndexWidth::Bits32);
  b.use("fast_mod");
  b.use("pack_bf16");
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(Preamble(IndexWidth::Bits32).text(), "");
  Preamble wide(IndexWidth::Bits64);
  wide.use("fast_div");
  EXPECT_EQ(
      wide.text(),
      "#define DEVICE static __device__ __forceinline__\n"
      "struct Divisor { unsigned long long divisor, multiplier, shift; };\n"
      "DEVICE long long fast_div(long long n, Divisor d) {\n"
      "  return (long long)((__umul64hi((unsigned long long)n, d.multiplier) + (unsigned long long)n) >> d.shift);\n"
      "}\n");
}

}  // namespace
}  // namespace braid::test
