#include "runtime/host_index.h"

#include <algorithm>

#include "base/check.h"
#include "index/checked.h"

namespace braid::runtime {

using device_lower::IndexWidth;
using index::ExprKind;

namespace {

/// Both are at least 0 and fit in 31 bits, as almost always: the hardware divides 32 bits much faster.
bool isSmall(int64_t a, int64_t b) { return ((a | b) >> 31) == 0; }

int64_t quotient(int64_t a, int64_t b) {
  if (b == 0) return 0;  // only empty parts divide by an extent of 0
  if (isSmall(a, b)) return static_cast<uint32_t>(a) / static_cast<uint32_t>(b);
  if (a == INT64_MIN && b == -1) return a;
  return index::floorDivide(a, b);
}

int64_t remainder(int64_t a, int64_t b) {
  if (b == 0) return a;
  if (isSmall(a, b)) return static_cast<uint32_t>(a) % static_cast<uint32_t>(b);
  return index::floorModulo(a, b);
}

int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
bool addOverflows(int64_t a, int64_t b) { return !index::tryAdd(a, b); }
bool mulOverflows(int64_t a, int64_t b) { return !index::tryMul(a, b); }
bool never(int64_t, int64_t) { return false; }

}  // namespace

void IndexValues::fill(SlotId slot, int64_t value) { std::fill_n(of(slot), threads_, value); }

bool IndexValues::holds(int64_t value) const {
  return width_ == IndexWidth::Bits64 || value == static_cast<int32_t>(value);
}

bool IndexValues::fold(ExprKind kind, int64_t* result, const int64_t* b, const ThreadMask& active) {
  // Where every operand fits in 32 bits no sum or product of two leaves 64, so one comparison afterwards is enough.
  const bool wide = width_ == IndexWidth::Bits64;
  const auto apply = [&](auto op, auto overflows) {
    bool bad = false;
    if (wide) {
      for (int t = 0; t < threads_; ++t) bad |= active[t] != 0 && overflows(result[t], b[t]);
    }
    for (int t = 0; t < threads_; ++t) result[t] = op(result[t], b[t]);
    if (!wide) {
      for (int t = 0; t < threads_; ++t) {
        bad |= (active[t] & static_cast<int>(result[t] != static_cast<int32_t>(result[t]))) != 0;
      }
    }
    return bad;
  };
  switch (kind) {
    case ExprKind::Add:
      return apply(wrappingAdd, addOverflows);
    case ExprKind::Mul:
      return apply(wrappingMul, mulOverflows);
    case ExprKind::FloorDiv:
      return apply(quotient, [](int64_t x, int64_t y) { return x == INT64_MIN && y == -1; });
    case ExprKind::Mod:
      return apply(remainder, never);
    case ExprKind::Min:
      return apply([](int64_t x, int64_t y) { return std::min(x, y); }, never);
    case ExprKind::Max:
      return apply([](int64_t x, int64_t y) { return std::max(x, y); }, never);
    case ExprKind::Less:
      return apply([](int64_t x, int64_t y) { return static_cast<int64_t>(x < y); }, never);
    case ExprKind::Equal:
      return apply([](int64_t x, int64_t y) { return static_cast<int64_t>(x == y); }, never);
    case ExprKind::And:
      return apply([](int64_t x, int64_t y) { return static_cast<int64_t>((x != 0) & (y != 0)); }, never);
    case ExprKind::Or:
      return apply([](int64_t x, int64_t y) { return static_cast<int64_t>((x | y) != 0); }, never);
    case ExprKind::Constant:
    case ExprKind::Symbol:
    case ExprKind::Select:
    case ExprKind::Not:
      break;
  }
  BRAID_CHECK(false, "kind {} has no two operands", static_cast<int>(kind));
  return false;
}

std::optional<int> IndexValues::run(const IndexStep& step, const ThreadMask& active) {
  int64_t* result = of(step.slot);
  const auto operand = [&](size_t n) { return of(step.operands[n]); };
  if (step.kind == ExprKind::Select) {
    const int64_t* condition = operand(0);
    const int64_t* whenTrue = operand(1);
    const int64_t* whenFalse = operand(2);
    for (int t = 0; t < threads_; ++t) result[t] = condition[t] != 0 ? whenTrue[t] : whenFalse[t];
    return std::nullopt;
  }
  std::copy_n(operand(0), threads_, result);
  if (step.kind == ExprKind::Not) {
    for (int t = 0; t < threads_; ++t) result[t] = result[t] == 0;
    return std::nullopt;
  }
  bool bad = false;
  for (size_t n = 1; n < step.operands.size() && !bad; ++n) bad = fold(step.kind, result, operand(n), active);
  if (!bad) return std::nullopt;
  // The failing thread, for the message: in 64 bits the wrapped value does not show it, so any active one stands for
  // it.
  for (int t = 0; t < threads_; ++t) {
    if (active[t] != 0 && !holds(result[t])) return t;
  }
  return static_cast<int>(std::find(active.begin(), active.end(), uint8_t(1)) - active.begin());
}

}  // namespace braid::runtime
