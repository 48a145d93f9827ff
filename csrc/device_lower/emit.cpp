#include "device_lower/emit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "ir/infer.h"
#include "ir/text.h"
#include "scheduler/access.h"
#include "scheduler/demand.h"
#include "scheduler/pull.h"

namespace braid::device_lower {

namespace {

using scheduler::Access;
using scheduler::PullCompute;
using scheduler::PullConstant;
using scheduler::PullGraph;
using scheduler::PullId;
using scheduler::PullIota;
using scheduler::PullLoad;
using scheduler::PullNode;
using scheduler::PullOperand;
using scheduler::PullSelect;

class Emitter {
 public:
  Emitter(KernelBuilder& builder, const EmitRequest& request)
      : builder_(builder), arena_(builder.arena()), request_(request) {
    result_.loopVariables = request.loopVariables;
    result_.levels.resize(request.loopVariables.size() + 1);
  }

  LeveledStatements run() {
    scheduler::PullRequest pullRequest;
    for (const EmitRequest::Position& position : request_.positions) {
      for (const scheduler::KernelOutput* output : request_.outputs) {
        pullRequest.roots.push_back({output->value, position.index, position.guard});
      }
    }
    pullRequest.materialised = request_.materialised;
    graph_ = scheduler::pull(request_.fusion, request_.facts, arena_, pullRequest);
    while (scheduler::joinComplementaryLoads(
        graph_, arena_, [&](const auto& a, const auto& b, const auto& joined) { return joiningPays(a, b, joined); })) {
    }
    registers_.resize(graph_.nodes.size());
    levels_.resize(graph_.nodes.size());
    for (uint32_t i = 0; i < graph_.nodes.size(); ++i) emitNode(PullId{i});
    size_t root = 0;
    for (const EmitRequest::Position& position : request_.positions) {
      for (const scheduler::KernelOutput* output : request_.outputs) store(*output, position, graph_.roots[root++]);
    }
    return std::move(result_);
  }

 private:
  bool onLane(IndexExpr e) const { return request_.lane.valid() && e.valid() && arena_.dependsOn(e, request_.lane); }

  int64_t elementBytes(const PullLoad& load) const { return bytesOf(request_.fusion.value(load.tensor).dtype()); }

  bool placesOnLane(const PullLoad& load) const {
    return std::any_of(load.alternatives.begin(), load.alternatives.end(),
                       [&](const auto& place) { return onLane(place.offset) || onLane(place.condition); });
  }

  std::vector<Access> accesses(const PullNode& node) {
    const auto& load = std::get<PullLoad>(node.kind);
    const std::string& tensor = request_.fusion.value(load.tensor).name();
    scheduler::AccessRequest access;
    access.places = load.alternatives;
    access.predicate = scheduler::demandCondition(arena_, node.demand);
    access.lane = request_.lane;
    access.lanes = request_.lanes;
    access.elementBytes = elementBytes(load);
    access.alignmentBytes = scheduler::alignmentOf(request_.facts, tensor);
    if (!placesOnLane(load)) {
      access.predicate = inAnyLane(access.predicate);
      access.lane = IndexExpr{};
      access.lanes = 1;
    }
    return scheduler::planAccesses(arena_, access);
  }

  /// A value that is the same for all lanes is wanted if any lane wants it.
  IndexExpr inAnyLane(IndexExpr predicate) {
    if (!onLane(predicate)) return predicate;
    IndexExpr any = arena_.truth(false);
    for (int lane = 0; lane < request_.lanes; ++lane) {
      any = arena_.logicalOr(any, scheduler::atLane(arena_, predicate, request_.lane, lane));
    }
    return arena_.isConstant(any, 1) ? IndexExpr{} : any;
  }

  bool isWanted(const Access& access) const {
    return !access.predicate.valid() || !arena_.isConstant(access.predicate, 0);
  }

