#include "runtime/nvrtc_api.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "braid/error.h"
#include "runtime/shared_library.h"

namespace braid::runtime {
namespace {

// Our own prototypes: the build needs no toolkit, and these have not changed since CUDA 11.2.
using Program = void*;
using Result = int;
constexpr Result kInvalidOption = 5;  // NVRTC_ERROR_INVALID_OPTION
constexpr Result kCompilation = 6;    // NVRTC_ERROR_COMPILATION

struct Nvrtc {
  Result (*version)(int*, int*);
  const char* (*errorString)(Result);
  Result (*createProgram)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  Result (*destroyProgram)(Program*);
  Result (*compileProgram)(Program, int, const char* const*);
  Result (*ptxSize)(Program, size_t*);
  Result (*ptx)(Program, char*);
  Result (*cubinSize)(Program, size_t*);
  Result (*cubin)(Program, char*);
  Result (*logSize)(Program, size_t*);
  Result (*log)(Program, char*);
  Result (*archCount)(int*);
  Result (*archs)(int*);
  std::string path;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Where toolkits and wheels keep their libraries.
std::vector<std::string> directories() {
  std::vector<std::string> result;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string root = environment(name); !root.empty()) result.push_back(root + "/lib64");
  }
  result.emplace_back("/usr/local/cuda/lib64");
  std::error_code ignored;
  std::vector<std::string> toolkits;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", ignored)) {
    const std::string path = entry.path().string();
    if (path.starts_with("/usr/local/cuda-")) toolkits.push_back(path + "/lib64");
  }
  std::sort(toolkits.rbegin(), toolkits.rend());  // newest first
  result.insert(result.end(), toolkits.begin(), toolkits.end());
  std::string sites = environment("BRAID_PYTHON_SITE");
  while (!sites.empty()) {
    const size_t end = std::min(sites.find(':'), sites.size());
    const std::string site = sites.substr(0, end);
    sites.erase(0, end + 1);
    if (site.empty()) continue;
    for (const char* wheel : {"/nvidia/cu13/lib", "/nvidia/cuda_nvrtc/lib"}) result.push_back(site + wheel);
  }
  return result;
}

template <class Function>
bool bind(const SharedLibrary& library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(library.find(name));
  if (function == nullptr) missing = name;
  return function != nullptr;
}

struct Opened {
  std::optional<Nvrtc> api;
  std::string reason;
};

Opened open() {
  Opened result;
  std::string tried;
  const auto library = SharedLibrary::open(nvrtcCandidates(), &tried);
  if (!library) {
    result.reason = fmt::format("NVRTC (libnvrtc.so) was not found; tried{}\n  and the directories {}", tried,
                                fmt::join(directories(), ", "));
    return result;
  }
  Nvrtc api{};
  api.path = library->path();
  std::string missing;
  const bool whole = bind(*library, "nvrtcVersion", api.version, missing) &&
                     bind(*library, "nvrtcGetErrorString", api.errorString, missing) &&
                     bind(*library, "nvrtcCreateProgram", api.createProgram, missing) &&
                     bind(*library, "nvrtcDestroyProgram", api.destroyProgram, missing) &&
                     bind(*library, "nvrtcCompileProgram", api.compileProgram, missing) &&
                     bind(*library, "nvrtcGetPTXSize", api.ptxSize, missing) &&
                     bind(*library, "nvrtcGetPTX", api.ptx, missing) &&
                     bind(*library, "nvrtcGetCUBINSize", api.cubinSize, missing) &&
                     bind(*library, "nvrtcGetCUBIN", api.cubin, missing) &&
                     bind(*library, "nvrtcGetProgramLogSize", api.logSize, missing) &&
                     bind(*library, "nvrtcGetProgramLog", api.log, missing) &&
                     bind(*library, "nvrtcGetNumSupportedArchs", api.archCount, missing) &&
                     bind(*library, "nvrtcGetSupportedArchs", api.archs, missing);
  if (whole) {
    result.api = std::move(api);
  } else {
    result.reason = fmt::format("{} has no {}; Braid needs NVRTC of CUDA 12 or 13", library->path(), missing);
  }
  return result;
}

/// Opened once; a constant from then on.
const Opened& opened() {
  static const Opened kOpened = open();
  return kOpened;
}

const Nvrtc& nvrtc() {
  if (!opened().api) {
    throw Error(ErrorCode::Unavailable, opened().reason)
        .note("set BRAID_NVRTC to the path of libnvrtc.so, or CUDA_HOME to the toolkit");
  }
  return *opened().api;
}

void check(Result result, const char* call) {
  if (result == 0) return;
  throw Error(ErrorCode::Internal, fmt::format("{} failed: {}", call, nvrtc().errorString(result)));
}

