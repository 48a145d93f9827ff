#pragma once
// Index expressions of a kernel as lists of steps, in the order in which its statements need them. The launch planner
// runs the steps on intervals, the host executor on one value for each thread of a block.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device_lower/kernel_ir.h"

namespace braid::runtime {

using SlotId = Id<struct SlotTag>;

/// slot := kind(operands), operands folded from the left.
struct IndexStep {
  index::ExprKind kind;
  SlotId slot;
  std::vector<SlotId> operands;
};

/// Finds or makes the slot of an expression. What is computed inside a scope (a loop, a guard) is forgotten after it;
/// constants and the symbols of the launch have one slot each.
class IndexSlots {
 public:
  explicit IndexSlots(const device_lower::Kernel& kernel);

  void enterScope() { scopes_.emplace_back(); }
  void leaveScope() { scopes_.pop_back(); }
  SlotId newSlot() { return SlotId{count_++}; }
  /// From here to the end of the scope the symbol is what is in that slot.
  void bind(index::IndexExpr symbol, SlotId slot) { scopes_.back().slots[symbol] = slot; }
  /// True if every symbol in the expression is bound here.
  bool isBound(index::IndexExpr e) const;
  /// The slot of an expression; what is not there yet is appended to `steps`.
  SlotId slotOf(index::IndexExpr e, std::vector<IndexStep>& steps);

  uint32_t count() const { return count_; }
  /// By position in Kernel::symbols.
  const std::vector<SlotId>& symbols() const { return symbols_; }
  const std::vector<std::pair<SlotId, int64_t>>& constants() const { return constants_; }

 private:
  struct Scope {
    std::map<index::IndexExpr, SlotId> slots;
  };
  std::optional<SlotId> find(index::IndexExpr e) const;

  const device_lower::Kernel& kernel_;
  uint32_t count_ = 0;
  std::vector<Scope> scopes_;
  std::vector<SlotId> symbols_;
  std::vector<std::pair<SlotId, int64_t>> constants_;
};

}  // namespace braid::runtime
