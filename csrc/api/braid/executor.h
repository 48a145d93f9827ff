#pragma once
// Runs fusions: on a GPU, or on the host, where every access of the kernel is checked.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <braid/error.h>
#include <braid/types.h>

namespace braid {

/// Where a fusion runs.
class Device {
 public:
  static Device cpu() { return Device(-1); }
  static Device cuda(int ordinal) { return Device(ordinal); }
  /// How many GPUs can be used; 0 on a machine without a driver.
  static int cudaCount();

  bool isCuda() const { return ordinal_ >= 0; }
  int ordinal() const { return ordinal_; }
  bool operator==(const Device&) const = default;

 private:
  explicit Device(int ordinal) : ordinal_(ordinal) {}
  int ordinal_;
};

/// A tensor in memory of the device. Does not own. Strides count elements; none means row-major without gaps.
struct TensorRef {
  void* data = nullptr;
  DType dtype = DType::Float32;
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  Device device = Device::cpu();
};

/// What an input is given: a tensor, or a number for a host parameter.
using Argument = std::variant<TensorRef, Scalar>;

struct Options {
  Device device = Device::cpu();
  /// Pre-segmentation passes and scheduler features that are switched off, by name.
  std::set<std::string> disabled;
  /// Where compiled kernels are kept between processes; empty: the environment variable BRAID_CACHE_DIR, else nowhere.
  std::string cacheDirectory;
};

/// Sizes that no input gives.
using Dims = std::map<std::string, int64_t>;

/// Memory for `bytes` bytes on the device, aligned to 16 bytes.
using Allocator = std::function<void*(int64_t bytes)>;

/// One fusion, ready to run. Thread-safe. Nothing is compiled before the first execution; what is compiled serves every
/// shape of which the same holds (divisibility, contiguity, alignment).
class Executor {
 public:
  /// Throws Error(Unavailable) when the device is a GPU and there is none, or no driver or NVRTC to use it.
  explicit Executor(const Fusion& fusion, const Options& options = {});
  ~Executor();
  Executor(Executor&&) noexcept;
  Executor& operator=(Executor&&) noexcept;

  /// Arguments in the order of the fusion's inputs, outputs in the order of its outputs. `stream` is a CUstream (null:
  /// the default stream). Returns when the work is enqueued. A buffer given for an output that is a view of an input
  /// gets a copy of it. All errors come before anything runs.
  void execute(const std::vector<Argument>& inputs, const std::vector<TensorRef>& outputs, void* stream = nullptr,
               const Dims& dims = {});
  /// The same into memory from the caller's allocator. Outputs that are views of inputs point into them.
  std::vector<TensorRef> execute(const std::vector<Argument>& inputs, void* stream, const Allocator& allocator,
                                 const Dims& dims = {});

  /// How many kernels run for these arguments.
  int64_t kernels(const std::vector<Argument>& inputs, const Dims& dims = {});
  /// "cpu" or "cuda:0 NVIDIA H200".
  std::string device() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace braid
