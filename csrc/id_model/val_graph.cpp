#include "id_model/val_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace braid::id_model {

NodeId ValGraph::add(const Extent& extent) {
  extents_.push_back(extent);
  parents_.push_back(static_cast<uint32_t>(parents_.size()));
  return NodeId{parents_.back()};
}

NodeId ValGraph::classOf(NodeId node) const {
  uint32_t at = node.value;
  while (parents_[at] != at) at = parents_[at];
  return NodeId{at};
}

void ValGraph::join(NodeId a, NodeId b) {
  const uint32_t x = classOf(a).value, y = classOf(b).value;
  parents_[std::max(x, y)] = std::min(x, y);
}

std::string ValGraph::keyOf(AxisExpr::Kind kind, const std::vector<NodeId>& in,
                            const std::vector<Extent>& parameters) const {
  std::string key = nameOf(kind);
  for (const NodeId node : in) key += fmt::format(" {}", classOf(node).value);
  for (const Extent& each : parameters) key += ", " + each.text();
  return key;
}

bool ValGraph::closeOnce() {
  using Kind = AxisExpr::Kind;
  std::map<std::string, std::vector<NodeId>> results;
  bool changed = false;
  const auto gives = [&](const std::string& key, const std::vector<NodeId>& out) {
    const std::vector<NodeId>& known = results.emplace(key, out).first->second;
    for (size_t i = 0; i < out.size(); ++i) {
      if (sameClass(known[i], out[i])) continue;
      join(known[i], out[i]);
      changed = true;
    }
  };
  for (const AxisExpr& expr : exprs_) {
    switch (expr.kind) {
      case Kind::Split:
        // The inner class's extent stands for the factor: two texts of one extent are one key.
        gives(keyOf(Kind::Split, expr.in, {extentOf(expr.out[1])}), expr.out);
        gives(keyOf(Kind::Merge, expr.out, {}), expr.in);
        break;
      case Kind::Merge:
        gives(keyOf(Kind::Merge, expr.in, {}), expr.out);
        gives(keyOf(Kind::Split, expr.out, {extentOf(expr.in[1])}), expr.in);
        break;
      case Kind::Flip:
        gives(keyOf(Kind::Flip, expr.in, {}), expr.out);
        gives(keyOf(Kind::Flip, expr.out, {}), expr.in);
        break;
      case Kind::Resize:
      case Kind::Stride:
        gives(keyOf(expr.kind, expr.in, expr.parameters), expr.out);
        break;
      case Kind::Broadcast:
        break;  // may repeat one axis to many extents
    }
  }
  return changed;
}

void ValGraph::close() {
  while (closeOnce()) {
  }
}

std::vector<NodeId> ValGraph::members(NodeId node) const {
  const NodeId wanted = classOf(node);
  std::vector<NodeId> result;
  for (uint32_t i = 0; i < parents_.size(); ++i) {
    if (classOf(NodeId{i}) == wanted) result.push_back(NodeId{i});
  }
  return result;
}

Extent ValGraph::extentOf(NodeId node) const {
  for (const NodeId member : members(node)) {
    if (ownExtent(member).isConstant()) return ownExtent(member);
  }
  return ownExtent(classOf(node));
}

std::vector<AxisExpr> ValGraph::groups() const {
  std::vector<AxisExpr> result;
  for (AxisExpr expr : exprs_) {
    for (auto* side : {&expr.in, &expr.out}) {
      for (NodeId& node : *side) node = classOf(node);
    }
    const bool known = std::any_of(result.begin(), result.end(), [&](const AxisExpr& other) {
      return other.kind == expr.kind && other.in == expr.in && other.out == expr.out &&
             other.parameters == expr.parameters;
    });
    if (!known) result.push_back(std::move(expr));
  }
  return result;
}

std::string nameOf(AxisExpr::Kind kind) {
  switch (kind) {
    case AxisExpr::Kind::Split:
      return "split";
    case AxisExpr::Kind::Merge:
      return "merge";
    case AxisExpr::Kind::Resize:
      return "resize";
    case AxisExpr::Kind::Flip:
      return "flip";
    case AxisExpr::Kind::Stride:
      return "stride";
    case AxisExpr::Kind::Broadcast:
      return "broadcast";
  }
  return "";
}

}  // namespace braid::id_model
