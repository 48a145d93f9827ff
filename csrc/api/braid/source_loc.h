#pragma once
// Where in the user's program a call was written. clang 14 rejects std::source_location with libstdc++ 12, hence this.

#include <cstdint>

namespace braid {

struct SourceLoc {
  const char* file = "";
  uint32_t line = 0;

  /// As a default argument: the place of the call.
  static constexpr SourceLoc here(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace braid
