#include "report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "scheduler/pull.h"

namespace braid::tool {

std::vector<AccessSummary> accessesOf(const device_lower::Kernel& kernel) {
  std::vector<AccessSummary> result;
  const auto add = [&](AccessSummary access) {
    if (std::find(result.begin(), result.end(), access) == result.end()) result.push_back(std::move(access));
  };
  for (const device_lower::Part& part : kernel.parts) {
    device_lower::forEachStatement(part.body, [&](const device_lower::Statement& statement) {
      if (const auto* load = std::get_if<device_lower::Load>(&statement.node)) {
        const auto& tensor = kernel.tensor(load->tensor);
        add({part.name, tensor.name, false, load->width * tensor.elementBytes()});
      } else if (const auto* store = std::get_if<device_lower::Store>(&statement.node)) {
        const auto& tensor = kernel.tensor(store->tensor);
        add({part.name, tensor.name, true, store->width * tensor.elementBytes()});
      }
    });
  }
  return result;
}

std::string storeWidths(const pipeline::CompiledProgram& program, const std::string& output) {
  int64_t least = INT64_MAX, most = 0;
  for (const pipeline::CompiledSegment& segment : program.segments) {
    if (segment.kernel == nullptr) continue;
    for (const AccessSummary& access : accessesOf(*segment.kernel)) {
      if (!access.isStore || access.tensor != output) continue;
      least = std::min(least, access.bytes);
      most = std::max(most, access.bytes);
    }
  }
  if (most == 0) return "none";
  return least == most ? fmt::format("{} bytes", most) : fmt::format("{} to {} bytes", least, most);
}

std::string accessWidths(const pipeline::CompiledProgram& program, bool isStore) {
  std::set<int64_t> widths;
  for (const pipeline::CompiledSegment& segment : program.segments) {
    if (segment.kernel == nullptr) continue;
    for (const AccessSummary& access : accessesOf(*segment.kernel)) {
      if (access.isStore == isStore) widths.insert(access.bytes);
    }
  }
  return widths.empty() ? "none" : fmt::format("{} bytes", fmt::join(widths, ", "));
}

namespace {

std::vector<std::string> outputNames(const pipeline::CompiledProgram& program, const segmentation::Segment& segment) {
  std::vector<std::string> names;
  for (const size_t output : segment.outputs) names.push_back(program.fusion.outputs()[output].name);
  return names;
}

}  // namespace

nlohmann::ordered_json segmentsJson(const pipeline::CompiledProgram& program) {
  auto segments = nlohmann::ordered_json::array();
  for (const pipeline::CompiledSegment& each : program.segments) {
    nlohmann::ordered_json segment;
    segment["kind"] = each.kernel == nullptr ? "no_op" : "kernel";
    segment["name"] = each.segment.name;
    segment["outputs"] = outputNames(program, each.segment);
    segment["accesses"] = nlohmann::ordered_json::array();
    if (each.kernel != nullptr) {
      for (const AccessSummary& access : accessesOf(*each.kernel)) {
        segment["accesses"].push_back({{"part", access.part},
                                       {"tensor", access.tensor},
                                       {"access", access.isStore ? "store" : "load"},
                                       {"bytes", access.bytes}});
      }
    }
    segments.push_back(std::move(segment));
  }
  return {{"fusion", program.source.name()}, {"segments", std::move(segments)}};
}

std::string segmentsText(const pipeline::CompiledProgram& program) {
  std::string text;
  for (const pipeline::CompiledSegment& each : program.segments) {
    const std::string outputs = fmt::format("{}", fmt::join(outputNames(program, each.segment), ", "));
    if (each.kernel == nullptr) {
      text += fmt::format("no_op: {} {} of inputs, no kernel\n", outputs,
                          each.segment.outputs.size() == 1 ? "is a view" : "are views");
      continue;
    }
    text += fmt::format("kernel {}: {}\n", each.segment.name, outputs);
    for (const AccessSummary& access : accessesOf(*each.kernel)) {
      text += fmt::format("  part {:<12} {:<5} {:<16} {:>2} bytes\n", access.part, access.isStore ? "store" : "load",
                          access.tensor, access.bytes);
    }
  }
  return text;
}

PositionCost positionCost(const ir::Fusion& fusion) {
  PositionCost cost;
  for (const ir::Output& output : fusion.outputs()) {
    if (output.kind == ir::OutputKind::Alias) continue;
    index::IndexArena arena;
    const scheduler::Facts facts;
    scheduler::declareSymbols(fusion, facts, arena);
    scheduler::PullRoot root{output.value, {}, {}};
    const ir::Extents shape = fusion.tensor(output.value).shape();
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      root.index.push_back(arena.loopVariable(fmt::format("i{}", axis), arena.import(shape[axis])));
    }
    const scheduler::PullGraph graph = scheduler::pull(fusion, facts, arena, {{root}, {}});
    for (const scheduler::PullNode& node : graph.nodes) {
      cost.loads += std::holds_alternative<scheduler::PullLoad>(node.kind);
      cost.operations += std::holds_alternative<scheduler::PullCompute>(node.kind);
      cost.selects += std::holds_alternative<scheduler::PullSelect>(node.kind);
    }
  }
  return cost;
}

}  // namespace braid::tool
