#include "runtime/parameter_value.h"

#include <cstring>

#include "evaluator/scalar_ops.h"

namespace braid::runtime {

namespace {

template <class T>
T elementAs(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

}  // namespace

ir::Scalar roundedTo(const ir::Scalar& value, DType dtype) {
  std::byte element[8];
  evaluator::storeScalar(value, dtype, element);
  switch (dtype) {
    case DType::Bool:
      return ir::Scalar::boolean(elementAs<uint8_t>(element) != 0);
    case DType::UInt8:
      return ir::Scalar::integral(elementAs<uint8_t>(element));
    case DType::Int8:
      return ir::Scalar::integral(elementAs<int8_t>(element));
    case DType::Int16:
      return ir::Scalar::integral(elementAs<int16_t>(element));
    case DType::Int32:
      return ir::Scalar::integral(elementAs<int32_t>(element));
    case DType::Int64:
      return ir::Scalar::integral(elementAs<int64_t>(element));
    case DType::Float16:
    case DType::BFloat16:
      return ir::Scalar::real(static_cast<double>(evaluator::halfToFloat(elementAs<uint16_t>(element), dtype)));
    case DType::Float32:
      return ir::Scalar::real(static_cast<double>(elementAs<float>(element)));
    case DType::Float64:
      return ir::Scalar::real(elementAs<double>(element));
  }
  return value;
}

}  // namespace braid::runtime
