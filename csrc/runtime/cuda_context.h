#pragma once
// Contexts of one device: the caller's where one is current, else the primary one, retained when first needed.

#include <cstdint>
#include <mutex>

#include "runtime/driver_api.h"

namespace braid::runtime::cuda {

class DeviceContexts {
 public:
  explicit DeviceContexts(Device device) : device_(device) {}
  ~DeviceContexts();
  DeviceContexts(const DeviceContexts&) = delete;
  DeviceContexts& operator=(const DeviceContexts&) = delete;

  Device device() const { return device_; }
  /// Retained at the first call.
  Context primary();

 private:
  Device device_;
  std::mutex mutex_;
  Context primary_ = nullptr;
};

/// While it lives a context of the device is current.
class ContextScope {
 public:
  explicit ContextScope(DeviceContexts& contexts);
  /// Makes that one current.
  explicit ContextScope(Context context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

  Context context() const { return context_; }

 private:
  Context context_ = nullptr;
  bool pushed_ = false;
};

/// While it lives, work that stream capture would refuse (loading a module) is allowed in this thread.
class RelaxedCapture {
 public:
  RelaxedCapture() { driver().threadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCapture() { driver().threadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  CaptureMode mode_ = CaptureMode::Relaxed;
};

}  // namespace braid::runtime::cuda
