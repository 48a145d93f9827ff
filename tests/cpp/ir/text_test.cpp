// The text form: what is printed parses back to the same fusion, and means what was written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "braid/error.h"
#include "ir/text.h"

namespace braid::ir {
namespace {

using ::testing::HasSubstr;

std::string readFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Programs between ``` lines of a page.
std::vector<std::string> programsOf(const std::filesystem::path& page) {
  std::istringstream lines(readFile(page));
  std::vector<std::string> programs;
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("```", 0) == 0) {
      if (inside && block.find("fusion ") != std::string::npos) programs.push_back(block);
      block.clear();
      inside = !inside;
    } else if (inside) {
      block += line + "\n";
    }
  }
  return programs;
}

void expectRoundTrip(const std::string& text) {
  SCOPED_TRACE(text);
  try {
    const Fusion fusion = parse(text);
    const std::string printed = print(fusion);
    const Fusion again = parse(printed);
    EXPECT_TRUE(again == fusion) << printed;
    EXPECT_EQ(print(again), printed);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
}

TEST(Text, OfTheManualParsesAndComesBack) {
  const std::vector<std::string> programs = programsOf(std::filesystem::path(BRAID_SOURCE_DIR) / "docs/text_form.md");
  EXPECT_GE(programs.size(), 6u);
  for (const std::string& program : programs) expectRoundTrip(program);
}

TEST(Text, OfTheManualIsPrintedAsTheManualSays) {
  const std::vector<std::string> programs = programsOf(std::filesystem::path(BRAID_SOURCE_DIR) / "docs/text_form.md");
  const auto written = std::find_if(programs.begin(), programs.end(),
                                    [](const auto& each) { return each.rfind("fusion nested", 0) == 0; });
  ASSERT_LT(written + 1, programs.end());
  EXPECT_EQ(print(parse(*written)), *(written + 1));
}

TEST(Text, OfExamplesAndFixturesComesBack) {
  int count = 0;
  for (const char* folder : {"examples", "tests/fixtures"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BRAID_SOURCE_DIR) / folder)) {
      if (entry.path().extension() != ".fusion") continue;
      expectRoundTrip(readFile(entry.path()));
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

std::string printed(const std::string& text) { return print(parse(text)); }

TEST(Text, SpaceLineEndsAndCommentsDoNotMatter) {
  EXPECT_EQ(printed("fusion f(x:f32[4]){y=neg(x)return y}"),
            printed("# a comment\nfusion f ( x : f32 [ 4 ] ) { # here too\n\n y =\n neg ( x )\r\n\treturn y }\n"));
}

TEST(Text, NumbersComeBackToTheBit) {
  for (const char* number : {"-0.0", "0.0", "inf", "-inf", "nan", "1e-310", "1.7976931348623157e308", "0.1",
                             "0x1.999999999999ap-4", "-0x1p-1074", "3e0", "100.0"}) {
    const std::string text =
        std::string("fusion f(x: f64[4]) { y = pad(x, widths=[1, 0], value=") + number + ") return y }";
    expectRoundTrip(text);
  }
  const std::string zero = printed("fusion f(x: f64[4]) { y = pad(x, widths=[1, 0], value=-0.0) return y }");
  EXPECT_THAT(zero, HasSubstr("value=-0.0"));
  for (const char* number : {"0", "-1", "9223372036854775807", "-9223372036854775808", "true"}) {
    expectRoundTrip(std::string("fusion f(x: i64[4]) { y = add(x, ") + number + ") return y }");
  }
}

TEST(Text, ExtentsAreExpressions) {
  const Fusion fusion = parse("fusion f(x: f32[2*T, (T + 3) // 4, T % 5 - 1 + 2, K]) { return x }");
  Extents shape = fusion.tensor(fusion.inputs()[0].value).shape();
  EXPECT_EQ(shape[0].evaluate({{"T", 9}}), 18);
  EXPECT_EQ(shape[1].evaluate({{"T", 9}}), 3);
  EXPECT_EQ(shape[2].evaluate({{"T", 9}}), 5);
  EXPECT_EQ(fusion.symbols(), (std::vector<std::string>{"T", "K"}));
}

TEST(Text, UnnamedResultsGetStableNames) {
  const std::string text = printed("fusion f(x: f32[4]) { y = add(neg(neg(x)), mul(x, x)) return y }");
  EXPECT_EQ(text, printed("fusion f(x: f32[4]) { y = add(neg(neg(x)), mul(x, x)) return y }"));
  EXPECT_THAT(text, HasSubstr("neg_1: f32[4] = neg(x)\n"));
  EXPECT_THAT(text, HasSubstr("neg_2: f32[4] = neg(neg_1)\n"));
}

TEST(Text, AGivenNameIsNeverTakenByAnUnnamedResult) {
  expectRoundTrip("fusion f(neg_1: f32[4]) { y = abs(neg(neg_1)) return y }");
  expectRoundTrip("fusion f(x: f32[4]) { y = abs(neg(x)) neg_1 = exp(neg(y)) return neg_1 }");
  expectRoundTrip("fusion f(x: i32[4]) { y = sin(x) x.f32 = exp(y) return x.f32 }");
  const Fusion fusion = parse("fusion f(x: f32[4]) { y = abs(neg(x)) neg_1 = exp(neg(y)) return neg_1 }");
  EXPECT_EQ(fusion.outputs()[0].name, "neg_1");
  EXPECT_EQ(nameOf(fusion.definition(*fusion.find("neg_1"))->op), "exp");
}

TEST(Text, AnOutputMayBeReturnedTwice) {
  const Fusion fusion = parse("fusion f(x: f32[4]) { y = neg(x) return y, y, z = y, x }");
  std::vector<std::string> names;
  for (const Output& output : fusion.outputs()) names.push_back(output.name);
  EXPECT_EQ(names, (std::vector<std::string>{"y", "y_2", "z", "x"}));
}

TEST(Text, AWrittenTypeIsChecked) {
  EXPECT_NO_THROW(parse("fusion f(x: f32[T]) { y: f32[T] = neg(x) return y }"));
  EXPECT_THROW(parse("fusion f(x: f32[T]) { y: f32[S] = neg(x) return y }"), Error);
  EXPECT_THROW(parse("fusion f(x: f32[T]) { y: f16[T] = neg(x) return y }"), Error);
}

struct Wrong {
  const char* what;
  const char* text;
  const char* says;
};

class WrongText : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongText, SaysWhereAndWhatWasExpected) {
  try {
    parse(GetParam().text, "t");
    ADD_FAILURE() << "parses";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, WrongText,
    ::testing::Values(
        Wrong{"nothing", "", "t:1:1: expected 'fusion' at the start"},
        Wrong{"no_name", "fusion (", "t:1:8: expected the fusion's name"},
        Wrong{"dtype", "fusion f(x: f8[2]) { return x }", "t:1:13: expected a dtype"},
        Wrong{"no_return", "fusion f(x: f32[2]) { }", "t:1:23: expected a statement or 'return'"},
        Wrong{"no_brace", "fusion f(x: f32[2]) { return x", "expected '}'"},
        Wrong{"text_after_the_end", "fusion f(x: f32[2]) { return x } y", "t:1:34: expected the end"},
        Wrong{"taken_name", "fusion f(x: f32[2]) { x = neg(x) return x }", "x"},
        Wrong{"name_of_an_extent", "fusion f(T: f32[T]) { return T }", "T"},
        Wrong{"taken_output", "fusion f(x: f32[2]) { y = neg(x) return x = y, x = y }", "x"},
        Wrong{"names", "fusion f(x: f32[4]) { a, b = chunk(x, chunks=4, dim=0) return a }",
              "chunk: gives 4 results, 2 names are given"},
        Wrong{"attribute_first", "fusion f(x: f32[4]) { y = cat(dim=0, x) return y }", "operands come first"},
        Wrong{"attribute_twice", "fusion f(x: f32[4]) { y = cat(x, dim=0, dim=0) return y }", "expected dim once"},
        Wrong{"attribute_missing", "fusion f(x: f32[4]) { y = cat(x, x) return y }", "expected dim= in cat"},
        Wrong{"big_number", "fusion f(x: f32[99999999999999999999]) { return x }", "t:1:17"},
        Wrong{"negative_extent", "fusion f(x: f32[-3]) { return x }", "-3"},
        Wrong{"bad_character", "fusion f(x: f32[4]) { y = neg(x); return y }", "t:1:33"}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(Text, DeepNestingIsAnErrorNotACrash) {
  std::string text = "fusion f(x: f32[1]) { y = ";
  for (int i = 0; i < 100000; ++i) text += "neg(";
  EXPECT_THROW(parse(text), Error);
}

}  // namespace
}  // namespace braid::ir
