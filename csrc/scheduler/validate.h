#pragma once

#include "ir/fusion.h"
#include "scheduler/schedule.h"
#include "scheduler/task.h"

namespace braid::scheduler {

/// Throws Error(InvalidArgument) when a schedule does not fit its task: an output that no part or two parts store,
/// outputs of one part that differ in shape or layout, an axis that is bound twice or not at all, a vector of no power
/// of two lanes. (Axes that do not exist are found when the domain is made.)
void validate(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task, const Schedule& schedule);

}  // namespace braid::scheduler
