#include "scheduler/demand.h"

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace braid::scheduler {

namespace {

using Conjunction = std::vector<IndexExpr>;  // sorted, each condition once

bool contains(const Conjunction& conjunction, IndexExpr condition) {
  return std::binary_search(conjunction.begin(), conjunction.end(), condition);
}

bool isSubset(const Conjunction& small, const Conjunction& large) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

Conjunction without(const Conjunction& conjunction, IndexExpr condition) {
  Conjunction rest;
  for (const IndexExpr each : conjunction) {
    if (each != condition) rest.push_back(each);
  }
  return rest;
}

/// The parts of `a && b && …`.
Conjunction atomsOf(IndexExpr condition, const IndexArena& arena) {
  if (arena.kind(condition) != index::ExprKind::And) return {condition};
  Conjunction atoms;
  for (const IndexExpr operand : arena.operands(condition)) {
    for (const IndexExpr atom : atomsOf(operand, arena)) atoms.push_back(atom);
  }
  std::sort(atoms.begin(), atoms.end());
  return atoms;
}

/// conjunction && condition, or nothing when that can never hold.
std::optional<Conjunction> conjoin(Conjunction conjunction, IndexExpr condition, IndexArena& arena) {
  if (const auto known = arena.asConstant(condition)) {
    if (*known == 0) return std::nullopt;
    return conjunction;
  }
  for (const IndexExpr atom : atomsOf(condition, arena)) {
    const IndexExpr opposite = arena.logicalNot(atom);
    if (contains(conjunction, opposite)) return std::nullopt;
    for (const IndexExpr each : conjunction) {
      if (arena.isConstant(arena.logicalAnd(each, atom), 0)) return std::nullopt;
    }
    if (!contains(conjunction, atom)) {
      conjunction.insert(std::lower_bound(conjunction.begin(), conjunction.end(), atom), atom);
    }
  }
  return conjunction;
}

/// Points every operand and root to where `target` says its node went.
void redirect(PullGraph& graph, const std::vector<PullId>& target) {
  const auto follow = [&](PullOperand& operand) {
    if (auto* id = std::get_if<PullId>(&operand)) {
      while (target[id->value] != *id) *id = target[id->value];
    }
  };
  for (PullNode& node : graph.nodes) {
    for (PullOperand& operand : node.operands) follow(operand);
  }
  for (PullOperand& root : graph.roots) follow(root);
}

std::vector<PullId> identity(const PullGraph& graph) {
  std::vector<PullId> target(graph.nodes.size());
  for (uint32_t i = 0; i < target.size(); ++i) target[i] = PullId{i};
  return target;
}

/// Drops nodes that no root reaches, keeping the order.
void dropUnreached(PullGraph& graph) {
  std::vector<char> reached(graph.nodes.size(), 0);
  const auto mark = [&](const PullOperand& operand) {
    if (const auto* id = std::get_if<PullId>(&operand)) reached[id->value] = 1;
  };
  for (const PullOperand& root : graph.roots) mark(root);
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    if (!reached[i]) continue;
    for (const PullOperand& operand : graph.nodes[i].operands) mark(operand);
  }
  std::vector<PullId> renumbered(graph.nodes.size());
  std::vector<PullNode> kept;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!reached[i]) continue;
    renumbered[i] = PullId{static_cast<uint32_t>(kept.size())};
    kept.push_back(std::move(graph.nodes[i]));
  }
  graph.nodes = std::move(kept);
  const auto renumber = [&](PullOperand& operand) {
    if (auto* id = std::get_if<PullId>(&operand)) *id = renumbered[id->value];
  };
  for (PullNode& node : graph.nodes) {
    for (PullOperand& operand : node.operands) renumber(operand);
  }
  for (PullOperand& root : graph.roots) renumber(root);
}

/// One walk from the roots to the loads. Returns whether a select was decided.
bool spreadDemand(PullGraph& graph, IndexArena& arena, const std::vector<Demand>& atRoots) {
  for (PullNode& node : graph.nodes) node.demand.clear();
  const auto want = [&](const PullOperand& operand, const Demand& demand) {
    const auto* id = std::get_if<PullId>(&operand);
    if (id == nullptr) return;
    for (const Conjunction& conjunction : demand) {
      addConjunction(graph.nodes[id->value].demand, conjunction, arena);
    }
  };
  for (size_t i = 0; i < graph.roots.size(); ++i) want(graph.roots[i], atRoots[i]);

  std::vector<PullId> target = identity(graph);
  bool decided = false;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    PullNode& node = graph.nodes[i];
    if (node.demand.empty()) continue;
    const auto* select = std::get_if<PullSelect>(&node.kind);
    if (select == nullptr) {
      for (const PullOperand& operand : node.operands) want(operand, node.demand);
      continue;
    }
    const IndexExpr otherwise = arena.logicalNot(select->condition);
    const bool always = implies(node.demand, select->condition, arena);
    if (!always && !implies(node.demand, otherwise, arena)) {
      want(node.operands[0], demandWhere(node.demand, select->condition, arena));
      want(node.operands[1], demandWhere(node.demand, otherwise, arena));
      continue;
    }
    decided = true;
    const PullOperand taken = node.operands[always ? 0 : 1];
    want(taken, node.demand);
    if (const auto* id = std::get_if<PullId>(&taken)) {
      target[i] = *id;
    } else {
      node.kind = PullConstant{};
      node.operands = {taken};
    }
  }
  redirect(graph, target);
  return decided;
}

}  // namespace

