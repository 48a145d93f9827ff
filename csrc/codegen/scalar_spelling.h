#pragma once
// Scalar operations as C++ expressions.

#include <span>
#include <string>

#include "codegen/preamble.h"
#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// The op on one lane. `type` is the dtype of the operands; half types compute in float, and the result is not rounded
/// back here. Operands are texts of values of the compute type that bind tighter than any operator. The result is of
/// the compute type, or bool for predicates, and stands where no parentheses are needed.
std::string spell(ir::UnaryKind kind, DType type, const std::string& a, Preamble& preamble);
std::string spell(ir::BinaryKind kind, DType type, const std::string& a, const std::string& b, Preamble& preamble);
std::string spell(ir::TernaryKind kind, DType type, std::span<const std::string> operands, Preamble& preamble);

/// A lane of compute type of `from` as one of `to`'s compute type; half results are still to be rounded.
std::string spellCast(DType from, DType to, const std::string& a, Preamble& preamble);

}  // namespace braid::codegen
