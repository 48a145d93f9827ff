// Under which conditions a node matters.

#include "scheduler/demand.h"

#include <gtest/gtest.h>

namespace braid::scheduler {
namespace {

class DemandTest : public testing::Test {
 protected:
  DemandTest() {
    for (const char* name : {"a", "b"}) arena_.loopVariable(name, arena_.constant(16));
    p_ = arena_.parse("a < 4");
    q_ = arena_.parse("b < 4");
  }
  IndexExpr negated(IndexExpr e) { return arena_.logicalNot(e); }

  IndexArena arena_;
  IndexExpr p_, q_;
};

TEST_F(DemandTest, WantedOnBothSidesOfAConditionIsAlwaysWanted) {
  Demand demand;
  addConjunction(demand, {p_}, arena_);
  addConjunction(demand, {negated(p_)}, arena_);
  EXPECT_EQ(demand, (Demand{{}}));
}

TEST_F(DemandTest, AWeakerConditionAbsorbsAStrongerOne) {
  Demand demand = demandWhere(demandWhere({{}}, p_, arena_), q_, arena_);
  addConjunction(demand, {p_}, arena_);
  EXPECT_EQ(demand, (Demand{{p_}}));
}

TEST_F(DemandTest, WhatContradictsIsNeverWanted) {
  EXPECT_TRUE(demandWhere(demandWhere({{}}, p_, arena_), negated(p_), arena_).empty());
}

TEST_F(DemandTest, AConditionIsImpliedOnlyIfEveryWayImpliesIt) {
  const Demand both = {{p_}, {q_}};
  EXPECT_TRUE(implies({{p_}}, p_, arena_));
  EXPECT_FALSE(implies(both, p_, arena_));
  EXPECT_FALSE(implies({{}}, p_, arena_));
}

TEST_F(DemandTest, AlwaysHasNoCondition) {
  EXPECT_FALSE(demandCondition(arena_, {{}}).valid());
  EXPECT_EQ(demandCondition(arena_, {{p_}}), p_);
}

}  // namespace
}  // namespace braid::scheduler
