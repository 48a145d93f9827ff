#include "scheduler/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace braid::scheduler {

namespace {

constexpr int64_t kVectorBytes = 16;  // the widest access of one thread

int64_t powerOfTwoDividing(int64_t value) {
  int64_t divisor = 1;
  while (divisor < kVectorBytes && value % (divisor * 2) == 0) divisor *= 2;
  return divisor;
}

}  // namespace

std::string Facts::text() const {
  std::vector<std::string> parts;
  for (const auto& [symbol, divisor] : divisors) parts.push_back(fmt::format("{} % {} == 0", symbol, divisor));
  for (const auto& [symbol, value] : constants) parts.push_back(fmt::format("{} == {}", symbol, value));
  for (const auto& [tensor, bytes] : alignment) {
    if (bytes < kVectorBytes) parts.push_back(fmt::format("align({}) == {}", tensor, bytes));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Facts factsOf(const ir::Fusion& fusion, const ir::Symbols& symbols, const std::map<std::string, int64_t>& alignment) {
  Facts facts;
  std::set<std::string> strides;
  for (const ir::Input& input : fusion.inputs()) {
    const ir::TensorView& tensor = fusion.tensor(input.value);
    for (size_t axis = 0; axis < input.layout.strides.size(); ++axis) {
      const auto& spec = input.layout.strides[axis].value;
      if (!spec) strides.insert(fmt::format("{}.stride{}", tensor.name, axis));
      if (spec && spec->asSymbol()) strides.insert(*spec->asSymbol());
    }
  }
  for (const ir::Output& output : fusion.outputs()) {
    for (size_t axis = 0; axis < output.layout.strides.size(); ++axis) {
      if (!output.layout.strides[axis].value) strides.insert(fmt::format("{}.stride{}", output.name, axis));
    }
  }
  for (const auto& [symbol, value] : symbols) {
    // An extent of 0 is a fact, so that every kernel may divide by the extents it does not know.
    if (value == 0 || (value == 1 && strides.contains(symbol))) {
      facts.constants[symbol] = value;
      continue;
    }
    const int64_t divisor = powerOfTwoDividing(value);
    if (divisor > 1) facts.divisors[symbol] = divisor;
  }
  for (const auto& [tensor, bytes] : alignment) {
    if (bytes < kVectorBytes) facts.alignment[tensor] = bytes;
  }
  return facts;
}

void declareSymbols(const ir::Fusion& fusion, const Facts& facts, index::IndexArena& arena) {
  const auto declare = [&](const std::string& name) {
    if (facts.constants.contains(name) || arena.findSymbol(name)) return;
    index::SymbolFacts known;
    known.range.lo = 1;  // 0 would be a fact; the API takes no negative strides
    if (const auto it = facts.divisors.find(name); it != facts.divisors.end()) known.divisor = it->second;
    arena.symbol(name, known);
  };
  for (const std::string& name : fusion.symbols()) declare(name);
  for (const ir::Input& input : fusion.inputs()) {
    for (size_t axis = 0; axis < input.layout.strides.size(); ++axis) {
      if (!input.layout.strides[axis].value) {
        declare(fmt::format("{}.stride{}", fusion.tensor(input.value).name, axis));
      }
    }
  }
  for (const ir::Output& output : fusion.outputs()) {
    for (size_t axis = 0; axis < output.layout.strides.size(); ++axis) {
      if (!output.layout.strides[axis].value) declare(fmt::format("{}.stride{}", output.name, axis));
    }
  }
}

index::IndexExpr importExtent(index::IndexArena& arena, const Facts& facts, const index::Extent& extent) {
  if (facts.constants.empty() || extent.isConstant()) return arena.import(extent);
  std::map<std::string, index::Extent> constants;
  for (const auto& [symbol, value] : facts.constants) constants.emplace(symbol, index::Extent(value));
  return arena.import(extent.substitute(constants));
}

int64_t alignmentOf(const Facts& facts, const std::string& tensor) {
  const auto it = facts.alignment.find(tensor);
  return it == facts.alignment.end() ? kVectorBytes : it->second;
}

}  // namespace braid::scheduler
