#pragma once
// One step back: which element of an operand a movement op's result element is.

#include <vector>

#include "ir/axis.h"
#include "scheduler/pull.h"

namespace braid::scheduler {

/// The operand's index for the result's `index`. For pad and cat an operand index may lie outside the operand; `inside`
/// is the condition that it does not (constant 1 where that is proved or the op cannot leave the operand).
struct OperandIndex {
  std::vector<IndexExpr> index;
  IndexExpr inside;
};

OperandIndex operandIndex(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, const ir::Expr& expr,
                          size_t operand, const std::vector<IndexExpr>& index);

}  // namespace braid::scheduler
