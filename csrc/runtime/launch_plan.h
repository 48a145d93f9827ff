#pragma once
// What a launch of one kernel looks like for given extents: everything that does not depend on pointers.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "device_lower/kernel_ir.h"
#include "ir/bind.h"
#include "runtime/index_steps.h"

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

/// Makes the plans of one kernel. What does not depend on the symbols' values is done once, in the constructor; a plan
/// is a few steps of arithmetic and needs no arena, so threads may share a planner.
class LaunchPlanner {
 public:
  explicit LaunchPlanner(const device_lower::Kernel& kernel);

  /// Chooses 32-bit arithmetic when the bounds of every intermediate index value fit, evaluated for these symbols.
  /// Throws Error(InvalidExtent) for more than 2^31 - 1 blocks.
  LaunchPlan plan(const ir::Symbols& symbols) const;

 private:
  /// A symbol that a let, a loop or a part binds: what is known of it limits its range.
  struct Limit {
    SlotId slot;
    std::optional<SlotId> value;           ///< what a let gives it
    std::optional<SlotId> exclusiveUpper;  ///< it is below this
    index::Range range;
  };
  using Step = std::variant<IndexStep, Limit>;

  void addBody(const device_lower::Kernel& kernel, IndexSlots& slots, const std::vector<device_lower::Statement>& body);
  void addSteps(const std::vector<IndexStep>& steps);
  SlotId addSymbol(const device_lower::Kernel& kernel, IndexSlots& slots, index::IndexExpr symbol,
                   std::optional<SlotId> value);
  index::Range rangeOf(const Limit& limit, const std::vector<index::Range>& ranges) const;
  bool fitsIn32Bits(const std::vector<int64_t>& symbols) const;

  std::string kernel_;
  int64_t blockThreads_;
  size_t divisors_, parts_;
  index::FlatProgram launch_;  ///< divisors, then the threads of each part
  uint32_t slots_ = 0;
  std::vector<SlotId> symbolSlots_;
  std::vector<std::pair<SlotId, int64_t>> constants_;
  std::vector<Step> steps_;  ///< every index value of every statement
};

/// LaunchPlanner(kernel).plan(symbols), for a single launch. Chooses 32-bit arithmetic when the bounds of every
/// intermediate index value fit, evaluated for these symbols. Throws Error(InvalidExtent) for more than 2^31 - 1
/// blocks.
LaunchPlan planLaunch(const device_lower::Kernel& kernel, const ir::Symbols& symbols);

}  // namespace braid::runtime
