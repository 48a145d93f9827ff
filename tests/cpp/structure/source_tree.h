#pragma once
// The repository's own files, as the tests of its structure read them.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace braid::test {

inline std::filesystem::path sourceRoot() { return BRAID_SOURCE_DIR; }

/// Sources and headers below a folder of the repository, sorted, relative to the root.
inline std::vector<std::filesystem::path> sourcesBelow(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sourceRoot() / folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cpp") {
      files.push_back(std::filesystem::relative(entry.path(), sourceRoot()));
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<std::string> linesOf(const std::filesystem::path& file) {
  std::ifstream stream(sourceRoot() / file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace braid::test
