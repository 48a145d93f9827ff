// One test a golden text, named after its file.

#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.h"

namespace braid::test {
namespace {

class GoldenText : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenText, IsWhatThePassMakes) { expectGolden(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Passes, GoldenText, ::testing::ValuesIn(goldenFiles()), [](const auto& info) {
  std::string name = info.param.parent_path().string() + "_" + info.param.stem().string();
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace braid::test
