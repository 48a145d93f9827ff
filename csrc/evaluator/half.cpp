#include "evaluator/half.h"

#include "evaluator/scalar_ops.h"

namespace braid::evaluator {

float halfToFloat(uint16_t bits, DType half) {
  return half == DType::BFloat16 ? bfloat16Value(bits) : float16Value(bits);
}

uint16_t floatToHalf(float value, DType half) {
  return half == DType::BFloat16 ? bfloat16Bits(value) : float16Bits(value);
}

}  // namespace braid::evaluator
