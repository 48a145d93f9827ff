#include "codegen/number_text.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace braid::codegen {
namespace {

double asDouble(const ir::Scalar& number) {
  return number.kind == ir::Scalar::Kind::Float ? number.floating : static_cast<double>(number.integer);
}

float asFloat(const ir::Scalar& number) {
  // From the integer in one rounding, not through double.
  return number.kind == ir::Scalar::Kind::Float ? static_cast<float>(number.floating)
                                                : static_cast<float>(number.integer);
}

/// Truncates and saturates; NaN is 0.
int64_t truncated(double value, int64_t lo, int64_t hi) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(lo)) return lo;
  if (value >= static_cast<double>(hi)) return hi;
  return static_cast<int64_t>(value);
}

template <class T>
T asInteger(const ir::Scalar& number) {
  if (number.kind != ir::Scalar::Kind::Float) return static_cast<T>(number.integer);
  return static_cast<T>(truncated(number.floating, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

std::string negativeInParentheses(std::string text) { return text.starts_with('-') ? "(" + text + ")" : text; }

std::string floatText(float value) {
  // Decimal for what every compiler reads back exactly; bits for the rest.
  if (!std::isfinite(value) || (value != 0 && std::fabs(value) < std::numeric_limits<float>::min())) {
    return fmt::format("__uint_as_float({:#x}u)", std::bit_cast<uint32_t>(value));
  }
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return negativeInParentheses(digits + "f");
}

std::string doubleText(double value) {
  if (!std::isfinite(value) || (value != 0 && std::fabs(value) < std::numeric_limits<double>::min())) {
    return fmt::format("__longlong_as_double({:#x}ULL)", std::bit_cast<uint64_t>(value));
  }
  std::string digits = fmt::format("{}", value);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return negativeInParentheses(digits);
}

uint16_t bfloat16Bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(0x7fc0u | (bits >> 16 & 0x8000u));
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

uint16_t float16Bits(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 65520.0f) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x1p-14f) {  // subnormal: a multiple of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24f)));
  }
  const uint32_t rest = bits & 0x7fffffffu;
  const uint32_t rounded = rest + 0xfffu + (rest >> 13 & 1u);
  return static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

float halfValue(uint16_t bits, DType half) {
  if (half == DType::BFloat16) return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  const int exponent = bits >> 10 & 31;
  const auto fraction = static_cast<float>(bits & 1023);
  const float magnitude = exponent == 31  ? (fraction == 0 ? std::numeric_limits<float>::infinity()
                                                           : std::numeric_limits<float>::quiet_NaN())
                          : exponent == 0 ? std::ldexp(fraction, -24)
                                          : std::ldexp(fraction + 1024.0f, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::string_view laneType(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::UInt8:
      return "unsigned char";
    case DType::Int8:
      return "signed char";
    case DType::Int16:
      return "short";
    case DType::Int32:
      return "int";
    case DType::Int64:
      return "long long";
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return "float";
    case DType::Float64:
      return "double";
  }
  return "";
}

std::string_view elementType(DType type) { return isHalf(type) ? "unsigned short" : laneType(type); }

std::string numberText(const ir::Scalar& number, DType type) {
  switch (type) {
    case DType::Bool:
      return (number.kind == ir::Scalar::Kind::Float ? number.floating != 0 : number.integer != 0) ? "1" : "0";
    case DType::UInt8:
      return fmt::format("{}", static_cast<int>(asInteger<uint8_t>(number)));
    case DType::Int8:
      return negativeInParentheses(fmt::format("{}", static_cast<int>(asInteger<int8_t>(number))));
    case DType::Int16:
      return negativeInParentheses(fmt::format("{}", asInteger<int16_t>(number)));
    case DType::Int32: {
      const auto value = asInteger<int32_t>(number);
      if (value == std::numeric_limits<int32_t>::min()) return "(-2147483647 - 1)";
      return negativeInParentheses(fmt::format("{}", value));
    }
    case DType::Int64: {
      const auto value = asInteger<int64_t>(number);
      if (value == std::numeric_limits<int64_t>::min()) return "(-9223372036854775807LL - 1)";
      return negativeInParentheses(fmt::format("{}LL", value));
    }
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return floatText(asFloat(number));
    case DType::Float64:
      return doubleText(asDouble(number));
  }
  return "";
}

uint16_t halfElement(const ir::Scalar& number, DType half) {
  const float value = asFloat(number);
  return half == DType::BFloat16 ? bfloat16Bits(value) : float16Bits(value);
}

std::string halfWordText(uint16_t bits) {
  if (bits == 0) return "0u";
  return fmt::format("{:#010x}u", static_cast<uint32_t>(bits) * 0x10001u);
}

bool isExactHalf(const ir::Scalar& number, DType half) {
  const float value = asFloat(number);
  return std::bit_cast<uint32_t>(halfValue(halfElement(number, half), half)) == std::bit_cast<uint32_t>(value);
}

}  // namespace braid::codegen
