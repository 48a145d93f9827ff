#include "scheduler/pull.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/overloaded.h"
#include "scheduler/demand.h"
#include "scheduler/index_map.h"

namespace braid::scheduler {

namespace {

// Numbers compare by bits so that -0.0 and 0.0, or two NaNs, are told apart.
struct ScalarKey {
  ir::Scalar::Kind kind;
  int64_t integer;
  uint64_t bits;
  auto operator<=>(const ScalarKey&) const = default;
};
ScalarKey keyOf(const ir::Scalar& scalar) {
  uint64_t bits = 0;
  static_assert(sizeof(bits) == sizeof(scalar.floating));
  std::copy_n(reinterpret_cast<const char*>(&scalar.floating), sizeof(bits), reinterpret_cast<char*>(&bits));
  return {scalar.kind, scalar.integer, bits};
}

using OperandKey = std::variant<PullId, ScalarKey, ParameterRef>;
OperandKey keyOf(const PullOperand& operand) {
  return std::visit(overloaded{
                        [](const PullId& id) -> OperandKey { return id; },
                        [](const ir::Scalar& number) -> OperandKey { return keyOf(number); },
                        [](const ParameterRef& parameter) -> OperandKey { return parameter; },
                    },
                    operand);
}

class Puller {
 public:
  Puller(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, const PullRequest& request)
      : fusion_(fusion), facts_(facts), arena_(arena), loaded_(fusion.values().size(), 0) {
    for (const ir::Input& input : fusion.inputs()) {
      if (fusion.value(input.value).kind == ir::ValueKind::Tensor) loaded_[input.value] = 1;
    }
    for (const ir::ValueId value : request.materialised) loaded_[value] = 1;
  }

  PullOperand value(ir::ValueId id, const std::vector<IndexExpr>& index) {
    const ir::Value& value = fusion_.value(id);
    if (value.kind == ir::ValueKind::Literal) return value.literal;
    if (value.kind == ir::ValueKind::Parameter) return ParameterRef{id};
    const auto key = std::pair(id, index);
    if (const auto it = memo_.find(key); it != memo_.end()) return it->second;
    const PullOperand result = loaded_[id] ? load(id, index) : computed(id, *fusion_.definition(id), index);
    memo_.emplace(key, result);
    return result;
  }

  std::vector<PullNode> takeNodes() { return std::move(nodes_); }

 private:
  PullOperand load(ir::ValueId id, const std::vector<IndexExpr>& index) {
    const std::vector<IndexExpr> strides = stridesOf(fusion_, facts_, arena_, id);
    IndexExpr offset = arena_.constant(0);
    for (size_t axis = 0; axis < index.size(); ++axis) {
      offset = arena_.add(offset, arena_.mul(index[axis], strides[axis]));
    }
    const auto key = std::pair(id, offset);
    if (const auto it = loads_.find(key); it != loads_.end()) return it->second;
    const PullId node = append({PullLoad{id, {{IndexExpr{}, offset}}}, {}, id, fusion_.value(id).dtype(), {}});
    loads_.emplace(key, node);
    return node;
  }