void addConjunction(Demand& demand, std::vector<IndexExpr> conjunction, IndexArena& arena) {
  for (const Conjunction& each : demand) {
    if (isSubset(each, conjunction)) return;
  }
  std::erase_if(demand, [&](const Conjunction& each) { return isSubset(conjunction, each); });
  for (size_t i = 0; i < demand.size(); ++i) {
    if (demand[i].size() != conjunction.size()) continue;
    for (const IndexExpr atom : conjunction) {
      const IndexExpr opposite = arena.logicalNot(atom);
      if (!contains(demand[i], opposite) || without(demand[i], opposite) != without(conjunction, atom)) continue;
      demand.erase(demand.begin() + static_cast<std::ptrdiff_t>(i));
      addConjunction(demand, without(conjunction, atom), arena);
      return;
    }
  }
  demand.push_back(std::move(conjunction));
}

Demand demandWhere(const Demand& demand, IndexExpr condition, IndexArena& arena) {
  Demand result;
  for (const Conjunction& each : demand) {
    if (auto both = conjoin(each, condition, arena)) addConjunction(result, std::move(*both), arena);
  }
  return result;
}

bool implies(const Demand& demand, IndexExpr condition, IndexArena& arena) {
  const IndexExpr opposite = arena.logicalNot(condition);
  return std::all_of(demand.begin(), demand.end(),
                     [&](const Conjunction& each) { return !conjoin(each, opposite, arena).has_value(); });
}

void simplifyByDemand(PullGraph& graph, IndexArena& arena, const std::vector<IndexExpr>& guards) {
  std::vector<Demand> atRoots;
  for (const IndexExpr guard : guards) {
    atRoots.push_back(guard.valid() ? demandWhere({{}}, guard, arena) : Demand{{}});
  }
  while (spreadDemand(graph, arena, atRoots)) {
    // Each round decides at least one select and there are finitely many.
  }
  dropUnreached(graph);
}

bool joinComplementaryLoads(PullGraph& graph, IndexArena& arena, const MayJoin& mayJoin) {
  std::vector<PullId> target = identity(graph);
  bool changed = false;
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (target[i] != PullId{i}) continue;
    for (uint32_t j = i + 1; j < graph.nodes.size(); ++j) {
      PullNode& first = graph.nodes[i];
      const PullNode& second = graph.nodes[j];
      const auto* a = std::get_if<PullLoad>(&first.kind);
      const auto* b = std::get_if<PullLoad>(&second.kind);
      if (a == nullptr) break;
      if (b == nullptr || target[j] != PullId{j} || a->tensor != b->tensor) continue;
      if (first.demand.size() != 1 || second.demand.size() != 1) continue;
      for (const IndexExpr atom : first.demand[0]) {
        const IndexExpr opposite = arena.logicalNot(atom);
        if (!contains(second.demand[0], opposite)) continue;
        const Conjunction common = without(first.demand[0], atom);
        if (common != without(second.demand[0], opposite)) continue;
        PullNode joined = first;
        auto& places = std::get<PullLoad>(joined.kind).alternatives;
        for (auto& place : places) {
          place.condition = place.condition.valid() ? arena.logicalAnd(atom, place.condition) : atom;
        }
        places.insert(places.end(), b->alternatives.begin(), b->alternatives.end());
        joined.demand = {common};
        if (!mayJoin(first, second, joined)) continue;
        first = std::move(joined);
        target[j] = PullId{i};
        changed = true;
        break;
      }
    }
  }
  if (changed) {
    redirect(graph, target);
    dropUnreached(graph);
  }
  return changed;
}

IndexExpr demandCondition(IndexArena& arena, const Demand& demand) {
  BRAID_CHECK(!demand.empty(), "a node that nothing wants has no condition");
  IndexExpr any = arena.truth(false);
  for (const Conjunction& conjunction : demand) {
    IndexExpr all = arena.truth(true);
    for (const IndexExpr atom : conjunction) all = arena.logicalAnd(all, atom);
    any = arena.logicalOr(any, all);
  }
  return arena.isConstant(any, 1) ? IndexExpr{} : any;
}

}  // namespace braid::scheduler
