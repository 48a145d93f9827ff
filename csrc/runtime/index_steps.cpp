#include "runtime/index_steps.h"

#include <algorithm>

#include "base/check.h"

namespace braid::runtime {

using index::ExprKind;
using index::IndexExpr;

IndexSlots::IndexSlots(const device_lower::Kernel& kernel) : kernel_(kernel) {
  enterScope();
  for (const std::string& name : kernel.symbols) {
    symbols_.push_back(newSlot());
    // A symbol that the arena does not know occurs in no expression.
    if (const auto symbol = kernel.arena->findSymbol(name)) bind(*symbol, symbols_.back());
  }
}

std::optional<SlotId> IndexSlots::find(IndexExpr e) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto it = scope->slots.find(e); it != scope->slots.end()) return it->second;
  }
  return std::nullopt;
}

bool IndexSlots::isBound(IndexExpr e) const {
  const std::vector<IndexExpr> symbols = kernel_.arena->symbolsOf(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](IndexExpr symbol) { return find(symbol).has_value(); });
}

SlotId IndexSlots::slotOf(IndexExpr e, std::vector<IndexStep>& steps) {
  if (const auto known = find(e)) return *known;
  const index::IndexArena& arena = *kernel_.arena;
  if (const auto constant = arena.asConstant(e)) {
    const SlotId slot = newSlot();
    constants_.emplace_back(slot, *constant);
    scopes_.front().slots[e] = slot;
    return slot;
  }
  BRAID_CHECK(arena.kind(e) != ExprKind::Symbol, "kernel {}: symbol {} has no value here", kernel_.name,
              arena.symbolName(e));
  IndexStep step{arena.kind(e), {}, {}};
  for (const IndexExpr operand : arena.operands(e)) step.operands.push_back(slotOf(operand, steps));
  step.slot = newSlot();
  bind(e, step.slot);
  steps.push_back(step);
  return step.slot;
}

}  // namespace braid::runtime
