#include "segmentation/cost.h"

#include <algorithm>

namespace braid::segmentation {

namespace {

uint64_t chained(uint64_t map, uint64_t expr, uint64_t operand) {
  uint64_t h = map ^ (expr * 0x9E3779B97F4A7C15ULL) ^ ((operand + 1) * 0xC2B2AE3D27D4EB4FULL);
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ULL;
  return h ^ (h >> 32);
}

}  // namespace

IdMap<ir::ValueId, std::set<uint64_t>> readingMaps(const ir::Fusion& fusion, const std::vector<ir::ValueId>& wanted,
                                                   const std::vector<ir::ValueId>& materialised, size_t limit) {
  IdMap<ir::ValueId, std::set<uint64_t>> maps(fusion.values().size());
  for (const ir::ValueId value : wanted) maps[value].insert(0);
  const std::vector<ir::Expr>& exprs = fusion.exprs();
  for (size_t e = exprs.size(); e-- > 0;) {
    const ir::Expr& expr = exprs[e];
    const std::set<uint64_t>& outer = maps[expr.output];
    const bool isWritten = std::find(materialised.begin(), materialised.end(), expr.output) != materialised.end();
    if (outer.empty() || isWritten) continue;
    const bool moves = ir::isMovement(expr.op);
    for (size_t operand = 0; operand < expr.inputs.size(); ++operand) {
      std::set<uint64_t>& inner = maps[expr.inputs[operand]];
      for (const uint64_t map : outer) {
        if (inner.size() >= limit) break;
        // select_at reads all its operands at its own position.
        const bool keeps = !moves || std::holds_alternative<ir::SelectAt>(expr.op);
        inner.insert(keeps ? map : chained(map, e + 1, operand));
      }
    }
  }
  return maps;
}

int64_t pulledNodes(const IdMap<ir::ValueId, std::set<uint64_t>>& maps) {
  int64_t nodes = 0;
  for (uint32_t i = 0; i < maps.size(); ++i) nodes += static_cast<int64_t>(maps[ir::ValueId{i}].size());
  return nodes;
}

}  // namespace braid::segmentation
