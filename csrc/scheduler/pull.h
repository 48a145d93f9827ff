#pragma once
// Pull: what one element of an output needs, found by walking back from it to the inputs and composing index maps.
//
// Example: o = cat(neg(x[:, 4:8]), x[:, 0:4]) at position [i, d] pulls
//   select(d < 4, neg(load x[i * 8 + d + 4]), load x[i * 8 + d - 4])
// Slices, pads, reshapes and permutes leave nothing behind but index expressions and selects; a value that is needed at
// two index maps is two nodes, at one it is one (memoised by value and index).

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "index/expr.h"
#include "ir/fusion.h"
#include "scheduler/facts.h"

namespace braid::scheduler {

using index::IndexArena;
using index::IndexExpr;
using PullId = Id<struct PullTag>;

/// A node, a number, or a host parameter.
struct ParameterRef {
  ir::ValueId value;
  auto operator<=>(const ParameterRef&) const = default;
};
using PullOperand = std::variant<PullId, ir::Scalar, ParameterRef>;

/// Reads an element of an input (or of a value that an earlier kernel wrote). Several alternatives read the same tensor
/// at different places: the first whose condition holds (an invalid condition always does).
struct PullLoad {
  ir::ValueId tensor;
  struct Alternative {
    IndexExpr condition, offset;
    bool operator==(const Alternative&) const = default;
  };
  std::vector<Alternative> alternatives;
};
struct PullCompute {
  ir::ExprId expr;  ///< a pointwise expression
};
struct PullSelect {
  IndexExpr condition;  ///< operands: where true, where false
};
struct PullIota {
  ir::ExprId expr;
  IndexExpr position;
};
/// A number or parameter as an element.
struct PullConstant {};

struct PullNode {
  std::variant<PullLoad, PullCompute, PullSelect, PullIota, PullConstant> kind;
  std::vector<PullOperand> operands;
  ir::ValueId value;  ///< the fusion's value that it computes, for dtype, names and comments
  DType dtype;
  /// When the node's value matters: any of these conjunctions of conditions. One empty conjunction: always.
  std::vector<std::vector<IndexExpr>> demand;
};

struct PullRoot {
  ir::ValueId value;
  std::vector<IndexExpr> index;  ///< one for each axis
  IndexExpr guard;               ///< where the root is wanted (the guard of a tail); invalid: everywhere
};

struct PullRequest {
  std::vector<PullRoot> roots;
  /// Values that an earlier kernel wrote, contiguous: they are loaded, not computed.
  std::vector<ir::ValueId> materialised;
};

struct PullGraph {
  std::vector<PullNode> nodes;  ///< operands before users
  std::vector<PullOperand> roots;

  const PullNode& node(PullId id) const { return nodes[id.value]; }
};

/// Builds the graph, then drops selects that their users' conditions decide, and joins two loads of one tensor that are
/// never both wanted into one with two places.
PullGraph pull(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, const PullRequest& request);

/// Element strides of an input (its declared layout) or of a contiguous value.
std::vector<IndexExpr> stridesOf(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, ir::ValueId value);

/// The conditions of a demand as one expression; invalid when it always holds.
IndexExpr demandCondition(IndexArena& arena, const std::vector<std::vector<IndexExpr>>& demand);

/// True if any offset, condition or position of the node itself mentions the symbol.
bool mentions(const IndexArena& arena, const PullNode& node, IndexExpr symbol);

}  // namespace braid::scheduler
