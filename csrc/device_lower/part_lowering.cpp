#include "device_lower/part_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "braid/error.h"
#include "device_lower/emit.h"
#include "device_lower/name_indices.h"
#include "scheduler/access.h"
#include "scheduler/domain.h"
#include "scheduler/pull.h"

namespace braid::device_lower {

namespace {

using scheduler::Domain;
using scheduler::LoopAxis;

class PartLowering {
 public:
  PartLowering(KernelBuilder& builder, const ir::Fusion& fusion, const scheduler::Facts& facts,
               const scheduler::KernelTask& task, const scheduler::PartSchedule& schedule)
      : builder_(builder), arena_(builder.arena()), fusion_(fusion), facts_(facts), task_(task), schedule_(schedule) {
    for (const std::string& name : schedule.outputs) {
      const auto it = std::find_if(task.outputs.begin(), task.outputs.end(),
                                   [&](const scheduler::KernelOutput& output) { return output.name == name; });
      outputs_.push_back(&*it);
    }
    const ir::Extents shape = fusion.tensor(outputs_[0]->value).shape();
    domain_ = scheduler::makeDomain(arena_, facts, shape, schedule.steps, schedule.name + "_");
    for (const LoopAxis& leaf : domain_.leaves) builder.reserve(schedule.name + "_" + leaf.name);
    if (!schedule.vector.empty()) {
      const LoopAxis& axis = domain_.leaf(schedule.vector);
      lanes_ = static_cast<int>(*arena_.asConstant(axis.extent));
      if (lanes_ > 1) lane_ = axis.variable;
    }
  }

  Part run() {
    Part part;
    part.name = schedule_.name;
    decodeThread(part);
    IndexExpr uniform, perLane;
    splitGuard(uniform, perLane);
    std::vector<Statement> body = guardedByLane(perLane);
    if (uniform.valid()) {
      part.body.push_back({Guard{uniform, std::move(body)}, "uneven split"});
    } else {
      std::move(body.begin(), body.end(), std::back_inserter(part.body));
    }
    return part;
  }

 private:
  /// Thread number → grid variables, innermost axis first; the outermost is what is left.
  void decodeThread(Part& part) {
    std::vector<const LoopAxis*> grid;
    part.threads = arena_.constant(1);
    for (const std::string& name : schedule_.grid) {
      const LoopAxis& axis = domain_.leaf(name);
      part.threads = arena_.mul(part.threads, axis.extent);
      if (!arena_.isConstant(axis.extent, 1)) grid.push_back(&axis);
    }
    builder_.reserve(schedule_.name + "_thread");
    part.thread = arena_.loopVariable(schedule_.name + "_thread", part.threads);
    IndexExpr rest = part.thread;
    IndexExpr restExtent = part.threads;
    for (size_t i = grid.size(); i-- > 0;) {
      const LoopAxis& axis = *grid[i];
      if (i == 0) {
        part.body.push_back({LetIndex{axis.variable, rest}, ""});
        break;
      }
      part.body.push_back({LetIndex{axis.variable, arena_.mod(rest, axis.extent)}, ""});
      restExtent = outerExtent(grid, i);
      const std::string name = fmt::format("{}_rest{}", schedule_.name, i);
      builder_.reserve(name);
      const IndexExpr outer = arena_.loopVariable(name, restExtent);
      part.body.push_back({LetIndex{outer, arena_.floorDiv(rest, axis.extent)}, ""});
      rest = outer;
    }
  }

  IndexExpr outerExtent(const std::vector<const LoopAxis*>& grid, size_t count) {
    IndexExpr extent = arena_.constant(1);
    for (size_t i = 0; i < count; ++i) extent = arena_.mul(extent, grid[i]->extent);
    return extent;
  }

