#pragma once
// Classes of axes and the expressions that connect them. Knows no fusion: nodes are numbers.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "index/extent.h"

namespace braid::id_model {

using NodeId = Id<struct ValNodeTag>;
using index::Extent;

/// One expression between classes: `in` axes become `out` axes. Two expressions of one kind with the same parameters
/// over the same classes are one group.
struct AxisExpr {
  enum class Kind : uint8_t { Split, Merge, Resize, Flip, Stride, Broadcast };
  Kind kind;
  std::vector<NodeId> in, out;
  std::vector<Extent> parameters;  ///< Split: factor. Resize: lo, hi. Stride: step
};

class ValGraph {
 public:
  NodeId add(const Extent& extent);
  void add(AxisExpr expr) { exprs_.push_back(std::move(expr)); }
  void join(NodeId a, NodeId b);

  /// Joins what must be one class because it is made from one class in the same way: the results of equal
  /// expressions, the merge of what a split made, the split of a merge at its inner extent, a flip flipped.
  void close();

  size_t size() const { return extents_.size(); }
  /// The node that stands for its class.
  NodeId classOf(NodeId node) const;
  bool sameClass(NodeId a, NodeId b) const { return classOf(a) == classOf(b); }
  /// The members of a class in order of definition.
  std::vector<NodeId> members(NodeId node) const;
  const Extent& ownExtent(NodeId node) const { return extents_[node.value]; }
  /// The extent that the class owns: the constant if any member has one, else the first member's.
  Extent extentOf(NodeId node) const;
  /// Expressions over class representatives, each group once.
  std::vector<AxisExpr> groups() const;

 private:
  bool closeOnce();
  std::string keyOf(AxisExpr::Kind kind, const std::vector<NodeId>& in, const std::vector<Extent>& parameters) const;

  std::vector<Extent> extents_;
  std::vector<uint32_t> parents_;  // of the union-find forest; the smallest member is the root
  std::vector<AxisExpr> exprs_;
};

std::string nameOf(AxisExpr::Kind kind);

}  // namespace braid::id_model
