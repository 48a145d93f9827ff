#include "index/extent.h"

#include <gtest/gtest.h>

#include "braid/error.h"
#include "index/text.h"

namespace braid::index {
namespace {

std::string canonical(std::string_view text) { return Extent::parse(text).text(); }

std::string parseError(std::string_view text) {
  try {
    Extent::parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Parse);
    return error.message();
  }
  return "no error";
}

TEST(Extent, PrintsWhatPeopleWrite) {
  for (const char* text :
       {"T", "0", "T * 2 + 1", "B * T", "F - F // 2", "H // G", "T - 1", "-T", "T % 8", "T // 8 * 8", "B * (T // 8)",
        "min(S, T)", "max(T - 2, 0)", "(T + 7) // 8", "B * T * 768", "5 - T", "-(T // 4)", "T.q * _x"})
    EXPECT_EQ(canonical(text), text);
}

TEST(Extent, IsCanonical) {
  EXPECT_EQ(canonical("F // 2 + (F - F // 2)"), "F");
  EXPECT_EQ(canonical("T * B"), "B * T");
  EXPECT_EQ(canonical("(T + 1) * (T - 1)"), "T * T - 1");
  EXPECT_EQ(canonical("1 + T + T"), "T * 2 + 1");
  EXPECT_EQ(canonical("T // 1 + T % 1"), "T");
  EXPECT_EQ(canonical("(8 * T + 3) // 8"), "T");
  EXPECT_EQ(canonical("(T // 2) // 4"), "T // 8");
  EXPECT_EQ(canonical("T // 8 * 8 + T % 8"), "T");
  EXPECT_EQ(canonical("7 // 2 - 7 % 4 * -3"), "12");
  EXPECT_EQ(canonical("-7 // 2"), "-4");
  EXPECT_EQ(canonical("max(T, 0)"), "T");
  EXPECT_EQ(canonical("min(T + 1, T)"), "T");
}

TEST(Extent, DoesNotDivideByASizeThatMayBeZero) { EXPECT_EQ(canonical("B * T // T"), "B * T // T"); }

TEST(Extent, DividesExactlyWhereAskedTo) {
  EXPECT_EQ(exactQuotient(Extent::parse("B * T * 768"), Extent::parse("B * T"))->text(), "768");
  EXPECT_EQ(exactQuotient(Extent::parse("B * T + B"), Extent::parse("T + 1"))->text(), "B");
  EXPECT_EQ(exactQuotient(Extent(12), Extent(4)), Extent(3));
  EXPECT_FALSE(exactQuotient(Extent::parse("B * T"), Extent::parse("G")));
  EXPECT_FALSE(exactQuotient(Extent::parse("T * 6"), Extent(4)));
}

TEST(Extent, ComparesByContent) {
  const Extent t = Extent::symbol("T"), b = Extent::symbol("B");
  EXPECT_EQ(t * b, b * t);
  EXPECT_EQ((t * b).hash(), (b * t).hash());
  EXPECT_EQ(t + t - t, t);
  EXPECT_NE(t, b);
  EXPECT_EQ(t - t, Extent(0));
  EXPECT_TRUE(Extent(3) < t);
  EXPECT_EQ((t <=> b), std::strong_ordering::greater);
}

TEST(Extent, KnowsItsSymbols) {
  EXPECT_EQ(Extent::parse("T * B + T").symbols(), (std::vector<std::string>{"B", "T"}));
  EXPECT_EQ(Extent::parse("T").asSymbol(), "T");
  EXPECT_EQ(Extent::parse("T + 1").asSymbol(), std::nullopt);
  EXPECT_EQ(Extent(3).asSymbol(), std::nullopt);
}

TEST(Extent, Evaluates) {
  EXPECT_EQ(Extent::parse("T * 2 + B // 3 - B % 3").evaluate({{"T", 5}, {"B", 7}}), 11);
  EXPECT_EQ(Extent::parse("min(T, B) * max(T, B)").evaluate({{"T", 5}, {"B", 7}}), 35);
}

TEST(Extent, RefusesAnUnboundSymbol) {
  try {
    Extent::parse("T + B").evaluate({{"T", 1}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::UnknownName);
    EXPECT_EQ(error.message(), "the extent B has no value");
  }
}

TEST(Extent, RefusesDivisionByZeroAndOverflow) {
  const auto code = [](auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::Internal;
  };
  EXPECT_EQ(code([] { (void)Extent::parse("H // G").evaluate({{"H", 4}, {"G", 0}}); }), ErrorCode::InvalidExtent);
  EXPECT_EQ(code([] { (void)Extent::parse("T // 0"); }), ErrorCode::InvalidExtent);
  EXPECT_EQ(code([] { (void)Extent::parse("T % (2 - 2)"); }), ErrorCode::InvalidExtent);
  EXPECT_EQ(code([] { (void)(Extent(INT64_MAX) + Extent(1)); }), ErrorCode::InvalidExtent);
  EXPECT_EQ(code([] { (void)Extent::parse("T * T").evaluate({{"T", int64_t(1) << 32}}); }), ErrorCode::InvalidExtent);
  EXPECT_EQ(code([] { (void)Extent::parse("9223372036854775807 * 2"); }), ErrorCode::InvalidExtent);
}

TEST(Extent, SubstitutesWhatTheMapHas) {
  const Extent e = Extent::parse("B * T + B // 2");
  EXPECT_EQ(e.substitute({{"T", Extent(3)}}).text(), "B * 3 + B // 2");
  EXPECT_EQ(e.substitute({{"B", Extent(4)}, {"T", Extent::parse("B + 1")}}).text(), "B * 4 + 6");
  EXPECT_EQ(e.substitute({{"X", Extent(3)}}), e);
}

TEST(Extent, KnowsWhatMustBeEqualOrDiffer) {
  const auto parse = [](std::string_view text) { return Extent::parse(text); };
  EXPECT_TRUE(mustEqual(parse("T + T"), parse("2 * T")));
  EXPECT_FALSE(mustEqual(parse("T"), parse("S")));
  EXPECT_TRUE(mustDiffer(parse("T"), parse("T + 1")));
  EXPECT_TRUE(mustDiffer(parse("T * 2"), parse("S * 4 + 1")));
  EXPECT_TRUE(mustDiffer(parse("T + 3"), Extent(2)));
  EXPECT_FALSE(mustDiffer(parse("T"), parse("S")));
  EXPECT_FALSE(mustDiffer(parse("T"), parse("T")));
  EXPECT_FALSE(mustDiffer(parse("T * 2"), Extent(4)));
}

TEST(Extent, SaysWhereATextDoesNotParse) {
  EXPECT_EQ(parseError("T + * 2"), "1:5: expected an integer, a name or '(' before '*'");
  EXPECT_EQ(parseError("(T + 1"), "1:7: expected ')' before the end");
  EXPECT_EQ(parseError("T 2"), "1:3: expected the end of the expression or an operator before '2'");
  EXPECT_EQ(parseError("T +\n  ]"), "2:3: expected an integer, a name or '(' before ']'");
  EXPECT_EQ(parseError(""), "1:1: expected an integer, a name or '(' before the end");
  EXPECT_EQ(parseError("2T"), "1:2: expected an operator after an integer before 'T'");
  EXPECT_EQ(parseError("99999999999999999999"),
            "1:1: expected an integer that fits in 64 bits before '99999999999999999999'");
  EXPECT_EQ(parseError("min(T)"), "1:6: expected ',' and another argument of min before ')'");
  EXPECT_EQ(parseError("T < 2"), "1:3: expected the end of the expression or an operator before '<'");
  EXPECT_EQ(parseError(std::string(10000, '(')).substr(0, 31), "1:257: expected less nesting be");
}

TEST(Extent, IsReadFromTheMiddleOfAText) {
  size_t position = 5;
  const std::string text = "bf16[T * 2 + 1 , 8]";
  EXPECT_EQ(parseExtentPrefix(text, position).text(), "T * 2 + 1");
  EXPECT_EQ(position, 14u);
  position = 17;
  EXPECT_EQ(parseExtentPrefix(text, position), Extent(8));
  EXPECT_EQ(position, 18u);
  position = 0;
  EXPECT_EQ(parseExtentPrefix("T % 8 == 0", position).text(), "T % 8");
  EXPECT_EQ(position, 5u);
}

}  // namespace
}  // namespace braid::index
