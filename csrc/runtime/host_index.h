#pragma once
// Index values of all threads of a block, and arithmetic on them that notices what the plan's width cannot hold.

#include <cstdint>
#include <optional>
#include <vector>

#include "device_lower/kernel_ir.h"
#include "runtime/index_steps.h"

namespace braid::runtime {

/// Which threads of a block take part: one byte each, 0 or 1.
using ThreadMask = std::vector<uint8_t>;

class IndexValues {
 public:
  IndexValues(uint32_t slots, int threads, device_lower::IndexWidth width)
      : threads_(threads), width_(width), values_(static_cast<size_t>(slots) * static_cast<size_t>(threads)) {}

  int64_t* of(SlotId slot) { return values_.data() + static_cast<size_t>(slot.value) * static_cast<size_t>(threads_); }
  void fill(SlotId slot, int64_t value);
  /// False where the width cannot hold the number.
  bool holds(int64_t value) const;
  /// Computes a step for every thread. Returns an active thread in which a value on the way overflows, if there is one.
  std::optional<int> run(const IndexStep& step, const ThreadMask& active);

 private:
  /// result := result op b; marks the threads that overflow.
  bool fold(index::ExprKind kind, int64_t* result, const int64_t* b, const ThreadMask& active);

  int threads_;
  device_lower::IndexWidth width_;
  std::vector<int64_t> values_;
};

}  // namespace braid::runtime