  /// One load in place of two, if no lane gets a narrower access than either had.
  bool joiningPays(const PullNode& a, const PullNode& b, const PullNode& joined) {
    const auto narrowest = [&](const PullNode& node) {
      int width = request_.lanes;
      for (const Access& access : accesses(node)) {
        if (isWanted(access)) width = std::min(width, access.width);
      }
      return width;
    };
    return narrowest(joined) >= std::max(narrowest(a), narrowest(b));
  }

  size_t levelOfIndex(IndexExpr e) const {
    for (size_t i = request_.loopVariables.size(); i-- > 0;) {
      if (e.valid() && arena_.dependsOn(e, request_.loopVariables[i])) return i + 1;
    }
    return 0;
  }

  void append(size_t level, StatementNode node, std::string comment = "") {
    result_.levels[level].push_back({std::move(node), std::move(comment)});
  }

  std::string comment(ir::ValueId value) const {
    const ir::Expr* expr = request_.fusion.definition(value);
    if (expr == nullptr) return "";
    std::string text =
        fmt::format("{} = {}", request_.fusion.value(value).name(), ir::printExpr(request_.fusion, *expr));
    const std::string where = expr->loc.text();
    return where.empty() ? text : fmt::format("{}  # {}", text, where);
  }

  Operand operand(const PullOperand& operand) {
    return std::visit(
        overloaded{
            [&](const PullId& id) -> Operand { return registers_[id.value]; },
            [&](const ir::Scalar& number) -> Operand { return number; },
            [&](const scheduler::ParameterRef& parameter) -> Operand { return builder_.parameter(parameter.value); },
        },
        operand);
  }

  void emitNode(PullId id) {
    const PullNode& node = graph_.node(id);
    size_t level = 0;
    int lanes = 1;
    for (const PullOperand& each : node.operands) {
      if (const auto* from = std::get_if<PullId>(&each)) {
        level = std::max(level, levels_[from->value]);
        lanes = std::max(lanes, builder_.kernel().reg(registers_[from->value]).lanes);
      }
    }
    std::visit(overloaded{
                   [&](const PullLoad& load) { emitLoad(id, load); },
                   [&](const PullCompute& compute) { emitCompute(id, compute, level, lanes); },
                   [&](const PullSelect& select) { emitSelect(id, select, level, lanes); },
                   [&](const PullIota& iota) { emitIota(id, iota); },
                   [&](const PullConstant&) {
                     define(id, 0, 1);
                     append(0, Fill{registers_[id.value], operand(node.operands[0])}, comment(node.value));
                   },
               },
               node.kind);
  }

  void define(PullId id, size_t level, int lanes) {
    const PullNode& node = graph_.node(id);
    registers_[id.value] = builder_.newRegister(request_.fusion.value(node.value).name(), node.dtype, lanes);
    levels_[id.value] = level;
  }

  void emitLoad(PullId id, const PullLoad& load) {
    const std::vector<Access> planned = accesses(graph_.node(id));
    size_t level = 0;
    for (const Access& access : planned) {
      level = std::max({level, levelOfIndex(access.offset), levelOfIndex(access.predicate)});
    }
    define(id, level, placesOnLane(load) ? request_.lanes : 1);
    const std::string& name = request_.fusion.value(load.tensor).name();
    const bool isCached = std::find(request_.cached.begin(), request_.cached.end(), name) != request_.cached.end();
    for (const Access& access : planned) {
      append(level, Load{registers_[id.value], access.firstLane, access.width, builder_.input(load.tensor),
                         access.offset, access.predicate, isCached ? CacheHint::ReadOnly : CacheHint::Stream});
    }
  }

  void emitCompute(PullId id, const PullCompute& compute, size_t level, int lanes) {
    const PullNode& node = graph_.node(id);
    const ir::Expr& expr = request_.fusion.expr(compute.expr);
    define(id, level, lanes);
    Compute statement;
    statement.dst = registers_[id.value];
    statement.operandType = ir::operandType(request_.fusion, expr);
    statement.op = scalarOp(expr, statement.operandType);
    for (const PullOperand& each : node.operands) statement.operands.push_back(operand(each));
    append(level, std::move(statement), comment(node.value));
  }

