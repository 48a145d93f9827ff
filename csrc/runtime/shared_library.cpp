#include "runtime/shared_library.h"

#include <dlfcn.h>

namespace braid::runtime {

std::optional<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& candidates, std::string* reason) {
  std::string failures;
  for (const std::string& candidate : candidates) {
    if (void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, candidate);
    const char* why = dlerror();
    failures += "\n  " + candidate + ": " + (why != nullptr ? why : "unknown error");
  }
  if (reason != nullptr) *reason = failures.empty() ? " nothing" : failures;
  return std::nullopt;
}

void* SharedLibrary::find(const char* name) const { return dlsym(handle_, name); }

}  // namespace braid::runtime
