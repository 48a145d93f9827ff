#include "runtime/cuda_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "braid/error.h"
#include "evaluator/scalar_ops.h"
#include "runtime/cuda_context.h"
#include "runtime/driver_api.h"
#include "runtime/loaded_kernel.h"
#include "runtime/nvrtc_api.h"

namespace braid::runtime {
namespace {

using device_lower::IndexWidth;
using device_lower::Kernel;

cuda::Stream streamOf(void* stream) { return static_cast<cuda::Stream>(stream); }
cuda::DevicePtr pointerOf(const void* data) { return reinterpret_cast<cuda::DevicePtr>(data); }

int attribute(cuda::Device device, cuda::DeviceAttribute which) {
  int value = 0;
  cuda::check(cuda::driver().deviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

/// The arguments of one launch, in the order that device_lower::Kernel documents.
class ArgumentList {
 public:
  ArgumentList(const Kernel& kernel, const LaunchPlan& plan, std::span<const TensorArgument> tensors,
               std::span<const ir::Scalar> parameters) {
    const size_t count =
        tensors.size() + parameters.size() + plan.symbols.size() + plan.divisors.size() + plan.partBlocks.size();
    storage_.reserve(count);  // no slot moves once its address is taken
    pointers_.reserve(count);
    for (const TensorArgument& tensor : tensors) add(tensor.data);
    for (size_t i = 0; i < parameters.size(); ++i) {
      evaluator::storeScalar(parameters[i], kernel.parameters[i].dtype, slot().bytes);
    }
    if (plan.width == IndexWidth::Bits32) {
      for (const int64_t symbol : plan.symbols) add(static_cast<int32_t>(symbol));
      for (const int64_t divisor : plan.divisors) add(fastDivisor32(static_cast<uint32_t>(divisor)));
    } else {
      for (const int64_t symbol : plan.symbols) add(symbol);
      for (const int64_t divisor : plan.divisors) add(fastDivisor64(static_cast<uint64_t>(divisor)));
    }
    int64_t end = 0;
    for (size_t i = 0; i + 1 < plan.partBlocks.size(); ++i) {
      end += plan.partBlocks[i];
      add(static_cast<uint32_t>(end));
    }
  }

  void** pointers() { return pointers_.data(); }

 private:
  struct alignas(8) Slot {
    std::byte bytes[24];  // the largest argument, a 64-bit divisor
  };

  Slot& slot() {
    Slot& added = storage_.emplace_back();
    pointers_.push_back(added.bytes);
    return added;
  }
  template <class T>
  void add(const T& value) {
    static_assert(sizeof(T) <= sizeof(Slot) && alignof(T) <= alignof(Slot));
    std::memcpy(slot().bytes, &value, sizeof value);
  }

  std::vector<Slot> storage_;
  std::vector<void*> pointers_;
};

class Executor final : public CudaExecutor {
 public:
  Executor(int ordinal, cuda::Device device, int capability, const std::string& cacheDirectory)
      : ordinal_(ordinal),
        contexts_(std::make_shared<cuda::DeviceContexts>(device)),
        store_(capability, cacheDirectory) {}

  std::string describe() const override {
    char name[256] = "";
    cuda::check(cuda::driver().deviceGetName(name, sizeof name, contexts_->device()), "cuDeviceGetName");
    return fmt::format("cuda:{} {}", ordinal_, name);
  }

  std::string architecture() const override { return store_.architecture(); }

  KernelResources prepare(const Kernel& kernel, IndexWidth width) override {
    const cuda::ContextScope scope(*contexts_);
    const auto loaded = store_.find(kernel, width, scope.context());
    const auto get = [&](cuda::FunctionAttribute which) {
      int value = 0;
      cuda::check(cuda::driver().funcGetAttribute(&value, which, loaded->function()), "cuFuncGetAttribute");
      return value;
    };
    return {get(cuda::FunctionAttribute::Registers), get(cuda::FunctionAttribute::LocalBytes),
            get(cuda::FunctionAttribute::SharedBytes)};
  }

  void launch(const Kernel& kernel, const LaunchPlan& plan, std::span<const TensorArgument> tensors,
              std::span<const ir::Scalar> parameters, void* stream) override {
    BRAID_CHECK(tensors.size() == kernel.tensors.size() && parameters.size() == kernel.parameters.size(),
                "kernel {} takes {} tensors and {} parameters, given {} and {}", kernel.name, kernel.tensors.size(),
                kernel.parameters.size(), tensors.size(), parameters.size());
    BRAID_CHECK(plan.symbols.size() == kernel.symbols.size() && plan.divisors.size() == kernel.divisors.size() &&
                    plan.partBlocks.size() == kernel.parts.size(),
                "the launch plan is not one of kernel {}", kernel.name);
    if (plan.blocks == 0) return;
    const cuda::ContextScope scope(*contexts_);
    const auto loaded = store_.find(kernel, plan.width, scope.context());
    ArgumentList arguments(kernel, plan, tensors, parameters);
    const cuda::Result result = cuda::driver().launchKernel(loaded->function(), static_cast<unsigned>(plan.blocks), 1,
                                                            1, static_cast<unsigned>(kernel.blockThreads), 1, 1, 0,
                                                            streamOf(stream), arguments.pointers(), nullptr);
    if (result != cuda::kSuccess) {
      throw Error(ErrorCode::Cuda, fmt::format("launch of {} ({} blocks of {} threads) failed: {}", kernel.name,
                                               plan.blocks, kernel.blockThreads, cuda::describe(result)));
    }
  }

  DeviceMemory allocate(int64_t bytes) override {
    const cuda::ContextScope scope(*contexts_);
    cuda::DevicePtr pointer = 0;
    // The driver refuses 0 bytes; an empty tensor still has a pointer of its own.
    const cuda::Result result = cuda::driver().memAlloc(&pointer, static_cast<size_t>(std::max<int64_t>(bytes, 1)));
    if (result != cuda::kSuccess) {
      throw Error(ErrorCode::Cuda,
                  fmt::format("allocation of {} bytes on cuda:{} failed: {}", bytes, ordinal_, cuda::describe(result)));
    }
    const auto free = [contexts = contexts_, context = scope.context()](void* memory) {
      const cuda::ContextScope current(context);
      cuda::driver().memFree(pointerOf(memory));
    };
    return {reinterpret_cast<void*>(pointer), free};
  }

  void copyFromHost(void* target, const void* source, int64_t bytes, void* stream) override {
    if (bytes == 0) return;
    const cuda::ContextScope scope(*contexts_);
    cuda::check(cuda::driver().memcpyHtoDAsync(pointerOf(target), source, static_cast<size_t>(bytes), streamOf(stream)),
                "cuMemcpyHtoDAsync");
  }

  void copyToHost(void* target, const void* source, int64_t bytes, void* stream) override {
    if (bytes == 0) return;
    const cuda::ContextScope scope(*contexts_);
    cuda::check(cuda::driver().memcpyDtoHAsync(target, pointerOf(source), static_cast<size_t>(bytes), streamOf(stream)),
                "cuMemcpyDtoHAsync");
  }

  void fill(void* target, unsigned char value, int64_t bytes, void* stream) override {
    if (bytes == 0) return;
    const cuda::ContextScope scope(*contexts_);
    cuda::check(cuda::driver().memsetD8Async(pointerOf(target), value, static_cast<size_t>(bytes), streamOf(stream)),
                "cuMemsetD8Async");
  }

  void synchronize(void* stream) override {
    const cuda::ContextScope scope(*contexts_);
    cuda::check(cuda::driver().streamSynchronize(streamOf(stream)), "cuStreamSynchronize");
  }

 private:
  int ordinal_;
  std::shared_ptr<cuda::DeviceContexts> contexts_;  // shared with memory that outlives the executor
  KernelStore store_;
};

}  // namespace

std::unique_ptr<CudaExecutor> makeCudaExecutor(int device, const CudaOptions& options) {
  std::string reason;
  const int count = cudaDeviceCount(&reason);
  if (count == 0) throw Error(ErrorCode::Unavailable, reason);
  if (device < 0 || device >= count) {
    throw Error(ErrorCode::Unavailable, fmt::format("there is no device cuda:{}", device))
        .note(fmt::format("the driver shows {}: cuda:0{}", count == 1 ? "one device" : fmt::format("{} devices", count),
                          count == 1 ? "" : fmt::format(" to cuda:{}", count - 1)));
  }
  if (!nvrtcAvailable(&reason)) throw Error(ErrorCode::Unavailable, reason);
  cuda::Device handle = 0;
  cuda::check(cuda::driver().deviceGet(&handle, device), "cuDeviceGet");
  const int capability = attribute(handle, cuda::DeviceAttribute::ComputeCapabilityMajor) * 10 +
                         attribute(handle, cuda::DeviceAttribute::ComputeCapabilityMinor);
  if (capability < 80) {
    throw Error(ErrorCode::Unavailable,
                fmt::format("cuda:{} has compute capability {}.{}", device, capability / 10, capability % 10))
        .note("Braid needs 8.0 or later");
  }
  std::string directory = options.cacheDirectory;
  const char* environment = std::getenv("BRAID_CACHE_DIR");
  if (directory.empty() && environment != nullptr) directory = environment;
  return std::make_unique<Executor>(device, handle, capability, directory);
}

std::unique_ptr<KernelExecutor> makeCudaExecutor(int device) { return makeCudaExecutor(device, CudaOptions{}); }

int cudaDeviceCount(std::string* reason) {
  const cuda::Driver* driver = cuda::findDriver(reason);
  if (driver == nullptr) return 0;
  int count = 0;
  if (driver->deviceGetCount(&count) != cuda::kSuccess) count = 0;
  if (count == 0 && reason != nullptr) *reason = "the CUDA driver shows no device";
  return count;
}

}  // namespace braid::runtime