  static ScalarOp scalarOp(const ir::Expr& expr, DType from) {
    if (const auto* unary = std::get_if<ir::Unary>(&expr.op)) return unary->kind;
    if (const auto* binary = std::get_if<ir::Binary>(&expr.op)) return binary->kind;
    if (const auto* ternary = std::get_if<ir::Ternary>(&expr.op)) return ternary->kind;
    BRAID_CHECK(std::holds_alternative<ir::Cast>(expr.op), "{} is not pointwise", ir::nameOf(expr.op));
    return CastOp{from};
  }

  void emitSelect(PullId id, const PullSelect& select, size_t level, int lanes) {
    const PullNode& node = graph_.node(id);
    std::vector<IndexExpr> conditions = perLane(select.condition);
    lanes = std::max(lanes, static_cast<int>(conditions.size()));
    define(id, std::max(level, levelOfIndex(select.condition)), lanes);
    append(
        levels_[id.value],
        SelectLanes{registers_[id.value], std::move(conditions), operand(node.operands[0]), operand(node.operands[1])},
        comment(node.value));
  }

  void emitIota(PullId id, const PullIota& iota) {
    const PullNode& node = graph_.node(id);
    const auto& op = std::get<ir::Iota>(request_.fusion.expr(iota.expr).op);
    std::vector<IndexExpr> positions = perLane(iota.position);
    define(id, levelOfIndex(iota.position), static_cast<int>(positions.size()));
    append(levels_[id.value], FromIndex{registers_[id.value], std::move(positions), op.start, op.step},
           comment(node.value));
  }

  /// One expression if it is the same for all lanes, else one for each.
  std::vector<IndexExpr> perLane(IndexExpr e) {
    if (!onLane(e)) return {e};
    std::vector<IndexExpr> values;
    for (int lane = 0; lane < request_.lanes; ++lane)
      values.push_back(scheduler::atLane(arena_, e, request_.lane, lane));
    const bool same = std::all_of(values.begin(), values.end(), [&](IndexExpr value) { return value == values[0]; });
    return same ? std::vector{values[0]} : values;
  }

  void store(const scheduler::KernelOutput& output, const EmitRequest::Position& position, const PullOperand& root) {
    const size_t innermost = result_.levels.size() - 1;
    RegisterId source;
    if (const auto* id = std::get_if<PullId>(&root)) {
      source = registers_[id->value];
    } else {
      source = builder_.newRegister(output.name, request_.fusion.value(output.value).dtype(), 1);
      append(innermost, Fill{source, operand(root)});
    }
    const std::vector<IndexExpr> strides = scheduler::outputStrides(arena_, request_.facts, request_.fusion, output);
    scheduler::AccessRequest access;
    IndexExpr offset = arena_.constant(0);
    for (size_t i = 0; i < strides.size(); ++i) {
      offset = arena_.add(offset, arena_.mul(position.index[i], strides[i]));
    }
    access.places = {{IndexExpr{}, offset}};
    access.predicate = position.guard;
    access.lane = request_.lane;
    access.lanes = request_.lanes;
    access.elementBytes = bytesOf(request_.fusion.value(output.value).dtype());
    access.alignmentBytes = scheduler::alignmentOf(request_.facts, output.name);
    const bool isUniform = builder_.kernel().reg(source).lanes == 1;
    for (const Access& each : scheduler::planAccesses(arena_, access)) {
      append(innermost, Store{builder_.output(output), each.offset, each.width, source, isUniform ? 0 : each.firstLane,
                              each.predicate, CacheHint::Stream});
    }
  }

  KernelBuilder& builder_;
  index::IndexArena& arena_;
  const EmitRequest& request_;
  PullGraph graph_;
  std::vector<RegisterId> registers_;
  std::vector<size_t> levels_;
  LeveledStatements result_;
};

}  // namespace

LeveledStatements emit(KernelBuilder& builder, const EmitRequest& request) { return Emitter(builder, request).run(); }

}  // namespace braid::device_lower
