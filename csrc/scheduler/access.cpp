#include "scheduler/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace braid::scheduler {

namespace {

class AccessPlanner {
 public:
  AccessPlanner(IndexArena& arena, const AccessRequest& request) : arena_(arena), request_(request) {}

  void cover(int first, int width) {
    if (width == 1) {
      accesses_.push_back(single(first));
      return;
    }
    if (width * request_.elementBytes <= std::min(kMaxAccessBytes, request_.alignmentBytes)) {
      if (const auto access = run(first, width)) {
        accesses_.push_back(*access);
        return;
      }
    }
    cover(first, width / 2);
    cover(first + width / 2, width / 2);
  }

  std::vector<Access> take() { return std::move(accesses_); }

 private:
  /// One access for lanes first … first + width - 1, if that is legal.
  std::optional<Access> run(int first, int width) {
    const IndexExpr step = arena_.loopVariable(fmt::format("lane{}", width), arena_.constant(width));
    const std::pair<IndexExpr, IndexExpr> replacement{request_.lane, arena_.add(step, first)};
    const auto inRun = [&](IndexExpr e) { return request_.lane.valid() ? arena_.substitute(e, {&replacement, 1}) : e; };
    IndexExpr predicate;
    if (request_.predicate.valid()) {
      predicate = inRun(request_.predicate);
      if (arena_.dependsOn(predicate, step)) return std::nullopt;
    }
    std::optional<IndexExpr> offset;
    // From the last place, which holds where no earlier one does, to the first.
    for (auto it = request_.places.rbegin(); it != request_.places.rend(); ++it) {
      const auto linear = arena_.linearIn(inRun(it->offset), step);
      if (!linear || !arena_.isConstant(linear->coefficient, 1)) return std::nullopt;
      if (!arena_.isDivisibleBy(linear->rest, width)) return std::nullopt;
      if (!offset) {
        offset = linear->rest;
        continue;
      }
      const IndexExpr condition = whereWanted(inRun(it->condition), predicate);
      if (arena_.dependsOn(condition, step)) return std::nullopt;
      offset = selectOffset(arena_, condition, linear->rest, *offset);
    }
    if (predicate.valid() && arena_.isConstant(predicate, 1)) predicate = IndexExpr{};
    return Access{first, width, *offset, predicate};
  }

  Access single(int first) {
    const auto atFirst = [&](IndexExpr e) { return atLane(arena_, e, request_.lane, first); };
    Access access{first, 1, {}, {}};
    if (request_.predicate.valid()) {
      access.predicate = atFirst(request_.predicate);
      if (arena_.isConstant(access.predicate, 1)) access.predicate = IndexExpr{};
    }
    for (auto it = request_.places.rbegin(); it != request_.places.rend(); ++it) {
      const IndexExpr offset = atFirst(it->offset);
      if (!access.offset.valid()) {
        access.offset = offset;
        continue;
      }
      const IndexExpr condition = whereWanted(atFirst(it->condition), access.predicate);
      access.offset = selectOffset(arena_, condition, offset, access.offset);
    }
    return access;
  }

  /// The condition as far as it is not decided wherever the access is made.
  IndexExpr whereWanted(IndexExpr condition, IndexExpr predicate) {
    if (!predicate.valid()) return condition;
    const IndexExpr both = arena_.logicalAnd(predicate, condition);
    if (arena_.isConstant(both, 0)) return both;
    return both == predicate ? arena_.truth(true) : condition;
  }

  IndexArena& arena_;
  const AccessRequest& request_;
  std::vector<Access> accesses_;
};

/// The constant term of a sum.
int64_t constantTerm(const IndexArena& arena, IndexExpr e) {
  if (const auto value = arena.asConstant(e)) return *value;
  if (arena.kind(e) != index::ExprKind::Add) return 0;
  for (const IndexExpr operand : arena.operands(e)) {
    if (const auto value = arena.asConstant(operand)) return *value;
  }
  return 0;
}

}  // namespace

std::vector<Access> planAccesses(IndexArena& arena, const AccessRequest& request) {
  AccessPlanner planner(arena, request);
  planner.cover(0, request.lanes);
  return planner.take();
}

IndexExpr atLane(IndexArena& arena, IndexExpr e, IndexExpr lane, int value) {
  if (!lane.valid()) return e;
  const std::pair<IndexExpr, IndexExpr> replacement{lane, arena.constant(value)};
  return arena.substitute(e, {&replacement, 1});
}

IndexExpr selectOffset(IndexArena& arena, IndexExpr condition, IndexExpr a, IndexExpr b) {
  if (const auto known = arena.asConstant(condition)) return *known ? a : b;
  const int64_t ca = constantTerm(arena, a);
  const int64_t cb = constantTerm(arena, b);
  // base + (condition ? ca : cb): the base is computed once and shared with the tensor's other accesses.
  const IndexExpr base = arena.sub(a, ca);
  if (base == arena.sub(b, cb)) {
    return arena.add(base, arena.select(condition, arena.constant(ca), arena.constant(cb)));
  }
  return arena.select(condition, a, b);
}

}  // namespace braid::scheduler
