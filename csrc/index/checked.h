#pragma once
// 64-bit arithmetic that notices overflow, and the rounding of `//` and `%`.

#include <cstdint>
#include <numeric>
#include <optional>

#include "braid/error.h"

namespace braid::index {

[[noreturn]] inline void throwOverflow() {
  throw Error(ErrorCode::InvalidExtent, "index arithmetic overflows 64 bits");
}

inline std::optional<int64_t> tryAdd(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<int64_t> trySub(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<int64_t> tryMul(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline int64_t checkedAdd(int64_t a, int64_t b) {
  const auto result = tryAdd(a, b);
  return result ? *result : (throwOverflow(), 0);
}
inline int64_t checkedSub(int64_t a, int64_t b) {
  const auto result = trySub(a, b);
  return result ? *result : (throwOverflow(), 0);
}
inline int64_t checkedMul(int64_t a, int64_t b) {
  const auto result = tryMul(a, b);
  return result ? *result : (throwOverflow(), 0);
}
inline int64_t checkedNegate(int64_t a) { return checkedSub(0, a); }

/// Rounds down; b is not 0. Throws on INT64_MIN // -1.
inline int64_t floorDivide(int64_t a, int64_t b) {
  if (b == -1) return checkedNegate(a);
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}
/// a - b * (a // b), with the sign of b; b is not 0.
inline int64_t floorModulo(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return (remainder != 0 && (remainder < 0) != (b < 0)) ? remainder + b : remainder;
}
/// Never negative; 0 only for two zeros. INT64_MIN counts as 2^62, which divides it.
inline int64_t greatestCommonDivisor(int64_t a, int64_t b) {
  if (a == INT64_MIN) a = int64_t(1) << 62;
  if (b == INT64_MIN) b = int64_t(1) << 62;
  return std::gcd(a, b);
}

}  // namespace braid::index
