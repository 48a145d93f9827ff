#pragma once

#include "device_lower/kernel_builder.h"
#include "scheduler/schedule.h"

namespace braid::device_lower {

/// Lowers one part: its block range's threads and the statements of one thread.
Part lowerPart(KernelBuilder& builder, const ir::Fusion& fusion, const scheduler::Facts& facts,
               const scheduler::KernelTask& task, const scheduler::PartSchedule& schedule);

}  // namespace braid::device_lower
