#include "runtime/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "base/overloaded.h"
#include "braid/error.h"
#include "evaluator/scalar_ops.h"

namespace braid::runtime {

using evaluator::HostArray;

namespace {

template <class T>
T as(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

/// An element as a number. (An i64 beyond 2^53 loses digits; this is for messages and NaN tests.)
double valueOf(DType dtype, const std::byte* element) {
  switch (dtype) {
    case DType::Bool:
    case DType::UInt8:
      return as<uint8_t>(element);
    case DType::Int8:
      return as<int8_t>(element);
    case DType::Int16:
      return as<int16_t>(element);
    case DType::Int32:
      return as<int32_t>(element);
    case DType::Int64:
      return static_cast<double>(as<int64_t>(element));
    case DType::Float16:
    case DType::BFloat16:
      return static_cast<double>(evaluator::halfToFloat(as<uint16_t>(element), dtype));
    case DType::Float32:
      return static_cast<double>(as<float>(element));
    case DType::Float64:
      return as<double>(element);
  }
  return 0;
}

double distance(double a, double b) {
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

std::string elementText(DType dtype, const std::byte* element) {
  uint64_t bits = 0;
  std::memcpy(&bits, element, static_cast<size_t>(bytesOf(dtype)));
  const std::string value =
      dtype == DType::Int64 ? fmt::format("{}", as<int64_t>(element)) : fmt::format("{}", valueOf(dtype, element));
  return fmt::format("{} (0x{:0{}x})", value, bits, bytesOf(dtype) * 2);
}

std::vector<int64_t> indexAt(const std::vector<int64_t>& sizes, int64_t position) {
  std::vector<int64_t> index(sizes.size());
  for (size_t axis = sizes.size(); axis-- > 0;) {
    index[axis] = position % sizes[axis];
    position /= sizes[axis];
  }
  return index;
}

/// Keeps every bit of its operands, or has none.
bool movesBits(const ir::Fusion& fusion, const ir::Expr& expr) {
  return std::visit(overloaded{
                        [](const ir::Unary& op) { return op.kind == ir::UnaryKind::Set; },
                        [](const ir::Binary&) { return false; },
                        [](const ir::Ternary& op) { return op.kind == ir::TernaryKind::Where; },
                        [&](const ir::Cast& op) { return op.dtype == fusion.value(expr.inputs[0]).dtype(); },
                        [](const ir::Slice&) { return true; },
                        [](const ir::Pad&) { return true; },
                        [](const ir::Cat&) { return true; },
                        [](const ir::SelectAt&) { return true; },
                        [](const ir::Reshape&) { return true; },
                        [](const ir::Permute&) { return true; },
                        [](const ir::BroadcastInDim&) { return true; },
                        [](const ir::Expand&) { return true; },
                        [](const ir::Squeeze&) { return true; },
                        [](const ir::Flip&) { return true; },
                        [](const ir::Full&) { return true; },
                        [](const ir::Iota&) { return true; },
                        [](const ir::Reduce&) { return false; },
                    },
                    expr.op);
}

}  // namespace

Comparison compareBitwise(const HostArray& actual, const HostArray& expected, NanRule rule) {
  if (actual.dtype() != expected.dtype()) {
    throw Error(ErrorCode::InvalidDType,
                fmt::format("{} is compared with {}", nameOf(actual.dtype()), nameOf(expected.dtype())));
  }
  if (actual.sizes() != expected.sizes()) {
    throw Error(ErrorCode::ShapeMismatch,
                fmt::format("sizes [{}] are compared with [{}]", fmt::join(actual.sizes(), ", "),
                            fmt::join(expected.sizes(), ", ")));
  }
  const DType dtype = actual.dtype();
  const auto bytes = static_cast<size_t>(bytesOf(dtype));
  const std::vector<std::byte> a = actual.packed(), b = expected.packed();
  Comparison result;
  result.elements = actual.elements();
  if (a == b) return result;
  for (int64_t i = 0; i < result.elements; ++i) {
    const std::byte* x = a.data() + static_cast<size_t>(i) * bytes;
    const std::byte* y = b.data() + static_cast<size_t>(i) * bytes;
    if (std::memcmp(x, y, bytes) == 0) continue;
    const double left = valueOf(dtype, x), right = valueOf(dtype, y);
    if (rule == NanRule::AnyNan && std::isnan(left) && std::isnan(right)) continue;
    if (result.differences++ == 0) result.firstDifference = i;
    result.maxAbsDiff = std::max(result.maxAbsDiff, distance(left, right));
  }
  result.equal = result.differences == 0;
  return result;
}

NanRule nanRuleOf(const ir::Fusion& fusion, const ir::Output& output) {
  std::vector<ir::ValueId> pending{output.value};
  std::set<ir::ValueId> seen;
  while (!pending.empty()) {
    const ir::ValueId value = pending.back();
    pending.pop_back();
    if (!seen.insert(value).second) continue;
    const ir::Expr* definition = fusion.definition(value);
    if (definition == nullptr) continue;
    if (!movesBits(fusion, *definition)) return NanRule::AnyNan;
    // The condition of a where decides which element moves; it may be computed.
    const bool isWhere = std::holds_alternative<ir::Ternary>(definition->op);
    pending.insert(pending.end(), definition->inputs.begin() + (isWhere ? 1 : 0), definition->inputs.end());
  }
  return NanRule::Bitwise;
}

std::string describe(const Comparison& comparison, const HostArray& actual, const HostArray& expected) {
  if (comparison.equal) return fmt::format("all {} elements are equal", comparison.elements);
  const auto bytes = static_cast<size_t>(bytesOf(actual.dtype()));
  const auto at = static_cast<size_t>(comparison.firstDifference) * bytes;
  const std::vector<std::byte> a = actual.packed(), b = expected.packed();
  return fmt::format("{} of {} elements differ, first at [{}]: {}, expected {}", comparison.differences,
                     comparison.elements, fmt::join(indexAt(actual.sizes(), comparison.firstDifference), ", "),
                     elementText(actual.dtype(), a.data() + at), elementText(actual.dtype(), b.data() + at));
}

}  // namespace braid::runtime
