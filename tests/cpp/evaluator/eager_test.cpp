// The reference evaluator gives what PyTorch eager gives: one test a fixture.

#include <gtest/gtest.h>

#include "support/fixture.h"

namespace braid::test {
namespace {

class Eager : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Eager, GivesTheSame) {
  const Fixture fixture = readFixture(GetParam());
  expectAsEager(fixture, evaluator::evaluate(fixture.fusion, fixture.arguments));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Eager, ::testing::ValuesIn(fixtureFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace braid::test
