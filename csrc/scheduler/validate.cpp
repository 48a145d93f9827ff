#include "scheduler/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "braid/error.h"
#include "scheduler/domain.h"

namespace braid::scheduler {

namespace {

constexpr int64_t kMaxJam = 64;  // positions written out in one thread

const KernelOutput& outputNamed(const KernelTask& task, const std::string& name, const std::string& part) {
  for (const KernelOutput& output : task.outputs) {
    if (output.name == name) return output;
  }
  std::vector<std::string> names;
  for (const KernelOutput& output : task.outputs) names.push_back(output.name);
  throw Error(ErrorCode::InvalidArgument,
              fmt::format("schedule: part {} stores {}, which this kernel has not", part, name))
      .note(fmt::format("its outputs are {}", fmt::join(names, ", ")));
}

void checkOutputs(const ir::Fusion& fusion, const KernelTask& task, const Schedule& schedule) {
  std::map<std::string, std::string> storedBy;
  for (const PartSchedule& part : schedule.parts) {
    if (part.outputs.empty()) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: part {} stores nothing", part.name));
    }
    const KernelOutput& first = outputNamed(task, part.outputs[0], part.name);
    for (const std::string& name : part.outputs) {
      const KernelOutput& output = outputNamed(task, name, part.name);
      if (fusion.tensor(output.value).shape() != fusion.tensor(first.value).shape()) {
        throw Error(ErrorCode::InvalidArgument,
                    fmt::format("schedule: part {} stores {} and {}, whose shapes differ: {} and {}", part.name,
                                first.name, name, ir::describe(fusion.tensor(first.value).shape()),
                                ir::describe(fusion.tensor(output.value).shape())));
      }
      const auto [it, isNew] = storedBy.emplace(name, part.name);
      if (!isNew) {
        throw Error(ErrorCode::InvalidArgument,
                    fmt::format("schedule: parts {} and {} both store {}", it->second, part.name, name));
      }
    }
  }
  for (const KernelOutput& output : task.outputs) {
    if (!storedBy.contains(output.name)) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: no part stores {}", output.name));
    }
  }
}

void checkBindings(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task, const PartSchedule& part) {
  IndexArena arena;
  declareSymbols(fusion, facts, arena);
  const KernelOutput& output = outputNamed(task, part.outputs[0], part.name);
  const Domain domain = makeDomain(arena, facts, fusion.tensor(output.value).shape(), part.steps, "");
  std::vector<std::string> bound = part.grid;
  bound.insert(bound.end(), part.loops.begin(), part.loops.end());
  bound.insert(bound.end(), part.jam.begin(), part.jam.end());
  if (!part.vector.empty()) bound.push_back(part.vector);
  for (const std::string& name : bound) {
    domain.leaf(name);
    if (std::count(bound.begin(), bound.end(), name) > 1) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: part {} binds {} twice", part.name, name));
    }
  }
  for (const LoopAxis& leaf : domain.leaves) {
    const bool isBound = std::find(bound.begin(), bound.end(), leaf.name) != bound.end();
    if (!isBound && !arena.isConstant(leaf.extent, 1)) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: part {} does not bind {}", part.name, leaf.name))
          .note("every axis is one of grid, loop, jam and vector");
    }
  }
  int64_t positions = 1;
  for (const std::string& name : part.jam) {
    const auto extent = arena.asConstant(domain.leaf(name).extent);
    positions *= extent.value_or(kMaxJam + 1);
    if (!extent || positions > kMaxJam) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: part {} jams {}, of extent {}", part.name, name,
                                                          arena.text(domain.leaf(name).extent)))
          .note(fmt::format("a thread takes at most {} positions of jammed axes", kMaxJam));
    }
  }
  if (part.vector.empty()) return;
  const auto lanes = arena.asConstant(domain.leaf(part.vector).extent);
  if (!lanes || *lanes < 1 || *lanes > 16 || (*lanes & (*lanes - 1)) != 0) {
    throw Error(ErrorCode::InvalidArgument,
                fmt::format("schedule: the vector axis {} of part {} has extent {}", part.vector, part.name,
                            arena.text(domain.leaf(part.vector).extent)))
        .note("a vector has 1, 2, 4, 8 or 16 lanes");
  }
}

}  // namespace

void validate(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task, const Schedule& schedule) {
  checkOutputs(fusion, task, schedule);
  for (const PartSchedule& part : schedule.parts) checkBindings(fusion, facts, task, part);
}

}  // namespace braid::scheduler
