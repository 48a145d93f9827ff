// FlatProgram: expressions as a list of steps, each after its operands.

#include <algorithm>
#include <unordered_map>

#include "base/check.h"
#include "index/checked.h"
#include "index/expr.h"
#include "index/interval.h"

namespace braid::index {

namespace {

using Value = std::optional<int64_t>;  // nothing: 64 bits overflowed

Value fold(ExprKind kind, Value a, Value b) {
  if (!a || !b) return std::nullopt;
  switch (kind) {
    case ExprKind::Add:
      return tryAdd(*a, *b);
    case ExprKind::Mul:
      return tryMul(*a, *b);
    case ExprKind::FloorDiv:
      if (*b == 0) return 0;
      if (*a == INT64_MIN && *b == -1) return std::nullopt;
      return floorDivide(*a, *b);
    case ExprKind::Mod:
      return *b == 0 ? *a : floorModulo(*a, *b);
    case ExprKind::Min:
      return std::min(*a, *b);
    case ExprKind::Max:
      return std::max(*a, *b);
    case ExprKind::Less:
      return *a < *b;
    case ExprKind::Equal:
      return *a == *b;
    case ExprKind::And:
      return *a != 0 && *b != 0;
    case ExprKind::Or:
      return *a != 0 || *b != 0;
    case ExprKind::Constant:
    case ExprKind::Symbol:
    case ExprKind::Select:
    case ExprKind::Not:
      break;
  }
  BRAID_CHECK(false, "kind {} has no two operands", static_cast<int>(kind));
  return std::nullopt;
}

Range foldRanges(ExprKind kind, const Range& a, const Range& b) {
  switch (kind) {
    case ExprKind::Add:
      return addRanges(a, b);
    case ExprKind::Mul:
      return mulRanges(a, b);
    case ExprKind::FloorDiv:
      return floorDivRanges(a, b);
    case ExprKind::Mod:
      return modRanges(a, b);
    case ExprKind::Min:
      return minRanges(a, b);
    case ExprKind::Max:
      return maxRanges(a, b);
    case ExprKind::Less:
      return lessRanges(a, b);
    case ExprKind::Equal:
      return equalRanges(a, b);
    case ExprKind::And:
    case ExprKind::Or:
      return {0, 1};
    case ExprKind::Constant:
    case ExprKind::Symbol:
    case ExprKind::Select:
    case ExprKind::Not:
      break;
  }
  BRAID_CHECK(false, "kind {} has no two operands", static_cast<int>(kind));
  return {};
}

/// Every partial sum or product, in whatever order it is computed.
Range partialRange(ExprKind kind, const std::vector<Range>& operands) {
  Range result = exactly(kind == ExprKind::Add ? 0 : 1);
  for (const Range& operand : operands) {
    if (kind == ExprKind::Add) {
      result = addRanges(result, hull(operand, exactly(0)));
    } else {
      result = mulRanges(result, hull(operand, exactly(1)));
    }
  }
  return result;
}

}  // namespace

FlatProgram::FlatProgram(const IndexArena& arena, std::span<const IndexExpr> results, std::vector<std::string> inputs)
    : inputs_(std::move(inputs)) {
  std::unordered_map<uint32_t, uint32_t> stepOf;
  std::vector<IndexExpr> pending(results.begin(), results.end());
  std::vector<uint32_t> needed;
  std::unordered_map<uint32_t, bool> seen;
  while (!pending.empty()) {
    const IndexExpr e = pending.back();
    pending.pop_back();
    if (!seen.emplace(e.id, true).second) continue;
    needed.push_back(e.id);
    for (const IndexExpr operand : arena.operands(e)) pending.push_back(operand);
  }
  // Operands have smaller handles than their users.
  std::sort(needed.begin(), needed.end());
  for (const uint32_t id : needed) {
    const IndexExpr e{id};
    Step step{arena.kind(e), 0, {}};
    if (step.kind == ExprKind::Constant) step.constant = *arena.asConstant(e);
    if (step.kind == ExprKind::Symbol) {
      const auto slot = std::find(inputs_.begin(), inputs_.end(), arena.symbolName(e));
      BRAID_CHECK(slot != inputs_.end(), "symbol {} is no input of the program", arena.symbolName(e));
      step.constant = slot - inputs_.begin();
    }
    for (const IndexExpr operand : arena.operands(e)) step.operands.push_back(stepOf.at(operand.id));
    stepOf.emplace(id, static_cast<uint32_t>(steps_.size()));
    steps_.push_back(std::move(step));
  }
  for (const IndexExpr e : results) results_.push_back(stepOf.at(e.id));
}

std::vector<int64_t> FlatProgram::evaluate(std::span<const int64_t> inputs) const {
  BRAID_CHECK(inputs.size() == inputs_.size(), "{} values for {} inputs", inputs.size(), inputs_.size());
  // An overflow counts only where a result depends on it: a select may avoid it.
  std::vector<Value> values(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const auto operand = [&](size_t n) { return values[step.operands[n]]; };
    if (step.kind == ExprKind::Constant) {
      values[i] = step.constant;
    } else if (step.kind == ExprKind::Symbol) {
      values[i] = inputs[static_cast<size_t>(step.constant)];
    } else if (step.kind == ExprKind::Select) {
      if (operand(0)) values[i] = *operand(0) != 0 ? operand(1) : operand(2);
    } else if (step.kind == ExprKind::Not) {
      if (operand(0)) values[i] = *operand(0) == 0;
    } else {
      values[i] = operand(0);
      for (size_t n = 1; n < step.operands.size(); ++n) values[i] = fold(step.kind, values[i], operand(n));
    }
  }
  std::vector<int64_t> results;
  results.reserve(results_.size());
  for (const uint32_t step : results_) {
    if (!values[step]) throwOverflow();
    results.push_back(*values[step]);
  }
  return results;
}

Range FlatProgram::intermediateBounds(std::span<const Range> inputs) const {
  BRAID_CHECK(inputs.size() == inputs_.size(), "{} ranges for {} inputs", inputs.size(), inputs_.size());
  std::vector<Range> ranges(steps_.size());
  Range all{1, 0};
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const auto operand = [&](size_t n) -> const Range& { return ranges[step.operands[n]]; };
    if (step.kind == ExprKind::Constant) {
      ranges[i] = exactly(step.constant);
    } else if (step.kind == ExprKind::Symbol) {
      ranges[i] = inputs[static_cast<size_t>(step.constant)];
    } else if (step.kind == ExprKind::Select) {
      ranges[i] = hull(operand(1), operand(2));
    } else if (step.kind == ExprKind::Not) {
      ranges[i] = {0, 1};
    } else {
      ranges[i] = operand(0);
      for (size_t n = 1; n < step.operands.size(); ++n) ranges[i] = foldRanges(step.kind, ranges[i], operand(n));
      if (step.kind == ExprKind::Add || step.kind == ExprKind::Mul) {
        std::vector<Range> operands;
        for (const uint32_t n : step.operands) operands.push_back(ranges[n]);
        all = hull(all, partialRange(step.kind, operands));
      }
    }
    all = hull(all, ranges[i]);
  }
  return isEmpty(all) ? exactly(0) : all;
}

}  // namespace braid::index
