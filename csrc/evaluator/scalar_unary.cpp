#include "evaluator/integer_math.h"
#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

using ir::UnaryKind;

[[noreturn]] void refuse(UnaryKind kind, const char* type) {
  BRAID_CHECK(false, "{} is no op on {}", nameOf(kind), type);
}

/// Calls visit(f) with the function of one element that the op is.
template <class F, class Visit>
void withFloatUnary(UnaryKind kind, const Visit& visit) {
  switch (kind) {
    case UnaryKind::Neg:
      return visit([](F a) { return -a; });
    case UnaryKind::Abs:
      return visit([](F a) { return std::fabs(a); });
    case UnaryKind::Exp:
      return visit([](F a) { return std::exp(a); });
    case UnaryKind::Exp2:
      return visit([](F a) { return std::exp2(a); });
    case UnaryKind::Expm1:
      return visit([](F a) { return std::expm1(a); });
    case UnaryKind::Log:
      return visit([](F a) { return std::log(a); });
    case UnaryKind::Log2:
      return visit([](F a) { return std::log2(a); });
    case UnaryKind::Log10:
      return visit([](F a) { return std::log10(a); });
    case UnaryKind::Log1p:
      return visit([](F a) { return std::log1p(a); });
    case UnaryKind::Sqrt:
      return visit([](F a) { return std::sqrt(a); });
    case UnaryKind::Rsqrt:
      return visit([](F a) { return F(1) / std::sqrt(a); });
    case UnaryKind::Reciprocal:
      return visit([](F a) { return F(1) / a; });
    case UnaryKind::Sin:
      return visit([](F a) { return std::sin(a); });
    case UnaryKind::Cos:
      return visit([](F a) { return std::cos(a); });
    case UnaryKind::Tan:
      return visit([](F a) { return std::tan(a); });
    case UnaryKind::Asin:
      return visit([](F a) { return std::asin(a); });
    case UnaryKind::Acos:
      return visit([](F a) { return std::acos(a); });
    case UnaryKind::Atan:
      return visit([](F a) { return std::atan(a); });
    case UnaryKind::Sinh:
      return visit([](F a) { return std::sinh(a); });
    case UnaryKind::Cosh:
      return visit([](F a) { return std::cosh(a); });
    case UnaryKind::Tanh:
      return visit([](F a) { return std::tanh(a); });
    case UnaryKind::Erf:
      return visit([](F a) { return std::erf(a); });
    case UnaryKind::Erfc:
      return visit([](F a) { return std::erfc(a); });
    case UnaryKind::Sigmoid:
      return visit([](F a) { return F(1) / (F(1) + std::exp(-a)); });
    case UnaryKind::Silu:
      return visit([](F a) { return a / (F(1) + std::exp(-a)); });
    case UnaryKind::Gelu:
      return visit([](F a) { return F(0.5) * a * (F(1) + std::erf(a * F(0.70710678118654752440))); });
    case UnaryKind::Relu:
      return visit([](F a) { return a <= 0 ? F(0) : a; });
    case UnaryKind::Floor:
      return visit([](F a) { return std::floor(a); });
    case UnaryKind::Ceil:
      return visit([](F a) { return std::ceil(a); });
    case UnaryKind::Round:
      return visit([](F a) { return std::nearbyint(a); });
    case UnaryKind::Trunc:
      return visit([](F a) { return std::trunc(a); });
    case UnaryKind::IsNan:
      return visit([](F a) { return static_cast<bool>(std::isnan(a)); });
    case UnaryKind::IsInf:
      return visit([](F a) { return static_cast<bool>(std::isinf(a)); });
    case UnaryKind::IsFinite:
      return visit([](F a) { return static_cast<bool>(std::isfinite(a)); });
    case UnaryKind::Sign:
      return visit([](F a) { return static_cast<F>((a > 0) - (a < 0)); });
    case UnaryKind::LogicalNot:
      return visit([](F a) { return a == 0; });
    case UnaryKind::BitwiseNot:
    case UnaryKind::Set:
      refuse(kind, "floating numbers");
  }
}

/// Integers and bools: the builder lets every other op compute in f32.
template <class I, class Visit>
void withIntegerUnary(UnaryKind kind, bool isBool, const Visit& visit) {
  switch (kind) {
    case UnaryKind::Neg:
      return visit([](I a) { return static_cast<I>(0 - wide(a)); });
    case UnaryKind::Abs:
      return visit([](I a) { return a < 0 ? static_cast<I>(0 - wide(a)) : a; });
    case UnaryKind::Relu:
      return visit([](I a) { return a <= 0 ? I(0) : a; });
    case UnaryKind::Sign:
      return visit([](I a) { return static_cast<I>((a > 0) - (a < 0)); });
    case UnaryKind::Floor:
    case UnaryKind::Ceil:
    case UnaryKind::Round:
    case UnaryKind::Trunc:
      return visit([](I a) { return a; });
    case UnaryKind::IsNan:
    case UnaryKind::IsInf:
      return visit([](I) { return false; });
    case UnaryKind::IsFinite:
      return visit([](I) { return true; });
    case UnaryKind::LogicalNot:
      return visit([](I a) { return a == 0; });
    case UnaryKind::BitwiseNot:
      if (isBool) return visit([](I a) { return a == 0; });
      return visit([](I a) { return static_cast<I>(~a); });
    case UnaryKind::Exp:
    case UnaryKind::Exp2:
    case UnaryKind::Expm1:
    case UnaryKind::Log:
    case UnaryKind::Log2:
    case UnaryKind::Log10:
    case UnaryKind::Log1p:
    case UnaryKind::Sqrt:
    case UnaryKind::Rsqrt:
    case UnaryKind::Reciprocal:
    case UnaryKind::Sin:
    case UnaryKind::Cos:
    case UnaryKind::Tan:
    case UnaryKind::Asin:
    case UnaryKind::Acos:
    case UnaryKind::Atan:
    case UnaryKind::Sinh:
    case UnaryKind::Cosh:
    case UnaryKind::Tanh:
    case UnaryKind::Erf:
    case UnaryKind::Erfc:
    case UnaryKind::Sigmoid:
    case UnaryKind::Silu:
    case UnaryKind::Gelu:
    case UnaryKind::Set:
      refuse(kind, "integers");
  }
}

}  // namespace

void applyUnary(UnaryKind kind, DType dtype, const ScalarOperand& a, std::byte* result, int64_t count) {
  // A copy moves bits: neither a NaN's payload nor a bool's byte changes.
  if (kind == UnaryKind::Set) return applyCast(dtype, dtype, a, result, count);
  withComputeType(dtype, [&](auto zero) {
    using C = decltype(zero);
    Lanes<C> lanes(a, dtype);
    const auto map = [&](const auto& op) { mapLanes<C>(dtype, op, result, count, lanes); };
    if constexpr (std::is_floating_point_v<C>) {
      withFloatUnary<C>(kind, map);
    } else {
      withIntegerUnary<C>(kind, dtype == DType::Bool, map);
    }
  });
}

}  // namespace braid::evaluator
