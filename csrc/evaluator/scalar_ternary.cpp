#include "evaluator/integer_math.h"
#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::TernaryKind;

/// As torch.lerp: from the nearer end, so that the weights 0 and 1 give the ends themselves.
template <class F>
F lerp(F a, F b, F weight) {
  return std::fabs(weight) < F(0.5) ? a + weight * (b - a) : b - (b - a) * (F(1) - weight);
}

/// The number times the first factor, then times the second: the order in which eager multiplies.
template <class C>
C addcmul(C a, C b, C c, C value) {
  if constexpr (std::is_floating_point_v<C>) {
    return a + value * b * c;
  } else {
    return static_cast<C>(wide(a) + wide(value) * wide(b) * wide(c));
  }
}

template <class C>
void addcmul(DType dtype, std::span<const ScalarOperand> operands, std::byte* result, int64_t count) {
  Lanes<C> a(operands[0], dtype), b(operands[1], dtype), c(operands[2], dtype), value(operands[3], dtype);
  mapLanes<C>(
      dtype, [](C x, C y, C z, C v) { return addcmul(x, y, z, v); }, result, count, a, b, c, value);
}

template <class C, class Op>
void ofThree(DType dtype, const Op& op, std::span<const ScalarOperand> operands, std::byte* result, int64_t count) {
  Lanes<C> a(operands[0], dtype), b(operands[1], dtype), c(operands[2], dtype);
  mapLanes<C>(dtype, op, result, count, a, b, c);
}

/// Moves the bits of the chosen element.
void where(DType dtype, std::span<const ScalarOperand> operands, std::byte* result, int64_t count) {
  const auto size = static_cast<size_t>(bytesOf(dtype));
  std::byte numbers[2][8] = {};
  const std::byte* values[2];
  size_t steps[2];
  for (size_t k = 0; k < 2; ++k) {
    const ScalarOperand& operand = operands[k + 1];
    if (operand.data == nullptr) storeScalar(operand.number, dtype, numbers[k]);
    values[k] = operand.data == nullptr ? numbers[k] : operand.data;
    steps[k] = operand.data == nullptr || operand.repeats ? 0 : size;
  }
  Lanes<uint8_t> conditions(operands[0], DType::Bool);
  eachChunk(count, [&](int64_t first, int64_t n) {
    const uint8_t* condition = conditions.chunk(first, n);
    for (int64_t i = 0; i < n; ++i) {
      const size_t k = condition[i] != 0 ? 0 : 1;
      const auto at = static_cast<size_t>(first + i);
      std::memcpy(result + at * size, values[k] + at * steps[k], size);
    }
  });
}

}  // namespace

void applyTernary(TernaryKind kind, DType dtype, std::span<const ScalarOperand> operands, std::byte* result,
                  int64_t count) {
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    switch (kind) {
      case TernaryKind::Where:
        return where(dtype, operands, result, count);
      case TernaryKind::Clamp:
        return ofThree<C>(
            dtype, [](C x, C lo, C hi) { return minimum(maximum(x, lo), hi); }, operands, result, count);
      case TernaryKind::Addcmul:
        return addcmul<C>(dtype, operands, result, count);
      case TernaryKind::Lerp:
        if constexpr (std::is_floating_point_v<C>) {
          return ofThree<C>(
              dtype, [](C x, C y, C w) { return lerp(x, y, w); }, operands, result, count);
        }
        BRAID_CHECK(false, "lerp is no op on {}", nameOf(dtype));
    }
  });
}

}  // namespace braid::evaluator
