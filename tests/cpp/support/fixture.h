#pragma once
// Fixtures: programs with the results that PyTorch eager gave for them (tests/fixtures/make_fixtures.py).

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "evaluator/evaluate.h"
#include "ir/fusion.h"

namespace braid::test {

/// How far an output may be from eager's.
struct Tolerance {
  int64_t ulps = 0;        ///< 0: only the sign of a zero may differ
  bool ofLargest = false;  ///< in units of the output's largest value, not of each element
};

struct Fixture {
  ir::Fusion fusion;
  evaluator::Arguments arguments;
  std::map<std::string, evaluator::HostArray> expected;  ///< by output
  std::map<std::string, Tolerance> tolerances;           ///< of outputs that need not be eager's to the bit
};

/// The programs of tests/fixtures, sorted.
std::vector<std::filesystem::path> fixtureFiles();
/// Throws Error where the program and its file of tensors do not fit each other.
Fixture readFixture(const std::filesystem::path& program);

/// The largest distance between two elements, in representable values between them; any NaN is as good as any other.
int64_t ulpsBetween(const evaluator::HostArray& a, const evaluator::HostArray& b);

/// Each output bit for bit as eager's, or within its tolerance, which `deviceUlps` widens for a device with functions
/// of its own.
void expectAsEager(const Fixture& fixture, const std::vector<evaluator::HostArray>& outputs, int64_t deviceUlps = 0);

}  // namespace braid::test
