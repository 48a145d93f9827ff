#include "pipeline/compile.h"

#include <fmt/format.h>

#include <algorithm>

#include "braid/error.h"
#include "device_lower/lower.h"

namespace braid::pipeline {

namespace {

scheduler::KernelTask taskOf(const ir::Fusion& fusion, const segmentation::Segment& segment) {
  scheduler::KernelTask task;
  task.name = segment.name;
  task.materialised = segment.reads;
  for (const size_t output : segment.outputs) {
    const ir::Output& each = fusion.outputs()[output];
    task.outputs.push_back({each.name, each.value, each.layout});
  }
  for (const ir::ValueId value : segment.materialises) task.outputs.push_back({fusion.value(value).name(), value, {}});
  return task;
}

const scheduler::Schedule* givenSchedule(const CompileOptions& options, const std::string& kernel) {
  for (const scheduler::Schedule& schedule : options.schedules) {
    if (schedule.name == kernel) return &schedule;
  }
  return nullptr;
}

CompiledSegment compileSegment(CompiledProgram& program, const segmentation::Segment& segment,
                               const CompileOptions& options) {
  CompiledSegment compiled;
  compiled.segment = segment;
  if (segment.kind == segmentation::Segment::Kind::NoOp) return compiled;
  compiled.task = taskOf(program.fusion, segment);
  const scheduler::Schedule* given = givenSchedule(options, segment.name);
  compiled.schedule = given != nullptr ? *given
                                       : scheduler::schedulePointwise(program.fusion, program.facts, compiled.task,
                                                                      options.disabled, &program.choices);
  compiled.kernel = std::make_shared<const device_lower::Kernel>(
      device_lower::lower(program.fusion, program.facts, compiled.task, compiled.schedule));
  return compiled;
}

bool isSchedulerFeature(const std::string& name) {
  return std::any_of(std::begin(scheduler::kFeatures), std::end(scheduler::kFeatures),
                     [&](const scheduler::Feature& feature) { return feature.name == name; });
}

void checkSchedulesAreUsed(const CompiledProgram& program, const CompileOptions& options) {
  for (const scheduler::Schedule& schedule : options.schedules) {
    std::vector<std::string> names;
    for (const CompiledSegment& each : program.segments) {
      if (each.kernel != nullptr) names.push_back(each.segment.name);
    }
    if (std::find(names.begin(), names.end(), schedule.name) == names.end()) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule {} fits no kernel of this fusion", schedule.name))
          .note(fmt::format("its kernels are {}", fmt::join(names, ", ")));
    }
  }
}

}  // namespace

int64_t CompiledProgram::kernels() const {
  return std::count_if(segments.begin(), segments.end(), [](const auto& each) { return each.kernel != nullptr; });
}

int64_t CompiledProgram::noopOutputs() const {
  int64_t count = 0;
  for (const CompiledSegment& each : segments) {
    if (each.kernel == nullptr) count += static_cast<int64_t>(each.segment.outputs.size());
  }
  return count;
}

ir::Fusion optimise(const ir::Fusion& fusion, const CompileOptions& options, std::vector<preseg::Remark>* remarks,
                    const preseg::AfterPass& after) {
  preseg::PassContext context;
  for (const std::string& name : options.disabled) {
    if (!isSchedulerFeature(name)) context.disabled.insert(name);
  }
  context.remarks = remarks;
  return preseg::runPasses(fusion, context, after);
}

CompiledProgram compile(const ir::Fusion& fusion, const scheduler::Facts& facts, const CompileOptions& options) {
  CompiledProgram program;
  program.source = fusion;
  program.facts = facts;
  program.fusion = optimise(fusion, options, &program.remarks);
  for (const segmentation::Segment& segment : segmentation::segment(program.fusion, options.limits)) {
    program.segments.push_back(compileSegment(program, segment, options));
  }
  checkSchedulesAreUsed(program, options);
  return program;
}

}  // namespace braid::pipeline
