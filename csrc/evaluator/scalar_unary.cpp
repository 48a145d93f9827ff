#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::UnaryKind;

/// Ops that only floating types have; the builder sees to it.
template <class F>
F floatUnary(UnaryKind kind, F a) {
  switch (kind) {
    case UnaryKind::Exp:
      return std::exp(a);
    case UnaryKind::Exp2:
      return std::exp2(a);
    case UnaryKind::Expm1:
      return std::expm1(a);
    case UnaryKind::Log:
      return std::log(a);
    case UnaryKind::Log2:
      return std::log2(a);
    case UnaryKind::Log10:
      return std::log10(a);
    case UnaryKind::Log1p:
      return std::log1p(a);
    case UnaryKind::Sqrt:
      return std::sqrt(a);
    case UnaryKind::Rsqrt:
      return F(1) / std::sqrt(a);
    case UnaryKind::Reciprocal:
      return F(1) / a;
    case UnaryKind::Sin:
      return std::sin(a);
    case UnaryKind::Cos:
      return std::cos(a);
    case UnaryKind::Tan:
      return std::tan(a);
    case UnaryKind::Asin:
      return std::asin(a);
    case UnaryKind::Acos:
      return std::acos(a);
    case UnaryKind::Atan:
      return std::atan(a);
    case UnaryKind::Sinh:
      return std::sinh(a);
    case UnaryKind::Cosh:
      return std::cosh(a);
    case UnaryKind::Tanh:
      return std::tanh(a);
    case UnaryKind::Erf:
      return std::erf(a);
    case UnaryKind::Erfc:
      return std::erfc(a);
    case UnaryKind::Sigmoid:
      return F(1) / (F(1) + std::exp(-a));
    case UnaryKind::Silu:
      return a / (F(1) + std::exp(-a));
    case UnaryKind::Gelu:
      return F(0.5) * a * (F(1) + std::erf(a * F(0.70710678118654752440)));
    case UnaryKind::Floor:
      return std::floor(a);
    case UnaryKind::Ceil:
      return std::ceil(a);
    case UnaryKind::Round:
      return std::nearbyint(a);
    case UnaryKind::Trunc:
      return std::trunc(a);
    case UnaryKind::Neg:
      return -a;
    case UnaryKind::Abs:
      return std::fabs(a);
    case UnaryKind::Relu:
      return a <= 0 ? F(0) : a;
    case UnaryKind::Sign:
      return static_cast<F>((a > 0) - (a < 0));
    case UnaryKind::IsNan:
    case UnaryKind::IsInf:
    case UnaryKind::IsFinite:
    case UnaryKind::LogicalNot:
    case UnaryKind::BitwiseNot:
    case UnaryKind::Set:
      break;
  }
  BRAID_CHECK(false, "{} is no op on floating numbers", nameOf(kind));
  return a;
}

template <class I>
I integerUnary(UnaryKind kind, I a, bool isBool) {
  switch (kind) {
    case UnaryKind::Neg:
      return static_cast<I>(uint64_t(0) - static_cast<uint64_t>(a));
    case UnaryKind::Abs:
      return a < 0 ? static_cast<I>(uint64_t(0) - static_cast<uint64_t>(a)) : a;
    case UnaryKind::Relu:
      return a <= 0 ? I(0) : a;
    case UnaryKind::Sign:
      return static_cast<I>((a > 0) - (a < 0));
    case UnaryKind::BitwiseNot:
      return isBool ? static_cast<I>(a == 0) : static_cast<I>(~a);
    case UnaryKind::Floor:
    case UnaryKind::Ceil:
    case UnaryKind::Round:
    case UnaryKind::Trunc:
      return a;
    default:  // every other op computes integers in f32, or is a predicate
      BRAID_CHECK(false, "{} is no op on integers", nameOf(kind));
      return a;
  }
}

template <class C>
bool predicate(UnaryKind kind, C a) {
  if (kind == UnaryKind::LogicalNot) return a == 0;
  if constexpr (std::is_floating_point_v<C>) {
    if (kind == UnaryKind::IsNan) return std::isnan(a);
    if (kind == UnaryKind::IsInf) return std::isinf(a);
    return std::isfinite(a);
  }
  return kind == UnaryKind::IsFinite;
}

bool isPredicate(UnaryKind kind) {
  return ir::kUnaryRules[static_cast<int>(kind)] == ir::TypeRule::Predicate;
}

}  // namespace

void applyUnary(UnaryKind kind, DType dtype, const ScalarOperand& a, std::byte* result, int64_t count) {
  if (kind == UnaryKind::Set) {
    applyCast(dtype, dtype, a, result, count);
    return;
  }
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    Lanes<C> lanes(a, dtype);
    C out[kChunk];
    eachChunk(count, [&](int64_t first, int64_t n) {
      const C* in = lanes.chunk(first, n);
      if (isPredicate(kind)) {
        for (int64_t i = 0; i < n; ++i) result[first + i] = static_cast<std::byte>(predicate(kind, in[i]));
        return;
      }
      for (int64_t i = 0; i < n; ++i) {
        if constexpr (std::is_floating_point_v<C>) {
          out[i] = floatUnary(kind, in[i]);
        } else {
          out[i] = integerUnary(kind, in[i], dtype == DType::Bool);
        }
      }
      narrow(dtype, out, result + first * bytesOf(dtype), n);
    });
  });
}

}  // namespace braid::evaluator