  PullOperand computed(ir::ValueId id, const ir::Expr& expr, const std::vector<IndexExpr>& index) {
    const auto moved = [&](size_t operand) {
      return value(expr.inputs[operand], operandIndex(fusion_, facts_, arena_, expr, operand, index).index);
    };
    return std::visit(
        overloaded{
            [&](const ir::Unary& op) {
              // A copy moves bits: nothing is computed.
              return op.kind == ir::UnaryKind::Set ? value(expr.inputs[0], index) : pointwise(id, expr, index);
            },
            [&](const ir::Binary&) { return pointwise(id, expr, index); },
            [&](const ir::Ternary&) { return pointwise(id, expr, index); },
            [&](const ir::Cast&) { return pointwise(id, expr, index); },
            [&](const ir::Slice&) { return moved(0); },
            [&](const ir::Pad& op) {
              const OperandIndex inner = operandIndex(fusion_, facts_, arena_, expr, 0, index);
              if (arena_.isConstant(inner.inside, 0)) return constant(id, op.value);
              return select(id, inner.inside, value(expr.inputs[0], inner.index), op.value);
            },
            [&](const ir::Cat& op) { return cat(id, expr, op, index); },
            [&](const ir::SelectAt& op) { return selectAt(id, expr, op, index); },
            [&](const ir::Reshape&) { return moved(0); },
            [&](const ir::Permute&) { return moved(0); },
            [&](const ir::BroadcastInDim&) { return moved(0); },
            [&](const ir::Expand&) { return moved(0); },
            [&](const ir::Squeeze&) { return moved(0); },
            [&](const ir::Flip&) { return moved(0); },
            [&](const ir::Full& op) { return constant(id, op.value); },
            [&](const ir::Iota&) {
              const ExprIdOf which{fusion_, expr};
              return PullOperand(append({PullIota{which.id(), index[0]}, {}, id, typeOf(id), {}}));
            },
            [&](const ir::Reduce&) -> PullOperand {
              BRAID_CHECK(false, "{} is a reduction, which no kernel takes yet", fusion_.value(id).name());
              return PullId{};
            },
        },
        expr.op);
  }

  /// The id of an expression that is known by reference.
  struct ExprIdOf {
    const ir::Fusion& fusion;
    const ir::Expr& expr;
    ir::ExprId id() const { return fusion.value(expr.output).definition; }
  };

  DType typeOf(ir::ValueId id) const { return fusion_.value(id).dtype(); }

  PullOperand pointwise(ir::ValueId id, const ir::Expr& expr, const std::vector<IndexExpr>& index) {
    std::vector<PullOperand> operands;
    for (const ir::ValueId input : expr.inputs) operands.push_back(value(input, index));
    // The same computation on the same nodes is one node, though the fusion names it twice or reaches it by two maps.
    std::vector<OperandKey> keys;
    for (const PullOperand& operand : operands) keys.push_back(keyOf(operand));
    const ir::ExprId which = fusion_.value(id).definition;
    const auto key = std::pair(which, keys);
    if (const auto it = computes_.find(key); it != computes_.end()) return it->second;
    const PullId node = append({PullCompute{which}, std::move(operands), id, typeOf(id), {}});
    computes_.emplace(key, node);
    return node;
  }

  PullOperand constant(ir::ValueId id, const PullOperand& number) {
    return append({PullConstant{}, {number}, id, typeOf(id), {}});
  }

  PullOperand select(ir::ValueId id, IndexExpr condition, const PullOperand& whenTrue, const PullOperand& whenFalse) {
    if (const auto known = arena_.asConstant(condition)) {
      const PullOperand& chosen = *known ? whenTrue : whenFalse;
      return std::holds_alternative<PullId>(chosen) ? chosen : constant(id, chosen);
    }
    if (keyOf(whenTrue) == keyOf(whenFalse)) return whenTrue;
    return append({PullSelect{condition}, {whenTrue, whenFalse}, id, typeOf(id), {}});
  }

  PullOperand cat(ir::ValueId id, const ir::Expr& expr, const ir::Cat& op, const std::vector<IndexExpr>& index) {
    IndexExpr end = arena_.constant(0);
    std::vector<IndexExpr> bounds;
    for (size_t i = 0; i + 1 < expr.inputs.size(); ++i) {
      end = arena_.add(end, importExtent(arena_, facts_, fusion_.tensor(expr.inputs[i]).extent(op.dim)));
      bounds.push_back(end);
    }
    const IndexExpr position = index[static_cast<size_t>(op.dim)];
    return byPosition(id, position, bounds, [&](size_t operand) {
      return value(expr.inputs[operand], operandIndex(fusion_, facts_, arena_, expr, operand, index).index);
    });
  }

  PullOperand selectAt(ir::ValueId id, const ir::Expr& expr, const ir::SelectAt& op,
                       const std::vector<IndexExpr>& index) {
    std::vector<IndexExpr> bounds;
    for (const index::Extent& bound : op.bounds) bounds.push_back(importExtent(arena_, facts_, bound));
    return byPosition(id, index[static_cast<size_t>(op.dim)], bounds,
                      [&](size_t operand) { return value(expr.inputs[operand], index); });
  }

