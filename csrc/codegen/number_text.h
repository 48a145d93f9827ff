#pragma once
// Numbers as C++ literals, bit for bit.

#include <string>

#include "braid/dtype.h"
#include "ir/op.h"

namespace braid::codegen {

/// The type of one lane in an expression: float for half types, else the dtype's own.
std::string_view laneType(DType type);
/// The type of one element in memory: unsigned short for half types.
std::string_view elementType(DType type);
/// The dtype in which an op on `type` computes.
inline DType computeTypeOf(DType type) { return isHalf(type) ? DType::Float32 : type; }

/// The number as a value of the compute type of `type`.
std::string numberText(const ir::Scalar& number, DType type);
/// The bits of the number as an element of a half type.
uint16_t halfElement(const ir::Scalar& number, DType half);
/// Two copies of those bits as a literal.
std::string halfWordText(uint16_t bits);
/// The bits of an element of a half type that is the number exactly as float arithmetic would see it, if there is one.
bool isExactHalf(const ir::Scalar& number, DType half);

}  // namespace braid::codegen
