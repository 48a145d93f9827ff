#pragma once
// The one exception type of Braid.

#include <stdexcept>
#include <string>
#include <vector>

namespace braid {

/// Stable: a value never changes its meaning, new ones are appended.
enum class ErrorCode : int {
  Parse = 1,            ///< text that does not parse (fusion, schedule, extent, command line value)
  UnknownName = 2,      ///< a value, extent, op, tensor or attribute that does not exist
  InvalidArgument = 3,  ///< an argument that no tensor could make right
  InvalidRank = 4,
  InvalidDType = 5,
  ShapeMismatch = 6,     ///< extents that must be equal and are not
  InvalidExtent = 7,     ///< a slice, pad or reshape that does not fit the extents
  ConstraintFailed = 8,  ///< a `where` constraint of the fusion that the arguments do not satisfy
  InvalidStrides = 9,
  Aliasing = 10,     ///< buffers that overlap and must not
  Unavailable = 11,  ///< no GPU, no driver, no NVRTC, an architecture it does not know
  File = 12,         ///< a file that cannot be read or written, or does not hold what it should
  CheckFailed = 13,  ///< the checking host executor found a wrong access
  Cuda = 14,         ///< the driver reported an error
  Internal = 15,     ///< a defect of Braid
};

/// What was wrong in the user's own names, and, in notes, what would be right.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code), message_(message) {}

  ErrorCode code() const { return code_; }
  /// The message without its notes.
  const std::string& message() const { return message_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// "error: …" and one "note: …" line each.
  const char* what() const noexcept override { return whole_.empty() ? std::runtime_error::what() : whole_.c_str(); }

  /// Adds a note and returns the error, so that `throw Error(…).note(…)` reads in one line.
  Error& note(const std::string& text) {
    notes_.push_back(text);
    whole_ = message_;
    for (const std::string& each : notes_) whole_ += "\nnote: " + each;
    return *this;
  }

 private:
  ErrorCode code_;
  std::string message_;
  std::string whole_;
  std::vector<std::string> notes_;
};

}  // namespace braid
