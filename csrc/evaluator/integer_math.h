#pragma once
// Integer arithmetic where C++ leaves edges undefined: nothing here traps. The same formulas as the generated code's.

#include <cstdint>
#include <type_traits>

namespace braid::evaluator {

/// Arithmetic wraps: it is done on unsigned 64-bit numbers and cut.
template <class I>
uint64_t wide(I value) {
  return static_cast<uint64_t>(value);
}

/// The quotient rounded down; x // 0 is -1 (all bits of an unsigned type), the lowest integer // -1 wraps.
template <class I>
I integerFloorDiv(I a, I b) {
  if (b == 0) return static_cast<I>(-1);
  if constexpr (std::is_signed_v<I>) {
    if (b == -1) return static_cast<I>(0 - wide(a));
  }
  const I quotient = static_cast<I>(a / b);
  return a % b != 0 && (a < 0) != (b < 0) ? static_cast<I>(quotient - 1) : quotient;
}

/// The remainder with the dividend's sign; x fmod 0 is x.
template <class I>
I integerFmod(I a, I b) {
  if (b == 0) return a;
  if constexpr (std::is_signed_v<I>) {
    if (b == -1) return 0;
  }
  return static_cast<I>(a % b);
}

/// The remainder with the divisor's sign; x mod 0 is x.
template <class I>
I integerMod(I a, I b) {
  const I remainder = integerFmod(a, b);
  return b != 0 && remainder != 0 && (remainder < 0) != (b < 0) ? static_cast<I>(remainder + b) : remainder;
}

/// Wraps; a negative exponent gives 0, but for the bases 1 and -1.
template <class I>
I integerPow(I a, I b) {
  if (b < 0) {
    if (a == 1) return 1;
    if constexpr (std::is_signed_v<I>) {
      if (a == -1) return static_cast<I>((b & 1) != 0 ? -1 : 1);
    }
    return 0;
  }
  uint64_t power = wide(a), result = 1;
  for (uint64_t rest = wide(b); rest != 0; rest >>= 1, power *= power) {
    if ((rest & 1) != 0) result *= power;
  }
  return static_cast<I>(result);
}

/// Whether a count lies in 0 … bits - 1.
template <class I>
bool isShiftCount(I count) {
  return count >= 0 && count < static_cast<I>(sizeof(I) * 8);
}

/// 0 for a count out of range.
template <class I>
I shiftLeft(I a, I count) {
  return isShiftCount(count) ? static_cast<I>(wide(a) << count) : I(0);
}

/// The sign for a count out of range.
template <class I>
I shiftRight(I a, I count) {
  if (!isShiftCount(count)) return static_cast<I>(a < 0 ? -1 : 0);
  return static_cast<I>(a >> count);
}

}  // namespace braid::evaluator
