#include "base/check.h"

#include <string_view>

#include "braid/error.h"

namespace braid {

void failInternalCheck(const char* file, int line, const char* condition, const std::string& message) {
  std::string_view path = file;
  // The path of the build machine says nothing to a user: keep it from the room on.
  if (const size_t at = path.rfind("csrc/"); at != std::string_view::npos) path = path.substr(at);
  throw Error(ErrorCode::Internal, fmt::format("internal error: {} ({}:{}, {})", message, path, line, condition))
      .note("this is a defect of Braid; the program that caused it is worth a report");
}

}  // namespace braid
