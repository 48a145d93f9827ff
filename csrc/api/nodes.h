#pragma once
// What stands behind the handles of the public headers.

#include <memory>
#include <string>
#include <vector>

#include "braid/definition.h"
#include "braid/types.h"
#include "ir/builder.h"

namespace braid::detail {

struct ExtentNode {
  index::Extent extent;
  static index::Extent of(const Extent& extent);
  static Extent make(const index::Extent& extent);
  static ir::Extents of(const ExtentList& list);
};

struct FusionNode {
  ir::Fusion fusion;
  static const ir::Fusion& of(const Fusion& fusion) { return fusion.node_->fusion; }
  static Fusion make(ir::Fusion fusion) {
    return Fusion(std::make_shared<const FusionNode>(FusionNode{std::move(fusion)}));
  }
};

ir::Scalar scalarOf(const Scalar& scalar);
ir::Layout layoutOf(const Strides& strides);
ir::Location locationOf(SourceLoc loc);

/// A definition in the making; tensors hold it.
struct Definition : std::enable_shared_from_this<Definition> {
  explicit Definition(const std::string& name) : builder(name) {}

  ir::FusionBuilder builder;
  int unnamedInputs = 0;

  Tensor tensor(ir::ValueId id) { return Tensor(shared_from_this(), id.value); }
  /// Throws Error(InvalidArgument) for a tensor of another definition.
  ir::ValueId tensorId(const Tensor& tensor, std::string_view op) const;
  ir::ValueId operandId(const Operand& operand, std::string_view op);
  Tensor add(ir::Op op, const std::vector<Operand>& operands, SourceLoc loc);

  static Definition& of(const Tensor& tensor) { return *tensor.definition_; }
  static ir::ValueId idOf(const Tensor& tensor) { return ir::ValueId{tensor.id_}; }
};

}  // namespace braid::detail
