#pragma once
// Result types of ops whose operands already agree in dtype and shape.

#include <span>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

struct Inferred {
  DType dtype;
  std::vector<IterDomain> logical;
  std::vector<Constraint> constraints;  ///< what must hold at run time and could not be proved
};

/// Throws Error for operands that do not fit: rank, dtype, or extents that must differ. `loc` is cited.
Inferred infer(const Fusion& fusion, const Op& op, std::span<const ValueId> operands, const Location& loc);

/// The dtype of the operands that a pointwise expression computes on (for where: of its two values).
DType operandType(const Fusion& fusion, const Expr& expr);

/// The dtype in which an op on `type` computes: f32 for half types (each result is rounded once), else the type itself.
DType computeType(DType type);
/// PyTorch's promotion of two tensor dtypes.
DType promote(DType a, DType b);
/// PyTorch's promotion of a tensor dtype with a weakly typed number.
DType promoteWeak(DType tensor, Scalar::Kind number);

}  // namespace braid::ir
