#pragma once
// Runs kernels on a GPU. kernel_executor.h has the interface; here is what only a GPU has.

#include <memory>
#include <string>

#include "runtime/kernel_executor.h"

namespace braid::runtime {

struct CudaOptions {
  /// Where compiled kernels are kept between processes; empty: BRAID_CACHE_DIR if it is set, else nowhere.
  std::string cacheDirectory;
};

/// What a compiled kernel takes of a multiprocessor.
struct KernelResources {
  int registers = 0;
  int localBytes = 0;
  int sharedBytes = 0;
};

/// Thread-safe. Creates no CUDA context before the first launch or allocation: then it uses the caller's context where
/// one of this device is current, else the device's primary context. A launch neither allocates nor synchronises, so it
/// may be captured into a graph, also the first one of a kernel, which compiles it.
class CudaExecutor : public KernelExecutor {
 public:
  /// Compiles and loads a kernel that has not been launched yet, and says what it takes.
  virtual KernelResources prepare(const device_lower::Kernel& kernel, device_lower::IndexWidth width) = 0;
  /// "sm_90"
  virtual std::string architecture() const = 0;
};

/// Throws Error(Unavailable) saying what is missing: the driver, NVRTC, that device, or compute capability 8.0.
std::unique_ptr<CudaExecutor> makeCudaExecutor(int device, const CudaOptions& options);

}  // namespace braid::runtime
