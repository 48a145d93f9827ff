#pragma once
// Element types of tensors and scalars.

#include <cstdint>
#include <optional>
#include <string_view>

namespace braid {

enum class DType : uint8_t { Bool, UInt8, Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64 };

inline constexpr int kDTypeCount = 10;

/// Size of one element in bytes. A bool takes one byte.
constexpr int64_t bytesOf(DType type) {
  switch (type) {
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
      return 1;
    case DType::Int16:
    case DType::Float16:
    case DType::BFloat16:
      return 2;
    case DType::Int32:
    case DType::Float32:
      return 4;
    case DType::Int64:
    case DType::Float64:
      return 8;
  }
  return 0;
}

constexpr bool isFloating(DType type) { return type >= DType::Float16; }
constexpr bool isHalf(DType type) { return type == DType::Float16 || type == DType::BFloat16; }
constexpr bool isInteger(DType type) { return type >= DType::UInt8 && type <= DType::Int64; }

/// The name in the text form: bool u8 i8 i16 i32 i64 f16 bf16 f32 f64.
constexpr std::string_view nameOf(DType type) {
  constexpr std::string_view kNames[] = {"bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return kNames[static_cast<int>(type)];
}

/// The dtype with that name, or nothing.
constexpr std::optional<DType> dtypeNamed(std::string_view name) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (nameOf(static_cast<DType>(i)) == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace braid
