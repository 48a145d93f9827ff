#include "runtime/cuda_context.h"

namespace braid::runtime::cuda {

DeviceContexts::~DeviceContexts() {
  // At the end of a process the driver may be gone already; there is nobody to tell.
  if (primary_ != nullptr) driver().devicePrimaryCtxRelease(device_);
}

Context DeviceContexts::primary() {
  const std::lock_guard lock(mutex_);
  if (primary_ == nullptr) check(driver().devicePrimaryCtxRetain(&primary_, device_), "cuDevicePrimaryCtxRetain");
  return primary_;
}

ContextScope::ContextScope(DeviceContexts& contexts) {
  check(driver().ctxGetCurrent(&context_), "cuCtxGetCurrent");
  if (context_ != nullptr) {
    Device device = -1;
    check(driver().ctxGetDevice(&device), "cuCtxGetDevice");
    if (device == contexts.device()) return;
  }
  context_ = contexts.primary();
  check(driver().ctxPushCurrent(context_), "cuCtxPushCurrent");
  pushed_ = true;
}

ContextScope::ContextScope(Context context) : context_(context) {
  pushed_ = driver().ctxPushCurrent(context) == kSuccess;
}

ContextScope::~ContextScope() {
  if (!pushed_) return;
  Context popped = nullptr;
  driver().ctxPopCurrent(&popped);
}

}  // namespace braid::runtime::cuda
