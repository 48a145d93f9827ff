// Internal checks say that they are Braid's own, and where.

#include "base/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ids.h"
#include "base/overloaded.h"
#include "braid/error.h"

#include <variant>

namespace braid {
namespace {

using ::testing::HasSubstr;

TEST(Check, PassesWhereTheConditionHolds) { EXPECT_NO_THROW(BRAID_CHECK(1 + 1 == 2, "{}", "arithmetic")); }

TEST(Check, FailsAsADefectOfBraid) {
  try {
    BRAID_CHECK(1 + 1 == 3, "{} is not {}", 2, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Internal);
    EXPECT_THAT(error.what(), HasSubstr("2 is not 3"));
    EXPECT_THAT(error.what(), HasSubstr("1 + 1 == 3"));
    EXPECT_THAT(error.what(), HasSubstr("defect of Braid"));
  }
}

TEST(Check, KeepsTheBuildMachinesPathOut) {
  try {
    failInternalCheck("/somewhere/csrc/ir/fusion.cpp", 7, "x", "y");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("(csrc/ir/fusion.cpp:7"));
    EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("somewhere")));
  }
}

TEST(Id, OfNothingIsInvalid) {
  using Apple = Id<struct AppleTag>;
  EXPECT_FALSE(Apple().valid());
  EXPECT_TRUE(Apple{0}.valid());
  EXPECT_LT(Apple{1}, Apple{2});
  IdMap<Apple, int> prices(3, 5);
  prices[Apple{1}] = 7;
  EXPECT_EQ(prices[Apple{0}] + prices[Apple{1}], 12);
}

TEST(Overloaded, PicksTheAlternative) {
  const std::variant<int, double> value = 2.5;
  EXPECT_EQ(std::visit(overloaded{[](int) { return 1; }, [](double) { return 2; }}, value), 2);
}

TEST(Error, CarriesItsNotes) {
  const Error error = Error(ErrorCode::File, "x cannot be read").note("it is a folder").note("try y");
  EXPECT_EQ(error.message(), "x cannot be read");
  EXPECT_STREQ(error.what(), "x cannot be read\nnote: it is a folder\nnote: try y");
}

}  // namespace
}  // namespace braid
