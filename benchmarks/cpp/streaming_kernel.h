#pragma once
// The ceilings that a workload is held against: a kernel that only streams, with the workload's mix of reads and
// writes.

#include <cstdint>
#include <string>

#include "runtime/driver_api.h"

namespace braid::bench {

/// Reads `readBytes` and writes `writeBytes` once each, 16 bytes an access, evict-first both ways, 128 threads a block.
/// Thread i writes vector i and reads the vectors i * R / W … (i + 1) * R / W, so the two streams advance together.
class StreamingKernel {
 public:
  /// `architecture` as in "sm_90".
  explicit StreamingKernel(const std::string& architecture);
  ~StreamingKernel();
  StreamingKernel(const StreamingKernel&) = delete;
  StreamingKernel& operator=(const StreamingKernel&) = delete;

  void launch(const void* in, void* out, int64_t readBytes, int64_t writeBytes, runtime::cuda::Stream stream) const;

 private:
  runtime::cuda::Module module_ = nullptr;
  runtime::cuda::Function function_ = nullptr;
};

}  // namespace braid::bench
