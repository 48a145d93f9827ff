#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::BinaryKind;

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

template <class F>
F floatBinary(BinaryKind kind, F a, F b) {
  switch (kind) {
    case BinaryKind::Add:
      return a + b;
    case BinaryKind::Sub:
      return a - b;
    case BinaryKind::Mul:
      return a * b;
    case BinaryKind::Div:
      return a / b;
    case BinaryKind::FloorDiv:
      return floatFloorDiv(a, b);
    case BinaryKind::Mod:
      return floatMod(a, b);
    case BinaryKind::Fmod:
      return std::fmod(a, b);
    case BinaryKind::Pow:
      return std::pow(a, b);
    case BinaryKind::Atan2:
      return std::atan2(a, b);
    case BinaryKind::Maximum:
      return a != a || a > b ? a : b;
    case BinaryKind::Minimum:
      return a != a || a < b ? a : b;
    default:  // predicates are elsewhere, patterns of bits are integers'
      BRAID_CHECK(false, "{} is no op on floating numbers", nameOf(kind));
      return a;
  }
}

template <class I>
I floorDiv(I a, I b) {
  if (b == 0) return static_cast<I>(-1);
  if constexpr (std::is_signed_v<I>) {
    if (b == -1) return static_cast<I>(uint64_t(0) - static_cast<uint64_t>(a));
  }
  const I quotient = static_cast<I>(a / b);
  return a % b != 0 && (a < 0) != (b < 0) ? static_cast<I>(quotient - 1) : quotient;
}

template <class I>
I fmodInteger(I a, I b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<I>) {
    if (b == -1) return 0;
  }
  return static_cast<I>(a % b);
}

template <class I>
I modInteger(I a, I b) {
  const I remainder = fmodInteger(a, b);
  return b != 0 && remainder != 0 && (remainder < 0) != (b < 0) ? static_cast<I>(remainder + b) : remainder;
}

template <class I>
I powInteger(I a, I b) {
  if (b < 0) {
    if (a == 1) return 1;
    if constexpr (std::is_signed_v<I>) {
      if (a == -1) return static_cast<I>((b & 1) != 0 ? -1 : 1);
    }
    return 0;
  }
  auto power = static_cast<uint64_t>(a);
  uint64_t result = 1;
  for (auto rest = static_cast<uint64_t>(b); rest != 0; rest >>= 1, power *= power) {
    if ((rest & 1) != 0) result *= power;
  }
  return static_cast<I>(result);
}

template <class I>
I shift(BinaryKind kind, I a, I b) {
  const bool inRange = b >= 0 && b < static_cast<I>(sizeof(I) * 8);
  if (kind == BinaryKind::LShift) return inRange ? static_cast<I>(static_cast<uint64_t>(a) << b) : I(0);
  if (!inRange) return static_cast<I>(a < 0 ? -1 : 0);
  return static_cast<I>(a >> b);
}

template <class I>
I integerBinary(BinaryKind kind, I a, I b, bool isBool) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (kind) {
    case BinaryKind::Add:
      return isBool ? static_cast<I>(a | b) : static_cast<I>(x + y);
    case BinaryKind::Sub:
      return static_cast<I>(x - y);
    case BinaryKind::Mul:
      return static_cast<I>(x * y);
    case BinaryKind::FloorDiv:
      return floorDiv(a, b);
    case BinaryKind::Mod:
      return modInteger(a, b);
    case BinaryKind::Fmod:
      return fmodInteger(a, b);
    case BinaryKind::Pow:
      return powInteger(a, b);
    case BinaryKind::Maximum:
      return std::max(a, b);
    case BinaryKind::Minimum:
      return std::min(a, b);
    case BinaryKind::BitwiseAnd:
      return static_cast<I>(a & b);
    case BinaryKind::BitwiseOr:
      return static_cast<I>(a | b);
    case BinaryKind::BitwiseXor:
      return static_cast<I>(a ^ b);
    case BinaryKind::LShift:
    case BinaryKind::RShift:
      return shift(kind, a, b);
    default:  // predicates are elsewhere, div and atan2 compute integers in f32
      BRAID_CHECK(false, "{} is no op on integers", nameOf(kind));
      return a;
  }
}

template <class C>
bool predicate(BinaryKind kind, C a, C b) {
  switch (kind) {
    case BinaryKind::Eq:
      return a == b;
    case BinaryKind::Ne:
      return a != b;
    case BinaryKind::Lt:
      return a < b;
    case BinaryKind::Le:
      return a <= b;
    case BinaryKind::Gt:
      return a > b;
    case BinaryKind::Ge:
      return a >= b;
    case BinaryKind::LogicalAnd:
      return a != 0 && b != 0;
    case BinaryKind::LogicalOr:
      return a != 0 || b != 0;
    case BinaryKind::LogicalXor:
      return (a != 0) != (b != 0);
    default:
      BRAID_CHECK(false, "{} is no predicate", nameOf(kind));
      return false;
  }
}

}  // namespace

void applyBinary(BinaryKind kind, DType dtype, const ScalarOperand& a, const ScalarOperand& b, std::byte* result,
                 int64_t count) {
  const bool isPredicate = ir::kBinaryRules[static_cast<int>(kind)] == ir::TypeRule::Predicate;
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    Lanes<C> left(a, dtype), right(b, dtype);
    C out[kChunk];
    eachChunk(count, [&](int64_t first, int64_t n) {
      const C* x = left.chunk(first, n);
      const C* y = right.chunk(first, n);
      if (isPredicate) {
        for (int64_t i = 0; i < n; ++i) result[first + i] = static_cast<std::byte>(predicate(kind, x[i], y[i]));
        return;
      }
      for (int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_floating_point_v<C>) {
          out[i] = floatBinary(kind, x[i], y[i]);
        } else {
          out[i] = integerBinary(kind, x[i], y[i], dtype == DType::Bool);
        }
      }
      narrow(dtype, out, result + first * bytesOf(dtype), n);
    });
  });
}

}  // namespace braid::evaluator
