#include "scheduler/split_points.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/overloaded.h"

namespace braid::scheduler {

namespace {

class FactorFinder {
 public:
  FactorFinder(IndexArena& arena, IndexExpr variable) : arena_(arena), variable_(variable) {}

  /// What one unit of e is worth in units of the variable, if e is the variable or a digit of it.
  std::optional<IndexExpr> visit(IndexExpr e) {
    if (const auto it = seen_.find(e); it != seen_.end()) return it->second;
    std::optional<IndexExpr> unit;
    if (e == variable_) {
      unit = arena_.constant(1);
    } else {
      std::vector<std::optional<IndexExpr>> units;
      const std::vector<IndexExpr> operands(arena_.operands(e).begin(), arena_.operands(e).end());
      for (const IndexExpr operand : operands) units.push_back(visit(operand));
      const index::ExprKind kind = arena_.kind(e);
      if ((kind == index::ExprKind::FloorDiv || kind == index::ExprKind::Mod) && units[0]) {
        const IndexExpr factor = arena_.mul(*units[0], operands[1]);
        if (std::find(factors_.begin(), factors_.end(), factor) == factors_.end()) factors_.push_back(factor);
        unit = kind == index::ExprKind::FloorDiv ? factor : *units[0];
      }
    }
    seen_.emplace(e, unit);
    return unit;
  }

  const std::vector<IndexExpr>& factors() const { return factors_; }

 private:
  IndexArena& arena_;
  IndexExpr variable_;
  std::map<IndexExpr, std::optional<IndexExpr>> seen_;
  std::vector<IndexExpr> factors_;
};

bool divides(IndexArena& arena, IndexExpr small, IndexExpr large) {
  return arena.isConstant(arena.mod(large, small), 0);
}

}  // namespace

std::vector<IndexExpr> indexExpressions(const PullGraph& graph) {
  std::vector<IndexExpr> expressions;
  for (const PullNode& node : graph.nodes) {
    std::visit(overloaded{
                   [&](const PullLoad& load) {
                     for (const auto& place : load.alternatives) {
                       expressions.push_back(place.offset);
                       if (place.condition.valid()) expressions.push_back(place.condition);
                     }
                   },
                   [&](const PullCompute&) {},
                   [&](const PullSelect& select) { expressions.push_back(select.condition); },
                   [&](const PullIota& iota) { expressions.push_back(iota.position); },
                   [&](const PullConstant&) {},
               },
               node.kind);
  }
  return expressions;
}

bool isTakenApart(const IndexArena& arena, const std::vector<IndexExpr>& expressions, IndexExpr variable) {
  std::set<IndexExpr> seen;
  const auto visit = [&](const auto& self, IndexExpr e) -> bool {
    if (!seen.insert(e).second || !arena.dependsOn(e, variable)) return false;
    const index::ExprKind kind = arena.kind(e);
    if (kind == index::ExprKind::FloorDiv || kind == index::ExprKind::Mod) return true;
    const auto operands = arena.operands(e);
    return std::any_of(operands.begin(), operands.end(), [&](IndexExpr operand) { return self(self, operand); });
  };
  return std::any_of(expressions.begin(), expressions.end(), [&](IndexExpr e) { return visit(visit, e); });
}

std::vector<IndexExpr> splitPoints(IndexArena& arena, const std::vector<IndexExpr>& expressions, IndexExpr variable,
                                   IndexExpr extent) {
  FactorFinder finder(arena, variable);
  for (const IndexExpr e : expressions) finder.visit(e);
  std::vector<IndexExpr> chain;
  for (const IndexExpr factor : finder.factors()) {
    if (!arena.provedPositive(factor) && arena.asConstant(factor)) continue;
    if (arena.isConstant(factor, 1) || factor == extent || !divides(arena, factor, extent)) continue;
    // The place in the chain where it divides all that follow and is divided by all before.
    size_t at = 0;
    while (at < chain.size() && divides(arena, chain[at], factor)) ++at;
    const bool fits = at == chain.size() || divides(arena, factor, chain[at]);
    if (fits) chain.insert(chain.begin() + static_cast<std::ptrdiff_t>(at), factor);
  }
  return chain;
}

}  // namespace braid::scheduler
