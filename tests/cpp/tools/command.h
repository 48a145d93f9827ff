#pragma once
// The `braid` command, run as a user runs it.

#include <filesystem>
#include <string>
#include <vector>

namespace braid::test {

struct CommandResult {
  int status = -1;
  std::string out, err;
};

/// Runs `braid` with these arguments in the folder.
CommandResult runBraid(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

/// A folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }

 private:
  std::filesystem::path path_;
};

}  // namespace braid::test
