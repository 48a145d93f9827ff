#pragma once
// What a launch of one kernel looks like for given extents: everything that does not depend on pointers.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device_lower/kernel_ir.h"
#include "ir/bind.h"

namespace braid::runtime {

/// Unsigned division by a constant known at launch: for 0 <= n < 2^31 (2^63), n / divisor ==
/// (mulhi(n, multiplier) + n) >> shift. A divisor of 0 (only empty parts have one) behaves as 1.
template <class Unsigned>
struct FastDivisor {
  Unsigned divisor = 1, multiplier = 0, shift = 0;
  bool operator==(const FastDivisor&) const = default;
};
FastDivisor<uint32_t> fastDivisor32(uint32_t divisor);
FastDivisor<uint64_t> fastDivisor64(uint64_t divisor);

struct LaunchPlan {
  device_lower::IndexWidth width = device_lower::IndexWidth::Bits32;
  std::vector<int64_t> symbols;      ///< in the order of Kernel::symbols
  std::vector<int64_t> divisors;     ///< values, in the order of Kernel::divisors
  std::vector<int64_t> partThreads;  ///< in the order of Kernel::parts
  std::vector<int64_t> partBlocks;
  int64_t blocks = 0;  ///< 0: nothing to launch
};

/// Chooses 32-bit arithmetic when the bounds of every intermediate index value fit, evaluated for these symbols.
/// Throws Error(InvalidExtent) for more than 2^31 - 1 blocks.
LaunchPlan planLaunch(const device_lower::Kernel& kernel, const ir::Symbols& symbols);

}  // namespace braid::runtime
