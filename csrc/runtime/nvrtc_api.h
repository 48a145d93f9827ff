#pragma once
// NVRTC, opened at run time: compiles CUDA text without a GPU.

#include <string>
#include <vector>

namespace braid::runtime {

enum class Artifact { Ptx, Cubin };

struct Compilation {
  std::string image;  ///< PTX text or cubin bytes
  std::string log;    ///< compiler messages; for cubin: register and spill report of ptxas where available
};

/// Where NVRTC is looked for, in order: BRAID_NVRTC (a path; then nothing else), the loader's own search, CUDA_HOME and
/// CUDA_PATH, /usr/local/cuda*, and the NVIDIA wheels under the directories of BRAID_PYTHON_SITE (a colon list).
std::vector<std::string> nvrtcCandidates();

/// True when NVRTC could be opened; `reason` says why not, and where it was looked for.
bool nvrtcAvailable(std::string* reason = nullptr);
/// "13.0"; part of cache keys. Throws Error(Unavailable) without NVRTC.
std::string nvrtcVersion();
/// The architectures that this NVRTC compiles for, ascending: 80 for sm_80.
std::vector<int> nvrtcArchitectures();

/// The options of every compilation but for the architecture: IEEE arithmetic, no FMA contraction. Part of cache keys.
std::vector<std::string> nvrtcOptions();

/// `arch` as in "sm_90". No FMA contraction. Throws Error(Unavailable) without NVRTC or for an architecture that it
/// does not know, Error(Internal) with the log when the text does not compile.
Compilation compileCuda(const std::string& text, const std::string& name, const std::string& arch, Artifact artifact);

}  // namespace braid::runtime
