#include "runtime/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/overloaded.h"
#include "braid/error.h"
#include "index/interval.h"

namespace braid::runtime {

using device_lower::IndexWidth;
using device_lower::Kernel;
using device_lower::Statement;
using index::ExprKind;
using index::IndexExpr;
using index::Range;

namespace {

// With s = ceil(log2 d) and m = floor(2^N (2^s - d) / d) + 1 the sum mulhi(n, m) + n is floor(n 2^s / d + e), where
// 0 <= e < n / 2^N < 1/2; shifted by s that is floor(n / d), since n 2^s / d is at least 2^s / d below the next
// multiple of 2^s. For n < 2^(N-1) the sum does not overflow.
template <class Unsigned, class Wide>
FastDivisor<Unsigned> fastDivisor(Unsigned divisor) {
  constexpr unsigned kBits = sizeof(Unsigned) * 8;
  divisor = std::max<Unsigned>(divisor, 1);
  // Such a divisor is larger than every n.
  if (divisor > Unsigned(1) << (kBits - 1)) return {divisor, 0, kBits - 1};
  const auto shift = static_cast<unsigned>(std::bit_width(static_cast<Unsigned>(divisor - 1)));
  const Wide difference = (Wide(1) << shift) - divisor;
  const auto multiplier = static_cast<Unsigned>((difference << kBits) / divisor + 1);
  return {divisor, multiplier, shift};
}

bool fits(const Range& range) {
  return index::isEmpty(range) || (range.lo && range.hi && *range.lo >= INT32_MIN && *range.hi <= INT32_MAX);
}

Range negated(const Range& range) { return index::mulRanges(range, index::exactly(-1)); }

/// A step's range, folded from the left as the generated code computes it.
Range rangeOf(ExprKind kind, const Range& a, const Range& b) {
  switch (kind) {
    case ExprKind::Add:
      return index::addRanges(a, b);
    case ExprKind::Mul:
      return index::mulRanges(a, b);
    case ExprKind::FloorDiv:
      return index::floorDivRanges(a, b);
    case ExprKind::Mod:
      return index::modRanges(a, b);
    case ExprKind::Min:
      return index::minRanges(a, b);
    case ExprKind::Max:
      return index::maxRanges(a, b);
    case ExprKind::Less:
    case ExprKind::Equal:
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

/// What else is computed on the way to a value: partial sums and products in any order (the text moves the constant
/// last and subtracts what is negative), and the multiple of the divisor that a remainder is taken from.
Range onTheWay(const IndexStep& step, const std::vector<Range>& ranges) {
  const auto operand = [&](size_t n) -> const Range& { return ranges[step.operands[n].value]; };
  if (step.kind == ExprKind::Mod) {
    const Range& divisor = operand(1);
    if (!operand(0).lo || !divisor.hi || *operand(0).lo >= 0) return index::exactly(0);
    return index::addRanges(index::exactly(*operand(0).lo), index::exactly(1 - *divisor.hi));
  }
  if (step.kind != ExprKind::Add && step.kind != ExprKind::Mul) return index::exactly(0);
  const bool isSum = step.kind == ExprKind::Add;
  Range result = index::exactly(isSum ? 0 : 1);
  for (size_t n = 0; n < step.operands.size(); ++n) {
    const Range wide = index::hull(operand(n), index::exactly(isSum ? 0 : 1));
    result = isSum ? index::addRanges(result, wide) : index::mulRanges(result, wide);
  }
  return isSum ? result : index::hull(result, negated(result));
}

}  // namespace

FastDivisor<uint32_t> fastDivisor32(uint32_t divisor) { return fastDivisor<uint32_t, uint64_t>(divisor); }
FastDivisor<uint64_t> fastDivisor64(uint64_t divisor) { return fastDivisor<uint64_t, unsigned __int128>(divisor); }

LaunchPlanner::LaunchPlanner(const Kernel& kernel)
    : kernel_(kernel.name),
      blockThreads_(kernel.blockThreads),
      divisors_(kernel.divisors.size()),
      parts_(kernel.parts.size()) {
  std::vector<IndexExpr> results = kernel.divisors;
  for (const device_lower::Part& part : kernel.parts) results.push_back(part.threads);
  launch_ = index::FlatProgram(*kernel.arena, results, kernel.symbols);

  IndexSlots slots(kernel);
  std::vector<IndexStep> divisorSteps;
  for (const IndexExpr divisor : kernel.divisors) slots.slotOf(divisor, divisorSteps);
  addSteps(divisorSteps);
  for (const device_lower::Part& part : kernel.parts) {
    std::vector<IndexStep> steps;
    const SlotId threads = slots.slotOf(part.threads, steps);
    addSteps(steps);
    slots.enterScope();
    const SlotId thread = slots.newSlot();
    slots.bind(part.thread, thread);
    steps_.push_back(Limit{thread, std::nullopt, threads, {0, std::nullopt}});
    addBody(kernel, slots, part.body);
    slots.leaveScope();
  }
  slots_ = slots.count();
  symbolSlots_ = slots.symbols();
  constants_ = slots.constants();
}

void LaunchPlanner::addSteps(const std::vector<IndexStep>& steps) {
  for (const IndexStep& step : steps) steps_.push_back(step);
}

SlotId LaunchPlanner::addSymbol(const Kernel& kernel, IndexSlots& slots, IndexExpr symbol,
                                std::optional<SlotId> value) {
  const index::SymbolFacts& facts = kernel.arena->symbolFacts(symbol);
  Limit limit{{}, value, std::nullopt, facts.range};
  if (facts.exclusiveUpper && slots.isBound(*facts.exclusiveUpper)) {
    std::vector<IndexStep> steps;
    limit.exclusiveUpper = slots.slotOf(*facts.exclusiveUpper, steps);
    addSteps(steps);
  }
  limit.slot = slots.newSlot();
  slots.bind(symbol, limit.slot);
  steps_.push_back(limit);
  return limit.slot;
}

void LaunchPlanner::addBody(const Kernel& kernel, IndexSlots& slots, const std::vector<Statement>& body) {
  const auto add = [&](IndexExpr e) {
    std::vector<IndexStep> steps;
    const SlotId slot = slots.slotOf(e, steps);
    addSteps(steps);
    return slot;
  };
  const auto addIfValid = [&](IndexExpr e) {
    if (e.valid()) add(e);
  };
  const auto nested = [&](const std::vector<Statement>& inner, const auto& bind) {
    slots.enterScope();
    bind();
    addBody(kernel, slots, inner);
    slots.leaveScope();
  };
  for (const Statement& statement : body) {
    std::visit(overloaded{
                   [&](const device_lower::LetIndex& let) { addSymbol(kernel, slots, let.symbol, add(let.value)); },
                   [&](const device_lower::Load& load) {
                     add(load.offset);
                     addIfValid(load.predicate);
                   },
                   [&](const device_lower::Compute&) {},
                   [&](const device_lower::SelectLanes& select) {
                     for (const IndexExpr condition : select.conditions) add(condition);
                   },
                   [&](const device_lower::FromIndex& from) {
                     for (const IndexExpr position : from.positions) add(position);
                   },
                   [&](const device_lower::Fill&) {},
                   [&](const device_lower::Store& store) {
                     add(store.offset);
                     addIfValid(store.predicate);
                   },
                   [&](const device_lower::Loop& loop) {
                     const SlotId extent = add(loop.extent);
                     nested(loop.body, [&] {
                       const SlotId variable = slots.newSlot();
                       slots.bind(loop.variable, variable);
                       steps_.push_back(Limit{variable, std::nullopt, extent, {0, std::nullopt}});
                     });
                   },
                   [&](const device_lower::Guard& guard) {
                     add(guard.condition);
                     nested(guard.body, [] {});
                   },
               },
               statement.node);
  }
}

Range LaunchPlanner::rangeOf(const Limit& limit, const std::vector<Range>& ranges) const {
  Range range = limit.range;
  if (limit.value) range = index::intersect(range, ranges[limit.value->value]);
  if (!limit.exclusiveUpper) return range;
  const Range& upper = ranges[limit.exclusiveUpper->value];
  if (index::isEmpty(upper) || !upper.hi) return range;
  return index::intersect(range, {std::nullopt, index::addRanges(index::exactly(*upper.hi), index::exactly(-1)).hi});
}

bool LaunchPlanner::fitsIn32Bits(const std::vector<int64_t>& symbols) const {
  std::vector<Range> ranges(slots_);
  for (size_t i = 0; i < symbols.size(); ++i) {
    ranges[symbolSlots_[i].value] = index::exactly(symbols[i]);
    if (!fits(index::exactly(symbols[i]))) return false;
  }
  for (const auto& [slot, value] : constants_) {
    ranges[slot.value] = index::exactly(value);
    if (!fits(index::exactly(value))) return false;
  }
  for (const Step& each : steps_) {
    if (const auto* limit = std::get_if<Limit>(&each)) {
      ranges[limit->slot.value] = rangeOf(*limit, ranges);
      continue;
    }
    const auto& step = std::get<IndexStep>(each);
    const auto operand = [&](size_t n) -> const Range& { return ranges[step.operands[n].value]; };
    Range result = operand(0);
    if (step.kind == ExprKind::Select) {
      result = index::hull(operand(1), operand(2));
    } else if (step.kind == ExprKind::Not) {
      result = {0, 1};
    } else {
      for (size_t n = 1; n < step.operands.size(); ++n) result = runtime::rangeOf(step.kind, result, operand(n));
    }
    if (!fits(result) || !fits(onTheWay(step, ranges))) return false;
    ranges[step.slot.value] = result;
  }
  return true;
}

LaunchPlan LaunchPlanner::plan(const ir::Symbols& symbols) const {
  LaunchPlan plan;
  for (const std::string& name : launch_.inputs()) {
    const auto it = symbols.find(name);
    BRAID_CHECK(it != symbols.end(), "kernel {}: symbol {} is not bound", kernel_, name);
    plan.symbols.push_back(it->second);
  }
  const std::vector<int64_t> values = launch_.evaluate(plan.symbols);
  plan.divisors.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(divisors_));
  plan.partThreads.assign(values.begin() + static_cast<std::ptrdiff_t>(divisors_), values.end());
  for (const int64_t threads : plan.partThreads) {
    plan.partBlocks.push_back(threads / blockThreads_ + (threads % blockThreads_ != 0 ? 1 : 0));
    plan.blocks += plan.partBlocks.back();
    if (plan.blocks <= INT32_MAX) continue;
    throw Error(ErrorCode::InvalidExtent, fmt::format("{}: {} threads in blocks of {} are more than 2^31 - 1 blocks",
                                                      kernel_, threads, blockThreads_));
  }
  if (plan.blocks == 0) return plan;
  plan.width = fitsIn32Bits(plan.symbols) ? IndexWidth::Bits32 : IndexWidth::Bits64;
  return plan;
}

LaunchPlan planLaunch(const Kernel& kernel, const ir::Symbols& symbols) { return LaunchPlanner(kernel).plan(symbols); }

}  // namespace braid::runtime
