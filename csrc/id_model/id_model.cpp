#include "id_model/id_model.h"

#include <fmt/format.h>

#include <map>

#include "base/overloaded.h"
#include "ir/axis.h"

namespace braid::id_model {

namespace {

/// Adds the axes and transforms of one operand of one expression.
class OperandAxes {
 public:
  OperandAxes(ValGraph& graph, const ir::AxisTransforms& axes, Mode mode)
      : graph_(graph), axes_(axes), mode_(mode), nodes_(axes.extents.size()) {}

  void connect(const std::vector<NodeId>& operand, const std::vector<NodeId>& result) {
    for (size_t i = 0; i < operand.size(); ++i) nodes_[axes_.root[i]] = operand[i];
    for (size_t i = 0; i < result.size(); ++i) {
      NodeId& node = nodes_[axes_.logical[i]];
      if (node.valid()) {
        graph_.join(node, result[i]);
      } else {
        node = result[i];
      }
    }
    for (const ir::AxisTransform& transform : axes_.transforms) {
      std::visit([&](const auto& each) { apply(each); }, transform);
    }
  }

 private:
  NodeId node(ir::AxisId axis) {
    if (!nodes_[axis].valid()) nodes_[axis] = graph_.add(axes_.extents[axis.value]);
    return nodes_[axis];
  }
  bool isOne(ir::AxisId axis) const { return axes_.extents[axis.value].is(1); }
  void joinIf(bool trivial, ir::AxisId a, ir::AxisId b) {
    if (trivial && mode_ != Mode::Exact) graph_.join(node(a), node(b));
  }

  void apply(const ir::Split& t) {
    graph_.add({AxisExpr::Kind::Split, {node(t.in)}, {node(t.outer), node(t.inner)}, {t.factor}});
    joinIf(isOne(t.inner), t.in, t.outer);
    joinIf(isOne(t.outer), t.in, t.inner);
  }
  void apply(const ir::Merge& t) {
    graph_.add({AxisExpr::Kind::Merge, {node(t.outer), node(t.inner)}, {node(t.out)}, {}});
    joinIf(isOne(t.outer), t.inner, t.out);
    joinIf(isOne(t.inner), t.outer, t.out);
  }
  void apply(const ir::Resize& t) {
    graph_.add({AxisExpr::Kind::Resize, {node(t.in)}, {node(t.out)}, {t.lo, t.hi}});
    joinIf(t.lo.is(0) && t.hi.is(0), t.in, t.out);
  }
  void apply(const ir::FlipAxis& t) { graph_.add({AxisExpr::Kind::Flip, {node(t.in)}, {node(t.out)}, {}}); }
  void apply(const ir::StrideAxis& t) {
    graph_.add({AxisExpr::Kind::Stride, {node(t.in)}, {node(t.out)}, {t.step}});
    joinIf(t.step.is(1), t.in, t.out);
  }
  void apply(const ir::BroadcastAxis& t) {
    if (!t.in.valid()) return;
    graph_.add({AxisExpr::Kind::Broadcast, {node(t.in)}, {node(t.out)}, {}});
    if (mode_ == Mode::Broadcast) graph_.join(node(t.in), node(t.out));
  }

  ValGraph& graph_;
  const ir::AxisTransforms& axes_;
  Mode mode_;
  IdMap<ir::AxisId, NodeId> nodes_;
};

}  // namespace

IdModel buildIdModel(const ir::Fusion& fusion, Mode mode) {
  IdModel model;
  model.nodes_ = IdMap<ir::ValueId, std::vector<NodeId>>(fusion.values().size());
  for (uint32_t i = 0; i < fusion.values().size(); ++i) {
    for (const ir::IterDomain& axis : fusion.values()[i].tensor.logical) {
      model.nodes_[ir::ValueId{i}].push_back(model.graph_.add(axis.extent));
    }
  }
  for (const ir::Expr& expr : fusion.exprs()) {
    for (size_t k = 0; k < expr.inputs.size(); ++k) {
      if (fusion.value(expr.inputs[k]).kind != ir::ValueKind::Tensor) continue;
      const ir::AxisTransforms axes = ir::axisTransforms(fusion, expr, k);
      OperandAxes(model.graph_, axes, mode).connect(model.nodes_[expr.inputs[k]], model.nodes_[expr.output]);
    }
  }
  model.graph_.close();
  return model;
}

std::string print(const ir::Fusion& fusion, const IdModel& model) {
  std::map<NodeId, std::string> names;
  for (uint32_t i = 0; i < fusion.values().size(); ++i) {
    const ir::TensorView& tensor = fusion.values()[i].tensor;
    for (size_t axis = 0; axis < tensor.logical.size(); ++axis) {
      names[model.node(ir::ValueId{i}, axis)] = fmt::format("{}.{}", tensor.name, axis);
    }
  }
  const ValGraph& graph = model.graph();
  const auto name = [&](NodeId node) {
    const auto it = names.find(node);
    return it == names.end() ? fmt::format("inner#{}", node.value) : it->second;
  };
  std::string text;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const NodeId node{i};
    if (graph.classOf(node) != node) continue;
    std::string line;
    for (const NodeId member : graph.members(node)) line += (line.empty() ? "" : " ") + name(member);
    text += fmt::format("{} = {}\n", line, graph.extentOf(node).text());
  }
  const auto list = [&](const std::vector<NodeId>& nodes) {
    std::string result;
    for (const NodeId node : nodes) result += (result.empty() ? "" : ", ") + name(node);
    return result;
  };
  for (const AxisExpr& expr : graph.groups()) {
    std::string parameters;
    for (const Extent& each : expr.parameters) parameters += ", " + each.text();
    text += fmt::format("{}({}{}) -> {}\n", nameOf(expr.kind), list(expr.in), parameters, list(expr.out));
  }
  return text;
}

}  // namespace braid::id_model
