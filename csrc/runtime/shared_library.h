#pragma once
// Libraries that are opened when they are first needed.

#include <optional>
#include <string>
#include <vector>

namespace braid::runtime {

/// An open library. It is never closed: what came out of it may outlive any scope.
class SharedLibrary {
 public:
  /// The first of the candidates that opens; nothing, and in `reason` what was tried and why each failed, if none does.
  static std::optional<SharedLibrary> open(const std::vector<std::string>& candidates, std::string* reason);
  /// The address of a function, or null.
  void* find(const char* name) const;
  /// The candidate that opened.
  const std::string& path() const { return path_; }

 private:
  SharedLibrary(void* handle, std::string path) : handle_(handle), path_(std::move(path)) {}
  void* handle_;
  std::string path_;
};

}  // namespace braid::runtime
