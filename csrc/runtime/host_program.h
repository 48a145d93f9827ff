#pragma once
// A kernel prepared for interpretation: each statement with the index steps that it needs.

#include <cstdint>
#include <vector>

#include "device_lower/kernel_ir.h"
#include "runtime/index_steps.h"

namespace braid::runtime {

struct HostStatement {
  const device_lower::Statement* source = nullptr;
  std::vector<IndexStep> steps;  ///< run before the statement
  /// Let: its value, then what it is declared to be below, if anything. Load, Store: offset, then the predicate if
  /// there is one. SelectLanes, FromIndex: one for each condition or position. Loop: variable, extent. Guard:
  /// condition.
  std::vector<SlotId> slots;
  std::vector<HostStatement> body;                     ///< of a loop or guard
  std::vector<device_lower::RegisterId> filledInside;  ///< of a loop: what each iteration fills anew
};

struct HostPart {
  const device_lower::Part* source = nullptr;
  SlotId thread;
  std::vector<HostStatement> body;
};

/// Refers to the kernel, which must outlive it.
struct HostProgram {
  const device_lower::Kernel* kernel = nullptr;
  uint32_t slots = 0;
  std::vector<SlotId> symbols;  ///< by position in Kernel::symbols
  std::vector<std::pair<SlotId, int64_t>> constants;
  std::vector<HostPart> parts;
};

HostProgram makeHostProgram(const device_lower::Kernel& kernel);

}  // namespace braid::runtime
