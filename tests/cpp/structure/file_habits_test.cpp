// Habits that a test can see: short files, names that say what a file is about, passes listed where they live.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "preseg_passes/passes.h"
#include "structure/source_tree.h"

namespace braid::test {
namespace {

constexpr size_t kMostLines = 1000;

std::vector<std::filesystem::path> allSources() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"csrc", "tools", "tests/cpp", "benchmarks", "examples"}) {
    for (const auto& file : sourcesBelow(folder)) files.push_back(file);
  }
  return files;
}

TEST(Files, AreShort) {
  std::vector<std::pair<size_t, std::string>> lengths;
  for (const auto& file : allSources()) lengths.emplace_back(linesOf(file).size(), file.string());
  std::sort(lengths.rbegin(), lengths.rend());
  for (size_t i = 0; i < 10 && i < lengths.size(); ++i) {
    std::printf("  %4zu lines  %s\n", lengths[i].first, lengths[i].second.c_str());
  }
  ASSERT_FALSE(lengths.empty());
  EXPECT_LE(lengths[0].first, kMostLines) << lengths[0].second;
}

TEST(Files, AreNamedAfterAnIdea) {
  for (const auto& file : allSources()) {
    EXPECT_EQ(file.filename().string().find("util"), std::string::npos) << file << ": which idea is it about?";
  }
}

TEST(Files, HaveGuardedHeaders) {
  for (const auto& file : allSources()) {
    if (file.extension() != ".h") continue;
    const auto lines = linesOf(file);
    ASSERT_FALSE(lines.empty()) << file;
    EXPECT_EQ(lines[0], "#pragma once") << file;
  }
}

TEST(Passes, AreTheFilesOfTheirRoom) {
  const std::set<std::string> helpers = {"run", "pad_widths"};
  std::set<std::string> files, listed;
  for (const auto& file : sourcesBelow("csrc/preseg_passes")) {
    if (file.extension() == ".cpp" && !helpers.contains(file.stem().string())) files.insert(file.stem().string());
  }
  for (const preseg::PassInfo& pass : preseg::kPasses) listed.emplace(pass.name);
  EXPECT_EQ(files, listed);
}

TEST(Passes, HaveGoldenTexts) {
  for (const preseg::PassInfo& pass : preseg::kPasses) {
    const auto folder = sourceRoot() / "tests/cpp/golden" / pass.name;
    EXPECT_TRUE(std::filesystem::exists(folder)) << "no golden texts of " << pass.name;
  }
}

}  // namespace
}  // namespace braid::test