class OwnedProgram {
 public:
  OwnedProgram(const std::string& text, const std::string& name) {
    check(nvrtc().createProgram(&program_, text.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr),
          "nvrtcCreateProgram");
  }
  ~OwnedProgram() { nvrtc().destroyProgram(&program_); }
  OwnedProgram(const OwnedProgram&) = delete;
  OwnedProgram& operator=(const OwnedProgram&) = delete;
  Program get() const { return program_; }

  std::string bytes(Result (*size)(Program, size_t*), Result (*get)(Program, char*), const char* call) const {
    size_t count = 0;
    check(size(program_, &count), call);
    std::string result(count, '\0');
    if (count > 0) check(get(program_, result.data()), call);
    return result;
  }

 private:
  Program program_ = nullptr;
};

void dropTerminator(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

int numberOf(const std::string& arch) {
  const bool known = arch.starts_with("sm_") && arch.size() > 3 &&
                     std::all_of(arch.begin() + 3, arch.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!known) {
    throw Error(ErrorCode::InvalidArgument, fmt::format("'{}' is no architecture", arch))
        .note("an architecture reads sm_90, for compute capability 9.0");
  }
  return std::stoi(arch.substr(3));
}

void checkArchitecture(const std::string& arch) {
  const int number = numberOf(arch);
  const std::vector<int> known = nvrtcArchitectures();
  if (number >= 80 && std::find(known.begin(), known.end(), number) != known.end()) return;
  std::string list;
  for (const int each : known) {
    if (each >= 80) list += fmt::format("{}sm_{}", list.empty() ? "" : ", ", each);
  }
  throw Error(ErrorCode::Unavailable, fmt::format("NVRTC {} cannot compile for {}", nvrtcVersion(), arch))
      .note(fmt::format("it knows {}; Braid needs sm_80 or later", list));
}

}  // namespace

std::vector<std::string> nvrtcCandidates() {
  if (const std::string chosen = environment("BRAID_NVRTC"); !chosen.empty()) return {chosen};
  std::vector<std::string> candidates{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
  // Of the directories only what exists: the others are named in the message together.
  std::error_code ignored;
  for (const std::string& directory : directories()) {
    for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}) {
      const std::string path = directory + "/" + name;
      if (std::filesystem::exists(path, ignored)) candidates.push_back(path);
    }
  }
  return candidates;
}

bool nvrtcAvailable(std::string* reason) {
  if (reason != nullptr) *reason = opened().reason;
  return opened().api.has_value();
}

std::string nvrtcVersion() {
  int major = 0;
  int minor = 0;
  check(nvrtc().version(&major, &minor), "nvrtcVersion");
  return fmt::format("{}.{}", major, minor);
}

std::vector<int> nvrtcArchitectures() {
  int count = 0;
  check(nvrtc().archCount(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> result(static_cast<size_t>(count));
  check(nvrtc().archs(result.data()), "nvrtcGetSupportedArchs");
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> nvrtcOptions() {
  return {"--std=c++17", "--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false", "--ptxas-options=-v"};
}

Compilation compileCuda(const std::string& text, const std::string& name, const std::string& arch, Artifact artifact) {
  checkArchitecture(arch);
  const OwnedProgram program(text, name);
  std::vector<std::string> options = nvrtcOptions();
  options.push_back("--gpu-architecture=" + (artifact == Artifact::Ptx ? "compute_" + arch.substr(3) : arch));
  std::vector<const char*> pointers;
  for (const std::string& option : options) pointers.push_back(option.c_str());
  const Result result = nvrtc().compileProgram(program.get(), static_cast<int>(pointers.size()), pointers.data());
  Compilation compilation;
  compilation.log = program.bytes(nvrtc().logSize, nvrtc().log, "nvrtcGetProgramLog");
  dropTerminator(compilation.log);
  if (result == kCompilation || result == kInvalidOption) {
    throw Error(ErrorCode::Internal,
                fmt::format("the CUDA text of {} does not compile for {} with NVRTC {}", name, arch, nvrtcVersion()))
        .note(compilation.log);
  }
  if (result != 0) {
    // Not the text's fault: most often libnvrtc-builtins is not beside libnvrtc.
    throw Error(ErrorCode::Unavailable,
                fmt::format("NVRTC {} ({}) failed: {}", nvrtcVersion(), nvrtc().path, nvrtc().errorString(result)))
        .note(compilation.log.empty() ? "libnvrtc-builtins must lie in the same directory" : compilation.log);
  }
  if (artifact == Artifact::Ptx) {
    compilation.image = program.bytes(nvrtc().ptxSize, nvrtc().ptx, "nvrtcGetPTX");
    dropTerminator(compilation.image);
  } else {
    compilation.image = program.bytes(nvrtc().cubinSize, nvrtc().cubin, "nvrtcGetCUBIN");
  }
  return compilation;
}

}  // namespace braid::runtime