  /// The domain's guard as what is the same for all lanes and what is not.
  void splitGuard(IndexExpr& uniform, IndexExpr& perLane) {
    if (!domain_.guard.valid()) return;
    std::vector<IndexExpr> atoms{domain_.guard};
    if (arena_.kind(domain_.guard) == index::ExprKind::And) {
      atoms.assign(arena_.operands(domain_.guard).begin(), arena_.operands(domain_.guard).end());
    }
    for (const IndexExpr atom : atoms) {
      IndexExpr& target = lane_.valid() && arena_.dependsOn(atom, lane_) ? perLane : uniform;
      target = target.valid() ? arena_.logicalAnd(target, atom) : atom;
      for (const std::string& name : schedule_.jam) {
        if (!arena_.dependsOn(atom, domain_.leaf(name).variable)) continue;
        throw Error(ErrorCode::InvalidArgument,
                    fmt::format("schedule: part {} jams {}, which comes from an uneven split", schedule_.name, name));
      }
    }
  }

  /// Where the innermost extent is uneven, whole vectors take the wide path and the last one goes lane by lane.
  std::vector<Statement> guardedByLane(IndexExpr perLane) {
    if (!perLane.valid()) return thread(IndexExpr{});
    // The guard says `index < extent` with an index that grows with the lane: it holds for all if for the last.
    const IndexExpr whole = scheduler::atLane(arena_, perLane, lane_, lanes_ - 1);
    std::vector<Statement> body;
    body.push_back({Guard{whole, thread(IndexExpr{})}, "whole vectors"});
    body.push_back({Guard{arena_.logicalNot(whole), thread(perLane)}, "the short last vector, lane by lane"});
    return body;
  }

  /// The domain's index once for each combination of the jammed axes' positions.
  std::vector<EmitRequest::Position> positions(IndexExpr guard) {
    std::vector<EmitRequest::Position> result{{domain_.index, guard}};
    for (const std::string& name : schedule_.jam) {
      const LoopAxis& axis = domain_.leaf(name);
      std::vector<EmitRequest::Position> wider;
      for (const EmitRequest::Position& position : result) {
        for (int64_t at = 0; at < *arena_.asConstant(axis.extent); ++at) wider.push_back(fixed(position, axis, at));
      }
      result = std::move(wider);
    }
    return result;
  }

  EmitRequest::Position fixed(EmitRequest::Position position, const LoopAxis& axis, int64_t at) {
    if (arena_.asConstant(axis.variable)) return position;  // an axis of extent 1
    const std::pair<IndexExpr, IndexExpr> replacement{axis.variable, arena_.constant(at)};
    for (IndexExpr& index : position.index) index = arena_.substitute(index, {&replacement, 1});
    if (position.guard.valid()) position.guard = arena_.substitute(position.guard, {&replacement, 1});
    return position;
  }

  /// The statements of one thread.
  std::vector<Statement> thread(IndexExpr guard) {
    EmitRequest request{fusion_, facts_, task_.materialised, outputs_, positions(guard), {},
                        lane_,   lanes_, schedule_.cached};
    std::vector<const LoopAxis*> loops;
    for (const std::string& name : schedule_.loops) {
      const LoopAxis& axis = domain_.leaf(name);
      if (arena_.isConstant(axis.extent, 1)) continue;
      loops.push_back(&axis);
      request.loopVariables.push_back(axis.variable);
    }
    LeveledStatements statements = emit(builder_, request);
    nameIndices(builder_, statements);
    for (size_t level = loops.size(); level > 0; --level) {
      Loop loop{loops[level - 1]->variable, loops[level - 1]->extent, true, std::move(statements.levels[level])};
      loop.unroll = arena_.asConstant(loop.extent).has_value();
      statements.levels[level - 1].push_back({std::move(loop), ""});
    }
    return std::move(statements.levels[0]);
  }

  KernelBuilder& builder_;
  index::IndexArena& arena_;
  const ir::Fusion& fusion_;
  const scheduler::Facts& facts_;
  const scheduler::KernelTask& task_;
  const scheduler::PartSchedule& schedule_;
  std::vector<const scheduler::KernelOutput*> outputs_;
  Domain domain_;
  IndexExpr lane_;
  int lanes_ = 1;
};

}  // namespace

Part lowerPart(KernelBuilder& builder, const ir::Fusion& fusion, const scheduler::Facts& facts,
               const scheduler::KernelTask& task, const scheduler::PartSchedule& schedule) {
  return PartLowering(builder, fusion, facts, task, schedule).run();
}

}  // namespace braid::device_lower
