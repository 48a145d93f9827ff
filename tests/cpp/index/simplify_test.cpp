#include "simplify.h"

#include <gtest/gtest.h>

namespace braid::index::test {
namespace {

// --- sums and products

TEST(Simplify, CollectsLikeTerms) {
  EXPECT_EQ(simplified("a + 2 * b + a - b - 3 + 5"), "a * 2 + b + 2");
  EXPECT_EQ(simplified("a - a"), "0");
  EXPECT_EQ(simplified("(a + b) * (a - b)"), "a * a - b * b");
  EXPECT_EQ(simplified("1 * x + 0 * y"), "x");
}

TEST(Simplify, OrdersTermsByDeclaration) {
  EXPECT_EQ(simplified("512 + d + t * 6144 + T * b * 6144", "b, T, t, d"), "b * T * 6144 + t * 6144 + d + 512");
}

TEST(Simplify, JoinsAQuotientAndItsRemainder) {
  EXPECT_EQ(simplified("x // 8 * 8 + x % 8"), "x");
  EXPECT_EQ(simplified("x // 8 * 24 + x % 8 * 3 + y"), "x * 3 + y");
  EXPECT_EQ(simplified("x // 6 * 6 + x // 3 % 2 * 3 + x % 3"), "x");
  EXPECT_EQ(simplified("b * (x // 4) * 16 + b * (x % 4) * 4"), "b * x * 4");
  EXPECT_EQ(simplified("(x + y) // 8 * 8 + (x + y) % 8"), "x + y");
  EXPECT_EQ(simplified("(x + 3) // 8 * 8 + (x + 3) % 8"), "x + 3");
  EXPECT_EQ(simplified("x // n * n + x % n", "1 <= n"), "x");
  EXPECT_EQ(simplified("x // (n * 4) * n * 4 + x // 4 % n * 4 + x % 4", "1 <= n"), "x");
  EXPECT_EQ(simplified("x // n * n + x % n"), "x");  // for every n, since x % 0 is x
}

TEST(Simplify, KeepsAQuotientAndTheRemainderOfAnother) {
  EXPECT_EQ(simplified("x // 8 * 8 + y % 8"), "x // 8 * 8 + y % 8");
  EXPECT_EQ(simplified("x // 8 * 4 + x % 8"), "x // 8 * 4 + x % 8");
  EXPECT_EQ(simplified("x // 8 * -8 + x % 8"), "x % 8 - x // 8 * 8");
}

TEST(Simplify, UndoesAnExactDivision) {
  EXPECT_EQ(simplified("T // 8 * 8", "T % 8 == 0"), "T");
  EXPECT_EQ(simplified("T // 8 * 2", "T % 8 == 0"), "T // 4");
  EXPECT_EQ(simplified("T // 8 * 8", "T % 4 == 0"), "T // 8 * 8");
}

// --- division

TEST(Simplify, DropsARemainderThatStaysBelowTheDivisor) {
  EXPECT_EQ(simplified("(a * 8 + b) // 8", "a, 0 <= b < 8"), "a");
  EXPECT_EQ(simplified("(a * 8 + b) % 8", "a, 0 <= b < 8"), "b");
}

TEST(Simplify, KeepsARemainderThatMayReachTheDivisor) {
  EXPECT_EQ(simplified("(a * 8 + b) // 8", "a, 0 <= b < 9"), "a + b // 8");
  EXPECT_EQ(simplified("(a * 8 + b) % 8", "a, 0 <= b < 9"), "b % 8");
  EXPECT_EQ(simplified("(a * 8 + b) // 8", "a, -1 <= b < 8"), "a + b // 8");
}

TEST(Simplify, DividesByASymbolThatALoopVariableProvesPositive) {
  const char* facts = "0 <= T, b, 0 <= t < T";
  EXPECT_EQ(simplified("(b * T + t) // T", facts), "b");
  EXPECT_EQ(simplified("(b * T + t) % T", facts), "t");
  EXPECT_EQ(simplified("t // T", facts), "0");
}

TEST(Simplify, DoesNotDivideByASymbolThatMayBeZero) {
  const char* facts = "0 <= T, b, 0 <= t < T";
  EXPECT_EQ(simplified("(b * T) // T", facts), "T * b // T");
  EXPECT_EQ(simplified("(b * T) // T", "1 <= T, b"), "b");
  EXPECT_EQ(simplified("(b * T + t) // T", "0 <= T, b, t"), "(T * b + t) // T");
}

TEST(Simplify, DelinearisesWhatWasLinearised) {
  const char* facts = "0 <= B, 0 <= T, 0 <= b < B, 0 <= h < 16, 0 <= t < T, 0 <= d < 32";
  const std::string linear = "(b * 16 * T * 32 + h * T * 32 + t * 32 + d)";
  EXPECT_EQ(simplified(linear + " // 32", facts), "T * b * 16 + T * h + t");
  EXPECT_EQ(simplified(linear + " % 32", facts), "d");
  EXPECT_EQ(simplified(linear + " // (T * 32)", facts), "b * 16 + h");
  EXPECT_EQ(simplified(linear + " % (T * 32)", facts), "t * 32 + d");
  EXPECT_EQ(simplified(linear + " // (16 * T * 32)", facts), "b");
  EXPECT_EQ(simplified(linear + " % (16 * T * 32)", facts), "T * h * 32 + t * 32 + d");
  EXPECT_EQ(simplified(linear + " // 32 % T", facts), "t");
  EXPECT_EQ(simplified(linear + " // (T * 32) % 16", facts), "h");
  EXPECT_EQ(simplified(linear + " % (B * 16 * T * 32) - " + linear, facts), "0");
}

TEST(Simplify, DelinearisesSymbolicExtentsOnly) {
  const char* facts = "0 <= H, 0 <= T, 0 <= D, b, 0 <= h < H, 0 <= t < T, 0 <= d < D";
  const std::string linear = "(b * H * T * D + h * T * D + t * D + d)";
  EXPECT_EQ(simplified(linear + " // (T * D) % H", facts), "h");
  EXPECT_EQ(simplified(linear + " // D % T", facts), "t");
  EXPECT_EQ(simplified(linear + " // (H * T * D)", facts), "b");
  EXPECT_EQ(simplified(linear + " % (H * T * D) // D", facts), "T * h + t");
}

TEST(Simplify, DividesByASumOfExtents) {
  const char* facts = "0 <= T, b, 0 <= p < T + 2";
  EXPECT_EQ(simplified("(b * (T + 2) + p) // (T + 2)", facts), "b");
  EXPECT_EQ(simplified("(b * (T + 2) + p) % (T + 2)", facts), "p");
  EXPECT_EQ(simplified("p // (T + 1)", facts), "p // (T + 1)");
}

TEST(Simplify, DividesAFlippedIndex) {
  const char* facts = "0 <= H, 0 <= T, 0 <= h < H, 0 <= t < T";
  EXPECT_EQ(simplified("((H - 1 - h) * T + T - 1 - t) // T", facts), "H - h - 1");
  EXPECT_EQ(simplified("((H - 1 - h) * T + T - 1 - t) % T", facts), "T - t - 1");
  EXPECT_EQ(simplified("(x * 32 + 31 - y * 8 - l) // 8", "x, 0 <= y < 4, 0 <= l < 8"), "x * 4 - y + 3");
}

TEST(Simplify, ReducesByACommonFactor) {
  EXPECT_EQ(simplified("(8 * a + b) // 32", "a, 0 <= b < 8"), "a // 4");
  EXPECT_EQ(simplified("(8 * a + l) % 32", "a, 0 <= l < 8"), "a % 4 * 8 + l");
  EXPECT_EQ(simplified("(8 * a + b) // 32", "a, 0 <= b < 9"), "(a * 8 + b) // 32");
  EXPECT_EQ(simplified("(T * a + t) // (T * 4)", "0 <= T, a, 0 <= t < T"), "a // 4");
  EXPECT_EQ(simplified("(T * a + t) % (T * 4)", "0 <= T, a, 0 <= t < T"), "T * (a % 4) + t");
}

TEST(Simplify, SeparatesConstants) {
  EXPECT_EQ(simplified("(x + 40) // 32"), "(x + 8) // 32 + 1");
  EXPECT_EQ(simplified("(x - 8) % 32"), "(x + 24) % 32");
  EXPECT_EQ(simplified("(a * 8 + b + 7) // 8", "a, 1 <= b < 9"), "a + 1");
}

TEST(Simplify, NestsDivisions) {
  EXPECT_EQ(simplified("x // 4 // 8"), "x // 32");
  EXPECT_EQ(simplified("(x // 4 + 3) // 8"), "(x + 12) // 32");
  EXPECT_EQ(simplified("x % 32 // 8"), "x // 8 % 4");
  EXPECT_EQ(simplified("x % 32 % 8"), "x % 8");
  EXPECT_EQ(simplified("(x % 32 + y) % 8"), "(x + y) % 8");
  EXPECT_EQ(simplified("x % 12 // 8"), "x % 12 // 8");
  EXPECT_EQ(simplified("x // m // n", "1 <= m, 1 <= n"), "x // (m * n)");
  EXPECT_EQ(simplified("x // m // n", "0 <= m, 1 <= n"), "x // m // n");
}

TEST(Simplify, UsesDivisorsOfSymbols) {
  EXPECT_EQ(simplified("(a * T + v * 8 + l) // 8", "0 <= T, T % 8 == 0, a, v, 0 <= l < 8"), "T // 8 * a + v");
  EXPECT_EQ(simplified("(a * T + v * 8 + l) % 8", "0 <= T, T % 8 == 0, a, v, 0 <= l < 8"), "l");
  EXPECT_EQ(simplified("(a * T + l) % 8", "0 <= T, T % 4 == 0, a, 0 <= l < 4"), "T * a % 8 + l");
  EXPECT_EQ(simplified("T % 8", "T % 16 == 0"), "0");
}

TEST(Simplify, DividesByNegativeConstantsAsPythonDoes) {
  EXPECT_EQ(simplified("-7 // 2"), "-4");
  EXPECT_EQ(simplified("-7 % 2"), "1");
  EXPECT_EQ(simplified("7 // (-2)"), "-4");
  EXPECT_EQ(simplified("7 % (-2)"), "-1");
  EXPECT_EQ(simplified("x // (-4)", "0 <= x < 4"), "-x // 4");
  EXPECT_EQ(simplified("x // 0"), "0");
  EXPECT_EQ(simplified("x % 0"), "x");
}

// --- conditions and selects

TEST(Simplify, ReducesComparisonsByLanes) {
  EXPECT_EQ(simplified("8 * v + l < 64", "v, 0 <= l < 8"), "v < 8");
  EXPECT_EQ(simplified("8 * v + l < 60", "v, 0 <= l < 8"), "v * 8 + l < 60");
  EXPECT_EQ(simplified("8 * v + l < 60", "v, 0 <= l < 4"), "v < 8");
  EXPECT_EQ(simplified("h * T + t < 5 * T", "0 <= T, h, 0 <= t < T"), "h < 5");
  EXPECT_EQ(simplified("4 * v < 6"), "v < 2");
}

TEST(Simplify, DecidesComparisons) {
  EXPECT_EQ(simplified("d < 64", "0 <= d < 64"), "1");
  EXPECT_EQ(simplified("d < 0", "0 <= d < 64"), "0");
  EXPECT_EQ(simplified("d < 63", "0 <= d < 64"), "d < 63");
  EXPECT_EQ(simplified("t * 32 + d < T * 32", "0 <= T, 0 <= t < T, 0 <= d < 32"), "1");
  EXPECT_EQ(simplified("t * 32 + d < T * 32", "0 <= T, 0 <= t < T, 0 <= d < 33"), "t * 32 + d < T * 32");
  EXPECT_EQ(simplified("h * T + t < H * T", "0 <= H, 0 <= T, 0 <= h < H, 0 <= t < T"), "1");
  EXPECT_EQ(simplified("v * 8 + l < T", "0 <= T, 0 <= v < T // 8, 0 <= l < 8"), "1");
  EXPECT_EQ(simplified("a == a + 1"), "0");
  EXPECT_EQ(simplified("2 * a == 2 * b + 1"), "0");
  EXPECT_EQ(simplified("2 * a == 2 * b + 4"), "a == b + 2");
}

TEST(Simplify, WritesComparisonsNaturally) {
  EXPECT_EQ(simplified("d - 64 < 0"), "d < 64");
  EXPECT_EQ(simplified("64 - d < 0"), "64 < d");
  EXPECT_EQ(simplified("d >= 64"), "63 < d");
  EXPECT_EQ(simplified("d <= 64"), "d < 65");
  EXPECT_EQ(simplified("t + 3 < T", "T, t"), "t < T - 3");
  EXPECT_EQ(simplified("!(a < b)"), "b < a + 1");
  EXPECT_EQ(simplified("a != b"), "!(a == b)");
}

TEST(Simplify, FoldsJunctions) {
  EXPECT_EQ(simplified("a < 4 && a < 4"), "a < 4");
  EXPECT_EQ(simplified("a < 4 && a < 6"), "a < 4");
  EXPECT_EQ(simplified("a < 4 || a < 6"), "a < 6");
  EXPECT_EQ(simplified("a < 4 && a >= 4"), "0");
  EXPECT_EQ(simplified("a < 4 || a >= 4"), "1");
  EXPECT_EQ(simplified("a < 4 && a >= 9"), "0");
  EXPECT_EQ(simplified("a < 4 || a >= 9"), "a < 4 || 8 < a");
  EXPECT_EQ(simplified("a == b || a != b"), "1");
  EXPECT_EQ(simplified("!(a < 4 && b < 4)"), "3 < a || 3 < b");
  EXPECT_EQ(simplified("a < 4 && 1 < 2"), "a < 4");
}

TEST(Simplify, FoldsSelects) {
  EXPECT_EQ(simplified("select(1 < 2, a, b)"), "a");
  EXPECT_EQ(simplified("select(a < 4, b, b)"), "b");
  EXPECT_EQ(simplified("select(a >= 4, b, c)"), "select(a < 4, c, b)");
  EXPECT_EQ(simplified("select(!(a == 4), b, c)"), "select(a == 4, c, b)");
  EXPECT_EQ(simplified("select(a < 4, select(a < 6, b, c), d)"), "select(a < 4, b, d)");
  EXPECT_EQ(simplified("select(a < 4, b, select(a < 2, c, d))"), "select(a < 4, b, d)");
  EXPECT_EQ(simplified("select(a < 4, b, select(a < 6, c, d))", "a, b, c, d"), "select(a < 4, b, select(a < 6, c, d))");
  EXPECT_EQ(simplified("select(d < 64, d + 64, d - 64)"), "d + select(d < 64, 64, -64)");
  EXPECT_EQ(simplified("select(a < 4, 1, 0)"), "a < 4");
}

TEST(Simplify, FoldsMinimaAndMaxima) {
  EXPECT_EQ(simplified("min(a, a + 1)"), "a");
  EXPECT_EQ(simplified("max(a, a + 1, 3)", "0 <= a < 3"), "3");
  EXPECT_EQ(simplified("max(a, 0)", "0 <= a"), "a");
  EXPECT_EQ(simplified("min(t + 1, T)", "T, 0 <= t < T"), "t + 1");
  EXPECT_EQ(simplified("min(a, b, min(c, 4), 7)", "a, b, c"), "min(a, b, c, 4)");
}

}  // namespace
}  // namespace braid::index::test
