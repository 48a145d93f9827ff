#include "scheduler/index_map.h"

#include "base/check.h"
#include "base/overloaded.h"

namespace braid::scheduler {

namespace {

// Only these ops have result positions that no operand element stands behind.
bool mayLeaveOperand(const ir::Op& op) {
  return std::holds_alternative<ir::Pad>(op) || std::holds_alternative<ir::Cat>(op);
}

}  // namespace

OperandIndex operandIndex(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, const ir::Expr& expr,
                          size_t operand, const std::vector<IndexExpr>& index) {
  const ir::AxisTransforms axes = ir::axisTransforms(fusion, expr, operand);
  BRAID_CHECK(axes.logical.size() == index.size(), "{} axes and {} indices", axes.logical.size(), index.size());
  IdMap<ir::AxisId, IndexExpr> at(axes.extents.size());
  const auto extent = [&](ir::AxisId axis) { return importExtent(arena, facts, axes.extents[axis.value]); };
  for (size_t i = 0; i < index.size(); ++i) at[axes.logical[i]] = index[i];

  IndexExpr inside = arena.truth(true);
  for (auto it = axes.transforms.rbegin(); it != axes.transforms.rend(); ++it) {
    std::visit(
        overloaded{
            [&](const ir::Split& t) {
              const IndexExpr factor = importExtent(arena, facts, t.factor);
              at[t.in] = arena.add(arena.mul(at[t.outer], factor), at[t.inner]);
            },
            [&](const ir::Merge& t) {
              at[t.outer] = arena.floorDiv(at[t.out], extent(t.inner));
              at[t.inner] = arena.mod(at[t.out], extent(t.inner));
            },
            [&](const ir::Resize& t) {
              at[t.in] = arena.sub(at[t.out], importExtent(arena, facts, t.lo));
              if (!mayLeaveOperand(expr.op)) return;
              inside = arena.logicalAnd(inside, arena.lessEqual(arena.constant(0), at[t.in]));
              inside = arena.logicalAnd(inside, arena.less(at[t.in], extent(t.in)));
            },
            [&](const ir::FlipAxis& t) { at[t.in] = arena.sub(arena.sub(extent(t.in), at[t.out]), 1); },
            [&](const ir::StrideAxis& t) { at[t.in] = arena.mul(at[t.out], importExtent(arena, facts, t.step)); },
            [&](const ir::BroadcastAxis& t) {
              if (t.in.valid()) at[t.in] = arena.constant(0);
            },
        },
        *it);
  }
  OperandIndex result;
  for (const ir::AxisId axis : axes.root) {
    // An axis that no transform passes on has extent 1 (squeeze): its one index is 0.
    result.index.push_back(at[axis].valid() ? at[axis] : arena.constant(0));
  }
  result.inside = inside;
  return result;
}

}  // namespace braid::scheduler
