#pragma once
// The programs of examples/, for tests that hold for all of them.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace braid::test {

/// Paths of all example fusions, sorted.
inline std::vector<std::filesystem::path> exampleFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BRAID_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() == ".fusion") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace braid::test
