#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::TernaryKind;

template <class C>
C maximum(C a, C b) {
  return a != a || a > b ? a : b;
}
template <class C>
C minimum(C a, C b) {
  return a != a || a < b ? a : b;
}

/// As torch.lerp: from the nearer end, so that the weights 0 and 1 give the ends themselves.
template <class F>
F lerp(F a, F b, F weight) {
  return std::fabs(weight) < F(0.5) ? a + weight * (b - a) : b - (b - a) * (F(1) - weight);
}

template <class C>
C addcmul(C a, C b, C c, C value) {
  if constexpr (std::is_floating_point_v<C>) {
    return a + value * b * c;
  } else {
    return static_cast<C>(static_cast<uint64_t>(a) +
                          static_cast<uint64_t>(value) * static_cast<uint64_t>(b) * static_cast<uint64_t>(c));
  }
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
  if (kind == TernaryKind::Where) {
    where(dtype, operands, result, count);
    return;
  }
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    Lanes<C> first(operands[0], dtype), second(operands[1], dtype), third(operands[2], dtype);
    Lanes<C> fourth(operands.size() > 3 ? operands[3] : operands[2], dtype);
    C out[kChunk];
    eachChunk(count, [&](int64_t at, int64_t n) {
      const C *a = first.chunk(at, n), *b = second.chunk(at, n), *c = third.chunk(at, n), *d = fourth.chunk(at, n);
      for (int64_t i = 0; i < n; ++i) {
        if (kind == TernaryKind::Clamp) out[i] = minimum(maximum(a[i], b[i]), c[i]);
        if (kind == TernaryKind::Addcmul) out[i] = addcmul(a[i], b[i], c[i], d[i]);
        if constexpr (std::is_floating_point_v<C>) {
          if (kind == TernaryKind::Lerp) out[i] = lerp(a[i], b[i], c[i]);
        }
      }
      narrow(dtype, out, result + at * bytesOf(dtype), n);
    });
  });
}

}  // namespace braid::evaluator