  /// select(position < bounds[0], operand 0, select(position < bounds[1], operand 1, …)); operands that the position
  /// cannot reach are not pulled.
  template <class PullOperandAt>
  PullOperand byPosition(ir::ValueId id, IndexExpr position, const std::vector<IndexExpr>& bounds,
                         const PullOperandAt& operandAt) {
    struct Branch {
      IndexExpr condition;
      PullOperand operand;
    };
    std::vector<Branch> branches;
    std::optional<PullOperand> last;
    for (size_t i = 0; i < bounds.size(); ++i) {
      const IndexExpr condition = arena_.less(position, bounds[i]);
      if (arena_.isConstant(condition, 0)) continue;
      if (arena_.isConstant(condition, 1)) {
        last = operandAt(i);
        break;
      }
      branches.push_back({condition, operandAt(i)});
    }
    PullOperand result = last ? *last : operandAt(bounds.size());
    if (!std::holds_alternative<PullId>(result)) result = constant(id, result);
    for (auto it = branches.rbegin(); it != branches.rend(); ++it) {
      result = select(id, it->condition, it->operand, result);
    }
    return result;
  }

  PullId append(PullNode node) {
    nodes_.push_back(std::move(node));
    return PullId{static_cast<uint32_t>(nodes_.size() - 1)};
  }

  const ir::Fusion& fusion_;
  const Facts& facts_;
  IndexArena& arena_;
  IdMap<ir::ValueId, char> loaded_;
  std::map<std::pair<ir::ValueId, std::vector<IndexExpr>>, PullOperand> memo_;
  std::map<std::pair<ir::ValueId, IndexExpr>, PullId> loads_;
  std::map<std::pair<ir::ExprId, std::vector<OperandKey>>, PullId> computes_;
  std::vector<PullNode> nodes_;
};

}  // namespace

PullGraph pull(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, const PullRequest& request) {
  Puller puller(fusion, facts, arena, request);
  PullGraph graph;
  for (const PullRoot& root : request.roots) graph.roots.push_back(puller.value(root.value, root.index));
  graph.nodes = puller.takeNodes();
  std::vector<IndexExpr> guards;
  for (const PullRoot& root : request.roots) guards.push_back(root.guard);
  simplifyByDemand(graph, arena, guards);
  return graph;
}

std::vector<IndexExpr> stridesOf(const ir::Fusion& fusion, const Facts& facts, IndexArena& arena, ir::ValueId value) {
  const ir::TensorView& tensor = fusion.tensor(value);
  const ir::Layout* layout = nullptr;
  for (const ir::Input& input : fusion.inputs()) {
    if (input.value == value && !input.layout.contiguous) layout = &input.layout;
  }
  std::vector<IndexExpr> strides(tensor.logical.size());
  IndexExpr running = arena.constant(1);
  for (size_t i = strides.size(); i-- > 0;) {
    if (layout == nullptr) {
      strides[i] = running;
      running = arena.mul(running, importExtent(arena, facts, tensor.logical[i].extent));
    } else if (const auto& spec = layout->strides[i].value) {
      strides[i] = importExtent(arena, facts, *spec);
    } else {
      const index::Extent symbol = index::Extent::symbol(fmt::format("{}.stride{}", tensor.name, i));
      strides[i] = importExtent(arena, facts, symbol);
    }
  }
  return strides;
}

bool mentions(const IndexArena& arena, const PullNode& node, IndexExpr symbol) {
  return std::visit(
      overloaded{
          [&](const PullLoad& load) {
            return std::any_of(load.alternatives.begin(), load.alternatives.end(), [&](const auto& alternative) {
              return arena.dependsOn(alternative.offset, symbol) ||
                     (alternative.condition.valid() && arena.dependsOn(alternative.condition, symbol));
            });
          },
          [&](const PullCompute&) { return false; },
          [&](const PullSelect& select) { return arena.dependsOn(select.condition, symbol); },
          [&](const PullIota& iota) { return arena.dependsOn(iota.position, symbol); },
          [&](const PullConstant&) { return false; },
      },
      node.kind);
}

}  // namespace braid::scheduler
