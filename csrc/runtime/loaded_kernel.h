#pragma once
// Kernels compiled for one device and loaded into its contexts.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "device_lower/kernel_ir.h"
#include "runtime/cuda_context.h"
#include "runtime/disk_cache.h"

namespace braid::runtime {

/// A function that can be launched in the context it was loaded into.
class LoadedKernel {
 public:
  LoadedKernel(cuda::Context context, const std::string& image, const std::string& entry);
  cuda::Function function() const { return function_; }

 private:
  // Stays loaded as long as its context lives: a captured graph may still hold the function, and the caller's context
  // may be gone when we are.
  cuda::Module module_ = nullptr;
  cuda::Function function_ = nullptr;
};

/// Finds or makes the loaded form of a kernel. Thread-safe; each kernel is compiled once, kernels of different text at
/// the same time.
class KernelStore {
 public:
  /// `capability`: 90 for 9.0.
  KernelStore(int capability, const std::string& cacheDirectory);

  /// For the current context.
  std::shared_ptr<const LoadedKernel> find(const device_lower::Kernel& kernel, device_lower::IndexWidth width,
                                           cuda::Context context);
  /// "sm_90"
  std::string architecture() const;

 private:
  /// What identifies a loaded kernel: its fingerprint (or, without one, its text), width and context.
  struct Key {
    std::string identity;
    device_lower::IndexWidth width;
    uint64_t context;
  };
  struct KeyView {
    std::string_view identity;
    device_lower::IndexWidth width;
    uint64_t context;
  };
  struct Less {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      if (a.context != b.context) return a.context < b.context;
      if (a.width != b.width) return a.width < b.width;
      return std::string_view(a.identity) < std::string_view(b.identity);
    }
  };
  struct Entry {
    std::mutex mutex;  ///< held while compiling
    std::shared_ptr<const LoadedKernel> loaded;
  };

  std::shared_ptr<Entry> entryFor(const KeyView& key);
  std::string imageOf(const std::string& text, const std::string& name) const;

  int capability_;
  std::optional<DiskCache> disk_;
  std::shared_mutex mutex_;
  std::map<Key, std::shared_ptr<Entry>, Less> entries_;
};

}  // namespace braid::runtime
