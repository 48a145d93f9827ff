#pragma once
// What every scalar operation means, on packed arrays of one dtype: PyTorch eager's results, one rounding an op.
// docs/semantics.md has the formulas. The reference evaluator and the host executor share these functions.

#include <cstddef>
#include <cstdint>
#include <span>

#include "braid/dtype.h"
#include "ir/op.h"

namespace braid::evaluator {

/// One operand of `count` elements: packed elements of the op's dtype, or one element for all, or a number that is
/// converted to the compute type (f32 for half types), not to the dtype.
struct ScalarOperand {
  const std::byte* data = nullptr;  ///< null for a number
  bool repeats = false;             ///< `data` is a single element that stands for all
  ir::Scalar number;
};

/// result[i] = op(operands[0][i], …). `dtype` is that of the tensor operands (for Where: of the two values; its
/// condition is bool). The result dtype is bool for predicates, else `dtype`. Arrays may not overlap. Never traps.
void applyUnary(ir::UnaryKind kind, DType dtype, const ScalarOperand& a, std::byte* result, int64_t count);
void applyBinary(ir::BinaryKind kind, DType dtype, const ScalarOperand& a, const ScalarOperand& b, std::byte* result,
                 int64_t count);
/// Operands as in ir/op_table.h (addcmul has four).
void applyTernary(ir::TernaryKind kind, DType dtype, std::span<const ScalarOperand> operands, std::byte* result,
                  int64_t count);
void applyCast(DType from, DType to, const ScalarOperand& a, std::byte* result, int64_t count);

/// The element that a number becomes in a tensor of that dtype (pad, full, where): 8 bytes are enough for any.
void storeScalar(const ir::Scalar& number, DType dtype, std::byte* element);
/// start + step * position as `iota` defines it.
void storeIota(const ir::Scalar& start, const ir::Scalar& step, DType dtype, int64_t position, std::byte* element);

/// Conversions of half types, round to nearest even; NaN stays NaN.
float halfToFloat(uint16_t bits, DType half);
uint16_t floatToHalf(float value, DType half);

}  // namespace braid::evaluator
