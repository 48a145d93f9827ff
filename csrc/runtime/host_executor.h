#pragma once
// Runs kernels on the host and checks them. kernel_executor.h has the interface; here is what only the host has.

#include <cstdint>
#include <memory>

#include "runtime/kernel_executor.h"

namespace braid::runtime {

struct HostOptions {
  /// Runs at most so many blocks of each part (0: all), spread evenly from its first to its last; what the other blocks
  /// would have written is then not missed.
  int64_t maxBlocksPerPart = 0;
};

std::unique_ptr<KernelExecutor> makeHostExecutor(const HostOptions& options);

}  // namespace braid::runtime
