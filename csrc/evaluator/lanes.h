#pragma once
// Operands and results in chunks of the compute type: what all scalar operations share.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "evaluator/half.h"
#include "evaluator/scalar_ops.h"

namespace braid::evaluator {

inline constexpr int64_t kChunk = 512;

/// Calls visit(C{}) with the type in which ops on `type` compute: uint8_t for bool, float for half types. A bool is
/// told from a u8 by its dtype.
template <class Visit>
decltype(auto) withComputeType(DType type, const Visit& visit) {
  switch (type) {
    case DType::Bool:
    case DType::UInt8:
      return visit(uint8_t{});
    case DType::Int8:
      return visit(int8_t{});
    case DType::Int16:
      return visit(int16_t{});
    case DType::Int32:
      return visit(int32_t{});
    case DType::Int64:
      return visit(int64_t{});
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return visit(float{});
    case DType::Float64:
      break;
  }
  return visit(double{});
}

/// Truncates and saturates; NaN is 0.
template <class Integer, class Float>
Integer saturated(Float value) {
  if (value != value) return 0;
  constexpr auto lo = std::numeric_limits<Integer>::min();
  constexpr auto hi = std::numeric_limits<Integer>::max();
  // 2^bits is exact in any floating type, where hi itself may not be.
  const Float end = std::ldexp(Float(1), std::numeric_limits<Integer>::digits);
  if (value < static_cast<Float>(lo)) return lo;
  if (value >= end) return hi;
  return static_cast<Integer>(value);
}

/// A number as a value of the compute type.
template <class C>
C numberAs(const ir::Scalar& number, bool isBool) {
  const bool isFloat = number.kind == ir::Scalar::Kind::Float;
  if (isBool) return static_cast<C>(isFloat ? number.floating != 0 : number.integer != 0);
  if constexpr (std::is_floating_point_v<C>) {
    // From the integer in one rounding, not through double.
    return isFloat ? static_cast<C>(number.floating) : static_cast<C>(number.integer);
  } else {
    return isFloat ? saturated<C>(number.floating) : static_cast<C>(number.integer);
  }
}

/// floats[i] = value(halves[i]), and back.
template <class Value>
void widenHalves(const std::byte* halves, float* floats, int64_t count, const Value& value) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t bits = 0;
    std::memcpy(&bits, halves + 2 * i, 2);
    floats[i] = value(bits);
  }
}
template <class Bits>
void narrowToHalves(const float* floats, std::byte* halves, int64_t count, const Bits& bitsOf) {
  for (int64_t i = 0; i < count; ++i) {
    const uint16_t bits = bitsOf(floats[i]);
    std::memcpy(halves + 2 * i, &bits, 2);
  }
}

/// `count` elements from `from` as compute values. A bool that is not 0 reads as 1.
template <class C>
void widen(DType type, const std::byte* from, C* to, int64_t count) {
  if constexpr (std::is_same_v<C, float>) {
    if (type == DType::BFloat16) return widenHalves(from, to, count, [](uint16_t bits) { return bfloat16Value(bits); });
    if (type == DType::Float16) return widenHalves(from, to, count, [](uint16_t bits) { return float16Value(bits); });
  }
  std::memcpy(to, from, static_cast<size_t>(count) * sizeof(C));
  if (type == DType::Bool) {
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<C>(to[i] != 0);
  }
}

template <class C>
void narrow(DType type, const C* from, std::byte* to, int64_t count) {
  if constexpr (std::is_same_v<C, float>) {
    if (type == DType::BFloat16)
      return narrowToHalves(from, to, count, [](float value) { return bfloat16Bits(value); });
    if (type == DType::Float16) return narrowToHalves(from, to, count, [](float value) { return float16Bits(value); });
  }
  std::memcpy(to, from, static_cast<size_t>(count) * sizeof(C));
}

/// One operand, chunk by chunk.
template <class C>
class Lanes {
 public:
  Lanes(const ScalarOperand& operand, DType type) : operand_(operand), type_(type) {
    if (operand.data == nullptr) {
      std::fill_n(buffer_, kChunk, numberAs<C>(operand.number, type == DType::Bool));
    } else if (operand.repeats) {
      widen(type, operand.data, buffer_, 1);
      std::fill_n(buffer_, kChunk, buffer_[0]);
    }
  }
  const C* chunk(int64_t first, int64_t count) {
    if (operand_.data != nullptr && !operand_.repeats) {
      widen(type_, operand_.data + first * bytesOf(type_), buffer_, count);
    }
    return buffer_;
  }

 private:
  const ScalarOperand& operand_;
  DType type_;
  C buffer_[kChunk];
};

/// Calls visit(first, count) for each chunk of 0 … total - 1.
template <class Visit>
void eachChunk(int64_t total, const Visit& visit) {
  for (int64_t first = 0; first < total; first += kChunk) visit(first, std::min(kChunk, total - first));
}

/// result[i] = op(operands[i]...), one operand a `Lanes<C>`. An op that gives a bool writes bytes 0 and 1; else the
/// results are rounded once, to `dtype`.
template <class C, class Op, class... Operands>
void mapLanes(DType dtype, const Op& op, std::byte* result, int64_t count, Operands&... operands) {
  eachChunk(count, [&](int64_t first, int64_t n) {
    const auto map = [&](const auto*... in) {
      if constexpr (std::is_same_v<decltype(op(in[0]...)), bool>) {
        for (int64_t i = 0; i < n; ++i) result[first + i] = static_cast<std::byte>(op(in[i]...));
      } else {
        C out[kChunk];
        for (int64_t i = 0; i < n; ++i) out[i] = op(in[i]...);
        narrow(dtype, out, result + first * bytesOf(dtype), n);
      }
    };
    map(operands.chunk(first, n)...);
  });
}

/// NaN passes from either side, and -0 is less than +0: the result does not depend on the order of the operands.
template <class C>
C maximum(C a, C b) {
  if constexpr (std::is_floating_point_v<C>) {
    if (a != a || b != b) return a + b;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <class C>
C minimum(C a, C b) {
  if constexpr (std::is_floating_point_v<C>) {
    if (a != a || b != b) return a + b;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

}  // namespace braid::evaluator
