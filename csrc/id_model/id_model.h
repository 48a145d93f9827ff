#pragma once
// Which axes of a fusion are the same axis.
//
// Example: y[T, 8] = add(x[T, 8], b[T, 8]); z = reshape(y, [T * 8]). Axis 0 of x, b and y is one class, axis 1 another;
// z's axis is their Merge. A slice connects two classes by a Resize: two slices of one axis are two classes beside the
// axis's own, and one class may be read at different indices, which is why no index comes from here.

#include <string>
#include <vector>

#include "id_model/val_graph.h"
#include "ir/fusion.h"

namespace braid::id_model {

enum class Mode : uint8_t {
  Exact,        ///< axes that iterate the same thing
  AlmostExact,  ///< and trivial transforms: merge with an axis of extent 1, split by 1 or into 1
  Broadcast,    ///< and axes with what they are broadcast to; gives neither extents nor indices
};

class IdModel {
 public:
  const ValGraph& graph() const { return graph_; }
  NodeId node(ir::ValueId value, size_t axis) const { return nodes_[value][axis]; }
  NodeId classOf(ir::ValueId value, size_t axis) const { return graph_.classOf(node(value, axis)); }
  bool sameAxis(ir::ValueId a, size_t axisA, ir::ValueId b, size_t axisB) const {
    return classOf(a, axisA) == classOf(b, axisB);
  }

 private:
  friend IdModel buildIdModel(const ir::Fusion& fusion, Mode mode);
  ValGraph graph_;
  IdMap<ir::ValueId, std::vector<NodeId>> nodes_;
};

IdModel buildIdModel(const ir::Fusion& fusion, Mode mode);

/// One line a class, "x.0 y.0 = T", then one a group, "merge(x.0, x.1) -> z.0". Axes inside an op are `inner#n`.
std::string print(const ir::Fusion& fusion, const IdModel& model);

}  // namespace braid::id_model
