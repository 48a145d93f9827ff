#pragma once
// The one interface behind which kernels run: on a GPU, or interpreted and checked on the host.

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "device_lower/kernel_ir.h"
#include "runtime/launch_plan.h"

namespace braid::runtime {

/// One tensor argument of a launch. `bytes` is what may be touched from `data` on (host executor checks it).
struct TensorArgument {
  void* data = nullptr;
  int64_t bytes = 0;
};

/// Memory that an executor owns; freed with the handle.
using DeviceMemory = std::shared_ptr<void>;

class KernelExecutor {
 public:
  virtual ~KernelExecutor() = default;
  /// "cpu" or "cuda:0 NVIDIA H200".
  virtual std::string describe() const = 0;
  /// Arguments in the order of kernel.tensors and kernel.parameters. `stream` is a CUstream (0: the default stream) and
  /// ignored on the host. Does not synchronise.
  virtual void launch(const device_lower::Kernel& kernel, const LaunchPlan& plan,
                      std::span<const TensorArgument> tensors, std::span<const ir::Scalar> parameters,
                      void* stream) = 0;
  virtual DeviceMemory allocate(int64_t bytes) = 0;
  virtual void copyFromHost(void* target, const void* source, int64_t bytes, void* stream) = 0;
  virtual void copyToHost(void* target, const void* source, int64_t bytes, void* stream) = 0;
  virtual void fill(void* target, unsigned char value, int64_t bytes, void* stream) = 0;
  virtual void synchronize(void* stream) = 0;
};

/// Interprets kernels block by block, all threads of a block in lock step, and checks: every access in bounds and
/// aligned to its width, every lane written before read, every output element written exactly once over the whole
/// launch, no index arithmetic overflow for the plan's width. Throws Error(CheckFailed).
std::unique_ptr<KernelExecutor> makeHostExecutor();

/// Opens the CUDA driver and NVRTC. Throws Error(Unavailable) saying what is missing.
std::unique_ptr<KernelExecutor> makeCudaExecutor(int device);

/// How many CUDA devices there are; 0 (and why, if `reason` is given) without a driver.
int cudaDeviceCount(std::string* reason = nullptr);

}  // namespace braid::runtime
