#pragma once
// Fusion + schedule → Kernel.

#include "device_lower/kernel_ir.h"
#include "scheduler/schedule.h"
#include "scheduler/task.h"

namespace braid::device_lower {

/// Each part: loop variables → indices of the outputs → walk back (memoised) → accesses → statements → names for what
/// is shared → verified. Throws Error(InvalidArgument) when the schedule does not fit the task.
Kernel lower(const ir::Fusion& fusion, const scheduler::Facts& facts, const scheduler::KernelTask& task,
             const scheduler::Schedule& schedule);

}  // namespace braid::device_lower
