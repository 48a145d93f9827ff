#pragma once
// What every inference rule works with: the operands, the constraints it adds, and errors that cite them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "braid/error.h"
#include "ir/fusion.h"
#include "ir/infer.h"

namespace braid::ir {

/// "error at the user's line": the message, then where the expression and its operands were written.
Error definitionError(ErrorCode code, const Fusion& fusion, std::span<const ValueId> operands, const Location& loc,
                      const std::string& message);

class InferContext {
 public:
  InferContext(const Fusion& fusion, std::string_view op, std::span<const ValueId> operands, const Location& loc)
      : fusion_(fusion), op_(op), operands_(operands), loc_(loc) {}

  size_t operandCount() const { return operands_.size(); }
  const Value& value(size_t operand) const { return fusion_.value(operands_[operand]); }
  const TensorView& tensor(size_t operand) const { return fusion_.tensor(operands_[operand]); }
  bool isTensor(size_t operand) const { return value(operand).kind == ValueKind::Tensor; }
  std::string describe(size_t operand) const { return ir::describe(fusion_, operands_[operand]); }
  std::string_view op() const { return op_; }

  /// The error, starting with the op's name.
  Error error(ErrorCode code, const std::string& message) const;
  void expectOperands(size_t count) const;
  /// How many axes each operand has; InvalidRank if they differ, InvalidArgument if there is no operand.
  int64_t commonRank() const;
  /// The axis that `dim` names (negative counts from the end); InvalidRank if there is none.
  size_t axisOf(int64_t dim, int64_t rank, std::string_view attribute) const;

  /// Records what must hold at run time; throws `message` at once when it cannot.
  void requireEqual(const Extent& a, const Extent& b, ErrorCode code, const std::string& message);
  void requireLessEqual(const Extent& a, const Extent& b, ErrorCode code, const std::string& message);

  std::vector<Constraint> takeConstraints() { return std::move(constraints_); }

 private:
  const Fusion& fusion_;
  std::string_view op_;
  std::span<const ValueId> operands_;
  const Location& loc_;
  std::vector<Constraint> constraints_;
};

/// Result axes of movement ops.
std::vector<IterDomain> inferSlice(InferContext& context, const Slice& op);
std::vector<IterDomain> inferPad(InferContext& context, const Pad& op);
std::vector<IterDomain> inferCat(InferContext& context, const Cat& op);
std::vector<IterDomain> inferSelectAt(InferContext& context, const SelectAt& op);
std::vector<IterDomain> inferReshape(InferContext& context, const Reshape& op);
std::vector<IterDomain> inferPermute(InferContext& context, const Permute& op);
std::vector<IterDomain> inferBroadcastInDim(InferContext& context, const BroadcastInDim& op);
std::vector<IterDomain> inferExpand(InferContext& context, const Expand& op);
std::vector<IterDomain> inferSqueeze(InferContext& context, const Squeeze& op);
std::vector<IterDomain> inferFlip(InferContext& context, const Flip& op);

/// The product of extents.
Extent productOf(std::span<const Extent> extents);

}  // namespace braid::ir
