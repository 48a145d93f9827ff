#include "evaluator/lanes.h"

namespace braid::evaluator {

namespace {

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    if constexpr (sizeof(To) < 4) {
      // Through i32, as the device does: what leaves i32 saturates there first, which changes nothing.
      const auto whole = saturated<int32_t>(value);
      return static_cast<To>(
          std::clamp<int32_t>(whole, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    } else {
      return saturated<To>(value);
    }
  } else {
    return static_cast<To>(value);
  }
}

/// Copies elements as they are: a bool keeps its byte.
void copy(DType dtype, const ScalarOperand& a, std::byte* result, int64_t count) {
  const auto size = static_cast<size_t>(bytesOf(dtype));
  if (a.data != nullptr && !a.repeats) {
    std::memcpy(result, a.data, size * static_cast<size_t>(count));
    return;
  }
  std::byte element[8] = {};
  if (a.data == nullptr) {
    storeScalar(a.number, dtype, element);
  } else {
    std::memcpy(element, a.data, size);
  }
  for (int64_t i = 0; i < count; ++i) std::memcpy(result + static_cast<size_t>(i) * size, element, size);
}

}  // namespace

void applyCast(DType from, DType to, const ScalarOperand& a, std::byte* result, int64_t count) {
  if (from == to) {
    copy(to, a, result, count);
    return;
  }
  withComputeType(from, [&](auto zero) {
    using From = decltype(zero);
    Lanes<From> lanes(a, from);
    withComputeType(to, [&](auto target) {
      using To = decltype(target);
      To out[kChunk];
      eachChunk(count, [&](int64_t first, int64_t n) {
        const From* in = lanes.chunk(first, n);
        for (int64_t i = 0; i < n; ++i) {
          out[i] = to == DType::Bool ? static_cast<To>(in[i] != 0) : convert<To>(in[i]);
        }
        narrow(to, out, result + first * bytesOf(to), n);
      });
    });
  });
}

void storeScalar(const ir::Scalar& number, DType dtype, std::byte* element) {
  withComputeType(dtype, [&](auto zero) {
    const auto value = numberAs<decltype(zero)>(number, dtype == DType::Bool);
    narrow(dtype, &value, element, 1);
  });
}

void storeIota(const ir::Scalar& start, const ir::Scalar& step, DType dtype, int64_t position, std::byte* element) {
  if (isFloating(dtype)) {
    const double value = numberAs<double>(start, false) + numberAs<double>(step, false) * static_cast<double>(position);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    applyCast(DType::Float64, dtype, {bytes, true, {}}, element, 1);
    return;
  }
  const auto value =
      static_cast<int64_t>(static_cast<uint64_t>(numberAs<int64_t>(start, false)) +
                           static_cast<uint64_t>(numberAs<int64_t>(step, false)) * static_cast<uint64_t>(position));
  applyCast(DType::Int64, dtype, {reinterpret_cast<const std::byte*>(&value), true, {}}, element, 1);
}

}  // namespace braid::evaluator
