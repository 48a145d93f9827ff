#include "device_lower/lower.h"

#include <fmt/format.h>

#include <sstream>

#include "device_lower/kernel_builder.h"
#include "device_lower/part_lowering.h"
#include "ir/text.h"
#include "scheduler/validate.h"

namespace braid::device_lower {

namespace {

void addLines(std::vector<std::string>& lines, const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
}

}  // namespace

Kernel lower(const ir::Fusion& fusion, const scheduler::Facts& facts, const scheduler::KernelTask& task,
             const scheduler::Schedule& schedule) {
  scheduler::validate(fusion, facts, task, schedule);
  KernelBuilder builder(fusion, facts, task);
  for (const scheduler::PartSchedule& part : schedule.parts) {
    Part lowered = lowerPart(builder, fusion, facts, task, part);
    builder.kernel().parts.push_back(std::move(lowered));
  }
  builder.collectArguments();
  Kernel kernel = std::move(builder.kernel());
  kernel.blockThreads = schedule.threads;
  addLines(kernel.header, ir::print(fusion));
  addLines(kernel.header, scheduler::print(schedule));
  if (const std::string known = facts.text(); !known.empty()) kernel.header.push_back("where " + known);
  verify(kernel);
  return kernel;
}

}  // namespace braid::device_lower
