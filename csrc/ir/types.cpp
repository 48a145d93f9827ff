// Promotion of dtypes, as PyTorch does it.

#include <algorithm>

#include "ir/infer.h"

namespace braid::ir {

DType computeType(DType type) { return isHalf(type) ? DType::Float32 : type; }

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (isFloating(a) && isFloating(b)) return isHalf(a) && isHalf(b) ? DType::Float32 : std::max(a, b);
  if (isFloating(a)) return a;
  if (isFloating(b)) return b;
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  // No 8-bit type holds both the signed and the unsigned bytes.
  if (std::min(a, b) == DType::UInt8 && std::max(a, b) == DType::Int8) return DType::Int16;
  return std::max(a, b);
}

DType promoteWeak(DType tensor, Scalar::Kind number) {
  switch (number) {
    case Scalar::Kind::Bool:
      return tensor;
    case Scalar::Kind::Int:
      return tensor == DType::Bool ? DType::Int64 : tensor;
    case Scalar::Kind::Float:
      return isFloating(tensor) ? tensor : DType::Float32;
  }
  return tensor;
}

}  // namespace braid::ir
