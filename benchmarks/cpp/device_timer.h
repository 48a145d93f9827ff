#pragma once
// Times work on a GPU: captured into a graph so that launches cost what they cost in production, measured by events.

#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/driver_api.h"

namespace braid::bench {

struct Timing {
  double median = 0, min = 0, max = 0;  ///< microseconds for one call of the body
};

/// Owns a stream.
class DeviceTimer {
 public:
  DeviceTimer();
  ~DeviceTimer();
  DeviceTimer(const DeviceTimer&) = delete;
  DeviceTimer& operator=(const DeviceTimer&) = delete;

  runtime::cuda::Stream stream() const { return stream_; }

  /// body(i, stream) enqueues one call, i = 0 … sets - 1 naming the set of buffers it uses. A graph of a multiple of
  /// `sets` calls, long enough to hide its own launch, is replayed `repeats` times; each replay gives one sample.
  Timing time(int64_t sets, const std::function<void(int64_t set, runtime::cuda::Stream)>& body, int repeats = 25);

 private:
  double replay(runtime::cuda::GraphExec graph);

  runtime::cuda::Stream stream_ = nullptr;
  runtime::cuda::Event begin_ = nullptr, end_ = nullptr;
};

}  // namespace braid::bench
