// Which runs of lanes become one access.

#include "scheduler/access.h"

#include <gtest/gtest.h>

#include <string>

namespace braid::scheduler {
namespace {

/// Accesses as "lanes 0-7 at a + 8 if p", one a line, for `lanes` lanes of 2-byte elements at `offset`.
class AccessPlan {
 public:
  AccessPlan() {
    row_ = arena_.loopVariable("row", arena_.symbol("T", {.range = {.lo = 1, .hi = {}}, .exclusiveUpper = {}}));
    lane_ = arena_.loopVariable("lane", arena_.constant(8));
  }

  std::string of(const std::string& offset, const std::string& predicate = "", int64_t alignment = 16) {
    AccessRequest request;
    request.places = {{IndexExpr{}, arena_.parse(offset)}};
    if (!predicate.empty()) request.predicate = arena_.parse(predicate);
    return text(request, alignment);
  }

  std::string text(AccessRequest& request, int64_t alignment = 16) {
    request.lane = lane_;
    request.lanes = 8;
    request.elementBytes = 2;
    request.alignmentBytes = alignment;
    std::string result;
    for (const Access& access : planAccesses(arena_, request)) {
      if (!result.empty()) result += "; ";
      result +=
          std::to_string(access.firstLane) + "+" + std::to_string(access.width) + ": " + arena_.text(access.offset);
      if (access.predicate.valid()) result += " if " + arena_.text(access.predicate);
    }
    return result;
  }

  IndexArena& arena() { return arena_; }

 private:
  IndexArena arena_;
  IndexExpr row_, lane_;
};

TEST(Access, ConsecutiveAlignedLanesAreOneAccess) {
  EXPECT_EQ(AccessPlan().of("row * 64 + lane + 8"), "0+8: row * 64 + 8");
}

TEST(Access, AnOffsetThatIsNoMultipleOfTheWidthHalvesIt) {
  EXPECT_EQ(AccessPlan().of("row * 64 + lane + 4"), "0+4: row * 64 + 4; 4+4: row * 64 + 8");
}

TEST(Access, AnOddRowLengthLeavesSingleElements) {
  EXPECT_EQ(AccessPlan().of("row * 7 + lane").substr(0, 40), "0+1: row * 7; 1+1: row * 7 + 1; 2+1: row");
}

TEST(Access, APointerAlignedToEightBytesLimitsTheWidth) {
  EXPECT_EQ(AccessPlan().of("row * 64 + lane", "", 8), "0+4: row * 64; 4+4: row * 64 + 4");
}

TEST(Access, AStridedAxisIsReadElementByElement) {
  EXPECT_EQ(AccessPlan().of("lane * 2").substr(0, 18), "0+1: 0; 1+1: 2; 2+");
}

TEST(Access, APredicateThatIsTheSameForAllLanesKeepsTheAccessWhole) {
  EXPECT_EQ(AccessPlan().of("row * 64 + lane", "row * 8 + lane < 64"), "0+8: row * 64 if row < 8");
}

TEST(Access, APredicateThatChangesInsideTheVectorCutsIt) {
  EXPECT_EQ(AccessPlan().of("row * 64 + lane", "row * 8 + lane < 4"),
            "0+4: row * 64 if row < 1; 4+4: row * 64 + 4 if 0");
}

TEST(Access, TwoPlacesBecomeOneOffsetWithWhatTheyShareOutside) {
  AccessPlan plan;
  AccessRequest request;
  request.places = {{plan.arena().parse("row < 8"), plan.arena().parse("row * 64 + lane + 64")},
                    {IndexExpr{}, plan.arena().parse("row * 64 + lane - 64")}};
  EXPECT_EQ(plan.text(request), "0+8: row * 64 + select(row < 8, 64, -64)");
}

TEST(Access, ThePlaceIsKnownWhereThePredicateDecidesIt) {
  AccessPlan plan;
  AccessRequest request;
  request.places = {{plan.arena().parse("row < 8"), plan.arena().parse("row * 64 + lane + 64")},
                    {IndexExpr{}, plan.arena().parse("row * 64 + lane - 64")}};
  request.predicate = plan.arena().parse("row < 4");
  EXPECT_EQ(plan.text(request), "0+8: row * 64 + 64 if row < 4");
  request.predicate = plan.arena().parse("11 < row");
  EXPECT_EQ(plan.text(request), "0+8: row * 64 - 64 if 11 < row");
}

}  // namespace
}  // namespace braid::scheduler
