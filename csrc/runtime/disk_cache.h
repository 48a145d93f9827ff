#pragma once
// Compiled kernels on disk: one file a key, believed only when everything about it fits.

#include <optional>
#include <string>

namespace braid::runtime {

/// A directory of this user's, where entries of any number of processes live side by side. An entry appears whole or
/// not at all (it is written under another name and renamed). What is corrupt, cut short, of another format or of
/// another key is no entry: it is ignored, and the next write replaces it. Nothing here throws after the constructor; a
/// cache that cannot be used behaves as an empty one.
class DiskCache {
 public:
  /// Creates the directory (mode 700). One that exists must belong to this user and be closed to all others: who can
  /// write there can make us run code. Throws Error(File) otherwise.
  explicit DiskCache(std::string directory);

  /// The bytes written under this key, if they are there and unharmed.
  std::optional<std::string> read(const std::string& key) const;
  /// False if they could not be written.
  bool write(const std::string& key, const std::string& bytes) const;

  const std::string& directory() const { return directory_; }
  /// The file that holds this key.
  std::string pathOf(const std::string& key) const;

 private:
  std::string directory_;
};

}  // namespace braid::runtime
