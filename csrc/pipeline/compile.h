#pragma once
// Fusion → compiled program: the only room that knows the whole order of stages.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device_lower/kernel_ir.h"
#include "ir/fusion.h"
#include "preseg_passes/run.h"
#include "scheduler/facts.h"
#include "scheduler/pointwise.h"
#include "scheduler/schedule.h"
#include "segmentation/segment.h"

namespace braid::pipeline {

struct CompileOptions {
  std::set<std::string> disabled;  ///< passes and scheduler features that are switched off, by name
  segmentation::KernelLimits limits;
  /// Schedules to take instead of the scheduler's, by kernel name.
  std::vector<scheduler::Schedule> schedules;
};

/// One segment of a compiled program. For a no-op segment only `segment` says anything.
struct CompiledSegment {
  segmentation::Segment segment;
  scheduler::KernelTask task;
  scheduler::Schedule schedule;
  std::shared_ptr<const device_lower::Kernel> kernel;  ///< null for a no-op segment
};

struct CompiledProgram {
  ir::Fusion source;  ///< as the user defined it
  ir::Fusion fusion;  ///< after the passes
  scheduler::Facts facts;
  std::vector<CompiledSegment> segments;   ///< in launch order
  std::vector<preseg::Remark> remarks;     ///< of the passes
  std::vector<scheduler::Choice> choices;  ///< of the scheduler

  int64_t kernels() const;
  int64_t noopOutputs() const;
};

/// Throws Error for a disabled name that does not exist, or a schedule that fits no kernel.
CompiledProgram compile(const ir::Fusion& fusion, const scheduler::Facts& facts, const CompileOptions& options = {});

/// Only the passes, with a callback after each.
ir::Fusion optimise(const ir::Fusion& fusion, const CompileOptions& options, std::vector<preseg::Remark>* remarks,
                    const preseg::AfterPass& after = {});

}  // namespace braid::pipeline
