#include "runtime/driver_api.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "braid/error.h"
#include "runtime/shared_library.h"

namespace braid::runtime::cuda {
namespace {

struct Opened {
  std::optional<Driver> driver;
  std::string reason;
};

Opened open() {
  Opened result;
  std::string tried;
  const auto library = SharedLibrary::open({std::begin(kDriverLibraries), std::end(kDriverLibraries)}, &tried);
  if (!library) {
    result.reason = "the CUDA driver (libcuda.so.1) was not found; tried" + tried;
    return result;
  }
  Driver driver;
  std::string missing;
#define BRAID_CUDA_BIND(member, symbol, parameters)                                 \
  driver.member = reinterpret_cast<decltype(driver.member)>(library->find(symbol)); \
  if (driver.member == nullptr && missing.empty()) missing = symbol;
  BRAID_CUDA_DRIVER_FUNCTIONS(BRAID_CUDA_BIND)
#undef BRAID_CUDA_BIND
  if (!missing.empty()) {
    result.reason = fmt::format("{} has no {}; Braid needs the driver of CUDA 12 or later", library->path(), missing);
    return result;
  }
  if (const Result initialised = driver.init(0); initialised != kSuccess) {
    const char* text = nullptr;
    driver.getErrorString(initialised, &text);
    result.reason = fmt::format("the CUDA driver does not start: {}", text != nullptr ? text : "unknown error");
    return result;
  }
  result.driver = driver;
  return result;
}

/// Opened once; a constant from then on.
const Opened& opened() {
  static const Opened kOpened = open();
  return kOpened;
}

}  // namespace

const Driver* findDriver(std::string* reason) {
  if (reason != nullptr) *reason = opened().reason;
  return opened().driver ? &*opened().driver : nullptr;
}

const Driver& driver() {
  if (!opened().driver) throw Error(ErrorCode::Unavailable, opened().reason);
  return *opened().driver;
}

std::string describe(Result result) {
  const char* name = nullptr;
  const char* text = nullptr;
  driver().getErrorName(result, &name);
  driver().getErrorString(result, &text);
  return fmt::format("{} ({})", name != nullptr ? name : std::to_string(result), text != nullptr ? text : "unknown");
}

void check(Result result, const char* what) {
  if (result != kSuccess) throw Error(ErrorCode::Cuda, fmt::format("{}: {}", what, describe(result)));
}

}  // namespace braid::runtime::cuda
