#include "runtime/loaded_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "braid/error.h"
#include "codegen/cuda_text.h"
#include "runtime/nvrtc_api.h"

namespace braid::runtime {

using device_lower::IndexWidth;
using device_lower::Kernel;

LoadedKernel::LoadedKernel(cuda::Context context, const std::string& image, const std::string& entry) {
  const cuda::ContextScope scope(context);
  const cuda::RelaxedCapture relaxed;
  const cuda::Result result = cuda::driver().moduleLoadData(&module_, image.data());
  if (result == cuda::kInvalidImage || result == cuda::kNoBinaryForGpu || result == cuda::kUnsupportedPtxVersion) {
    int version = 0;
    cuda::driver().driverGetVersion(&version);
    throw Error(ErrorCode::Cuda,
                fmt::format("the driver does not take the code of {}: {}", entry, cuda::describe(result)))
        .note(
            fmt::format("the code comes from NVRTC {}, the driver is of CUDA {}.{}; an NVRTC no newer than the driver "
                        "is always taken",
                        nvrtcVersion(), version / 1000, version % 1000 / 10));
  }
  cuda::check(result, "cuModuleLoadData");
  cuda::check(cuda::driver().moduleGetFunction(&function_, module_, entry.c_str()), "cuModuleGetFunction");
}

KernelStore::KernelStore(int capability, const std::string& cacheDirectory) : capability_(capability) {
  if (!cacheDirectory.empty()) disk_.emplace(cacheDirectory);
}

std::string KernelStore::architecture() const { return fmt::format("sm_{}", capability_); }

std::shared_ptr<const LoadedKernel> KernelStore::find(const Kernel& kernel, IndexWidth width, cuda::Context context) {
  unsigned long long contextId = 0;
  cuda::check(cuda::driver().ctxGetId(context, &contextId), "cuCtxGetId");
  std::string text;
  if (kernel.fingerprint.empty()) text = codegen::cudaText(kernel, width);
  const std::string_view identity = kernel.fingerprint.empty() ? text : kernel.fingerprint;
  const std::shared_ptr<Entry> entry = entryFor({identity, width, contextId});
  const std::lock_guard lock(entry->mutex);
  if (!entry->loaded) {
    if (text.empty()) text = codegen::cudaText(kernel, width);
    const std::string name = codegen::entryName(kernel);
    entry->loaded = std::make_shared<LoadedKernel>(context, imageOf(text, name), name);
  }
  return entry->loaded;
}

std::shared_ptr<KernelStore::Entry> KernelStore::entryFor(const KeyView& key) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
  }
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[Key{std::string(key.identity), key.width, key.context}];
  if (!entry) entry = std::make_shared<Entry>();
  return entry;
}

/// Code for this device: a cubin, or, for a device newer than NVRTC, PTX that the driver translates.
std::string KernelStore::imageOf(const std::string& text, const std::string& name) const {
  int target = 0;
  for (const int each : nvrtcArchitectures()) {
    if (each <= capability_) target = each;
  }
  const Artifact artifact = target == capability_ ? Artifact::Cubin : Artifact::Ptx;
  const std::string arch = fmt::format("sm_{}", target);
  const std::string key =
      fmt::format("braid kernel, NVRTC {}, {} {}, {}\n{}", nvrtcVersion(),
                  artifact == Artifact::Cubin ? "cubin" : "ptx", arch, fmt::join(nvrtcOptions(), " "), text);
  if (disk_) {
    if (std::optional<std::string> kept = disk_->read(key)) return *std::move(kept);
  }
  std::string image = compileCuda(text, name, arch, artifact).image;
  if (disk_) disk_->write(key, image);
  return image;
}

}  // namespace braid::runtime
