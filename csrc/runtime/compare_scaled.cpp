#include "runtime/compare_scaled.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "evaluator/scalar_ops.h"

namespace braid::runtime {

namespace {

bool isExact(ir::UnaryKind kind) {
  switch (kind) {
    case ir::UnaryKind::Neg:
    case ir::UnaryKind::Abs:
    case ir::UnaryKind::Sqrt:
    case ir::UnaryKind::Rsqrt:
    case ir::UnaryKind::Reciprocal:
    case ir::UnaryKind::Relu:
    case ir::UnaryKind::Floor:
    case ir::UnaryKind::Ceil:
    case ir::UnaryKind::Round:
    case ir::UnaryKind::Trunc:
    case ir::UnaryKind::IsNan:
    case ir::UnaryKind::IsInf:
    case ir::UnaryKind::IsFinite:
    case ir::UnaryKind::Sign:
    case ir::UnaryKind::LogicalNot:
    case ir::UnaryKind::BitwiseNot:
    case ir::UnaryKind::Set:
      return true;
    case ir::UnaryKind::Exp:
    case ir::UnaryKind::Exp2:
    case ir::UnaryKind::Expm1:
    case ir::UnaryKind::Log:
    case ir::UnaryKind::Log2:
    case ir::UnaryKind::Log10:
    case ir::UnaryKind::Log1p:
    case ir::UnaryKind::Sin:
    case ir::UnaryKind::Cos:
    case ir::UnaryKind::Tan:
    case ir::UnaryKind::Asin:
    case ir::UnaryKind::Acos:
    case ir::UnaryKind::Atan:
    case ir::UnaryKind::Sinh:
    case ir::UnaryKind::Cosh:
    case ir::UnaryKind::Tanh:
    case ir::UnaryKind::Erf:
    case ir::UnaryKind::Erfc:
    case ir::UnaryKind::Sigmoid:
    case ir::UnaryKind::Silu:
    case ir::UnaryKind::Gelu:
      return false;
  }
  return false;
}

/// Digits of the significand, the implicit one counted.
int significandBits(DType type) {
  if (type == DType::BFloat16) return 8;
  if (type == DType::Float16) return 11;
  return type == DType::Float32 ? 24 : 53;
}

std::vector<double> asDoubles(const evaluator::HostArray& array) {
  const std::vector<std::byte> bytes = array.packed();
  std::vector<double> values(static_cast<size_t>(array.elements()));
  evaluator::applyCast(array.dtype(), DType::Float64, {bytes.data(), false, {}},
                       reinterpret_cast<std::byte*>(values.data()), array.elements());
  return values;
}

}  // namespace

bool roundsInexactly(const ir::Fusion& fusion) {
  return std::any_of(fusion.exprs().begin(), fusion.exprs().end(), [&](const ir::Expr& expr) {
    if (!isFloating(fusion.value(expr.output).dtype())) return false;
    if (const auto* unary = std::get_if<ir::Unary>(&expr.op)) return !isExact(unary->kind);
    const auto* binary = std::get_if<ir::Binary>(&expr.op);
    return binary != nullptr && (binary->kind == ir::BinaryKind::Pow || binary->kind == ir::BinaryKind::Atan2);
  });
}

Comparison compareScaled(const evaluator::HostArray& actual, const evaluator::HostArray& expected, double ulps) {
  if (!isFloating(expected.dtype())) return compareBitwise(actual, expected, NanRule::AnyNan);
  const std::vector<double> a = asDoubles(actual), b = asDoubles(expected);
  double largest = 0;
  for (const double value : b) {
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  const double ulp = largest == 0 ? 0 : std::ldexp(1.0, std::ilogb(largest) + 1 - significandBits(expected.dtype()));
  Comparison result;
  result.elements = expected.elements();
  for (size_t i = 0; i < b.size(); ++i) {
    const bool same = (std::isnan(a[i]) && std::isnan(b[i])) || a[i] == b[i];
    const double difference = same ? 0 : std::fabs(a[i] - b[i]);
    if (std::isfinite(difference)) result.maxAbsDiff = std::max(result.maxAbsDiff, difference);
    if (same || difference <= ulps * ulp) continue;
    if (result.differences++ == 0) result.firstDifference = static_cast<int64_t>(i);
    if (!std::isfinite(difference)) result.maxAbsDiff = INFINITY;
  }
  result.equal = result.differences == 0;
  return result;
}

}  // namespace braid::runtime
