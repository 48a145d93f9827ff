#include "evaluator/integer_math.h"
#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::BinaryKind;

[[noreturn]] void refuse(BinaryKind kind, const char* type) {
  BRAID_CHECK(false, "{} is no op on {}", nameOf(kind), type);
}

/// The remainder with the divisor's sign, as torch.remainder.
template <class F>
F floatMod(F a, F b) {
  const F remainder = std::fmod(a, b);
  return remainder != 0 && (b < 0) != (remainder < 0) ? remainder + b : remainder;
}

/// As torch.floor_divide: from the exact remainder, so that a quotient just below an integer does not round up to it.
template <class F>
F floatFloorDiv(F a, F b) {
  if (b == 0) return a / b;
  const F remainder = std::fmod(a, b);
  F quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= F(1);
  if (quotient == 0) return std::copysign(F(0), a / b);
  const F floor = std::floor(quotient);
  return quotient - floor > F(0.5) ? floor + F(1) : floor;
}

/// Comparisons and logic, the same for every type.
template <class C, class Visit>
void withPredicate(BinaryKind kind, const Visit& visit);

template <class F, class Visit>
void withFloatBinary(BinaryKind kind, const Visit& visit) {
  switch (kind) {
    case BinaryKind::Add:
      return visit([](F a, F b) { return a + b; });
    case BinaryKind::Sub:
      return visit([](F a, F b) { return a - b; });
    case BinaryKind::Mul:
      return visit([](F a, F b) { return a * b; });
    case BinaryKind::Div:
      return visit([](F a, F b) { return a / b; });
    case BinaryKind::FloorDiv:
      return visit([](F a, F b) { return floatFloorDiv(a, b); });
    case BinaryKind::Mod:
      return visit([](F a, F b) { return floatMod(a, b); });
    case BinaryKind::Fmod:
      return visit([](F a, F b) { return std::fmod(a, b); });
    case BinaryKind::Pow:
      return visit([](F a, F b) { return std::pow(a, b); });
    case BinaryKind::Atan2:
      return visit([](F a, F b) { return std::atan2(a, b); });
    case BinaryKind::Maximum:
      return visit([](F a, F b) { return maximum(a, b); });
    case BinaryKind::Minimum:
      return visit([](F a, F b) { return minimum(a, b); });
    case BinaryKind::Eq:
    case BinaryKind::Ne:
    case BinaryKind::Lt:
    case BinaryKind::Le:
    case BinaryKind::Gt:
    case BinaryKind::Ge:
    case BinaryKind::LogicalAnd:
    case BinaryKind::LogicalOr:
    case BinaryKind::LogicalXor:
      return withPredicate<F>(kind, visit);
    case BinaryKind::BitwiseAnd:
    case BinaryKind::BitwiseOr:
    case BinaryKind::BitwiseXor:
    case BinaryKind::LShift:
    case BinaryKind::RShift:
      refuse(kind, "floating numbers");
  }
}

template <class I, class Visit>
void withIntegerBinary(BinaryKind kind, bool isBool, const Visit& visit) {
  switch (kind) {
    case BinaryKind::Add:
      if (isBool) return visit([](I a, I b) { return static_cast<I>(a | b); });
      return visit([](I a, I b) { return static_cast<I>(wide(a) + wide(b)); });
    case BinaryKind::Sub:
      return visit([](I a, I b) { return static_cast<I>(wide(a) - wide(b)); });
    case BinaryKind::Mul:
      return visit([](I a, I b) { return static_cast<I>(wide(a) * wide(b)); });
    case BinaryKind::FloorDiv:
      return visit([](I a, I b) { return integerFloorDiv(a, b); });
    case BinaryKind::Mod:
      return visit([](I a, I b) { return integerMod(a, b); });
    case BinaryKind::Fmod:
      return visit([](I a, I b) { return integerFmod(a, b); });
    case BinaryKind::Pow:
      return visit([](I a, I b) { return integerPow(a, b); });
    case BinaryKind::Maximum:
      return visit([](I a, I b) { return std::max(a, b); });
    case BinaryKind::Minimum:
      return visit([](I a, I b) { return std::min(a, b); });
    case BinaryKind::BitwiseAnd:
      return visit([](I a, I b) { return static_cast<I>(a & b); });
    case BinaryKind::BitwiseOr:
      return visit([](I a, I b) { return static_cast<I>(a | b); });
    case BinaryKind::BitwiseXor:
      return visit([](I a, I b) { return static_cast<I>(a ^ b); });
    case BinaryKind::LShift:
      return visit([](I a, I b) { return shiftLeft(a, b); });
    case BinaryKind::RShift:
      return visit([](I a, I b) { return shiftRight(a, b); });
    case BinaryKind::Eq:
    case BinaryKind::Ne:
    case BinaryKind::Lt:
    case BinaryKind::Le:
    case BinaryKind::Gt:
    case BinaryKind::Ge:
    case BinaryKind::LogicalAnd:
    case BinaryKind::LogicalOr:
    case BinaryKind::LogicalXor:
      return withPredicate<I>(kind, visit);
    case BinaryKind::Div:
    case BinaryKind::Atan2:
      refuse(kind, "integers");  // the builder lets them compute in f32
  }
}

template <class C, class Visit>
void withPredicate(BinaryKind kind, const Visit& visit) {
  if (kind == BinaryKind::Eq) return visit([](C a, C b) { return a == b; });
  if (kind == BinaryKind::Ne) return visit([](C a, C b) { return a != b; });
  if (kind == BinaryKind::Lt) return visit([](C a, C b) { return a < b; });
  if (kind == BinaryKind::Le) return visit([](C a, C b) { return a <= b; });
  if (kind == BinaryKind::Gt) return visit([](C a, C b) { return a > b; });
  if (kind == BinaryKind::Ge) return visit([](C a, C b) { return a >= b; });
  if (kind == BinaryKind::LogicalAnd) return visit([](C a, C b) { return a != 0 && b != 0; });
  if (kind == BinaryKind::LogicalOr) return visit([](C a, C b) { return a != 0 || b != 0; });
  BRAID_CHECK(kind == BinaryKind::LogicalXor, "{} is no predicate", nameOf(kind));
  visit([](C a, C b) { return (a != 0) != (b != 0); });
}

}  // namespace

void applyBinary(BinaryKind kind, DType dtype, const ScalarOperand& a, const ScalarOperand& b, std::byte* result,
                 int64_t count) {
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    Lanes<C> left(a, dtype), right(b, dtype);
    const auto map = [&](const auto& op) { mapLanes<C>(dtype, op, result, count, left, right); };
    if constexpr (std::is_floating_point_v<C>) {
      withFloatBinary<C>(kind, map);
    } else {
      withIntegerBinary<C>(kind, dtype == DType::Bool, map);
    }
  });
}

}  // namespace braid::evaluator
