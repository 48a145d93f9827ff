#include "scheduler/pointwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "scheduler/access.h"
#include "scheduler/domain.h"
#include "scheduler/pull.h"
#include "scheduler/split_points.h"

namespace braid::scheduler {

namespace {

// Stores of one thread around a hoisted axis; beyond this the code grows without a gain.
constexpr int64_t kMaxHoistedExtent = 64;

/// Everything that is asked of one way to cut up a part's domain. Built anew for each candidate, so that no variable of
/// one candidate meets another.
struct Candidate {
  IndexArena arena;
  Domain domain;
  PullGraph graph;
  std::vector<IndexExpr> expressions;  // loads, conditions, positions and store offsets

  bool isRead(const LoopAxis& axis) const {
    for (const PullNode& node : graph.nodes) {
      if (std::holds_alternative<PullLoad>(node.kind) && mentions(arena, node, axis.variable)) return true;
    }
    return false;
  }
};

class PartScheduler {
 public:
  PartScheduler(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task,
                std::vector<const KernelOutput*> outputs, const std::set<std::string>& disabled,
                std::vector<Choice>* choices)
      : fusion_(fusion),
        facts_(facts),
        task_(task),
        outputs_(std::move(outputs)),
        disabled_(disabled),
        choices_(choices) {
    part_.name = outputs_[0]->name;
    for (const KernelOutput* output : outputs_) part_.outputs.push_back(output->name);
  }

  PartSchedule run() {
    if (isOn("split")) splitWhereAccessesDo();
    if (isOn("hoist")) bindLoops();
    if (isOn("merge")) mergeNeighbours();
    if (isOn("vectorize")) vectorise();
    bindGrid();
    markCached();
    return part_;
  }

 private:
  bool isOn(const std::string& feature) const { return !disabled_.contains(feature); }

  Candidate build(const std::vector<DomainStep>& steps) const {
    Candidate candidate;
    declareSymbols(fusion_, facts_, candidate.arena);
    candidate.domain = makeDomain(candidate.arena, facts_, fusion_.tensor(outputs_[0]->value).shape(), steps, "");
    PullRequest request;
    for (const KernelOutput* output : outputs_)
      request.roots.push_back({output->value, candidate.domain.index, candidate.domain.guard});
    request.materialised = task_.materialised;
    candidate.graph = pull(fusion_, facts_, candidate.arena, request);
    candidate.expressions = indexExpressions(candidate.graph);
    for (const KernelOutput* output : outputs_) candidate.expressions.push_back(storeOffset(candidate, *output));
    return candidate;
  }

  IndexExpr storeOffset(Candidate& candidate, const KernelOutput& output) const {
    const std::vector<IndexExpr> strides = outputStrides(candidate.arena, facts_, fusion_, output);
    IndexExpr offset = candidate.arena.constant(0);
    for (size_t i = 0; i < strides.size(); ++i) {
      offset = candidate.arena.add(offset, candidate.arena.mul(candidate.domain.index[i], strides[i]));
    }
    return offset;
  }

  void choose(std::string what, std::string why) const {
    if (choices_ != nullptr) choices_->push_back({part_.name, std::move(what), std::move(why)});
  }

  /// An axis that the accesses take apart by division becomes the axes that they mean.
  void splitWhereAccessesDo() {
    Candidate plain = build({});
    for (const LoopAxis& axis : plain.domain.leaves) {
      const std::vector<IndexExpr> points = splitPoints(plain.arena, plain.expressions, axis.variable, axis.extent);
      std::string rest = axis.name;
      for (size_t i = points.size(); i-- > 0;) {
        // i1 by 32 -> i1a, i1bc; i1bc by 8 -> i1b, i1c
        const size_t outerLetter = points.size() - 1 - i;
        std::string inner = axis.name;
        for (size_t letter = outerLetter + 1; letter <= points.size(); ++letter) inner += letterName(letter);
        const index::Extent factor = plain.arena.toExtent(points[i]);
        part_.steps.push_back(SplitAxis{rest, factor, axis.name + letterName(outerLetter), inner});
        choose(fmt::format("split {} by {}", rest, factor.text()), "the loads take the axis apart there");
        rest = inner;
      }
    }
  }

  static std::string letterName(size_t i) { return std::string(1, static_cast<char>('a' + i % 26)); }

  /// Axes that nothing read depends on become serial loops around the stores: read and compute once, store many.
  void bindLoops() {
    Candidate candidate = build(part_.steps);
    const std::vector<LoopAxis> leaves = significant(candidate);
    const bool reads =
        std::any_of(leaves.begin(), leaves.end(), [&](const auto& axis) { return candidate.isRead(axis); });
    if (!reads) return;
    int64_t stores = 1;
    for (size_t i = 0; i < leaves.size(); ++i) {
      const auto extent = candidate.arena.asConstant(leaves[i].extent);
      const bool innermost = leaves[i].name == innermostInMemory(candidate, leaves);
      if (!extent || innermost || candidate.isRead(leaves[i]) || stores * *extent > kMaxHoistedExtent) continue;
      stores *= *extent;
      part_.loops.push_back(leaves[i].name);
      choose(fmt::format("loop {}", leaves[i].name),
             fmt::format("nothing that is read depends on it: read once, store {} times", *extent));
    }
  }

  /// Two neighbours that every access walks as one axis become one: fewer divisions, longer vectors.
  void mergeNeighbours() {
    bool merged = true;
    while (merged) {
      merged = false;
      const Candidate candidate = build(part_.steps);
      const std::vector<LoopAxis>& leaves = candidate.domain.leaves;
      for (size_t i = leaves.size(); i-- > 1 && !merged;) {
        if (isLoop(leaves[i - 1].name) || isLoop(leaves[i].name)) continue;
        std::vector<DomainStep> steps = part_.steps;
        steps.push_back(MergeAxes{leaves[i - 1].name, leaves[i].name, leaves[i - 1].name + leaves[i].name});
        const Candidate trial = build(steps);
        const LoopAxis& axis = trial.domain.leaf(leaves[i - 1].name + leaves[i].name);
        if (isTakenApart(trial.arena, trial.expressions, axis.variable)) continue;
        if (trial.isRead(axis) != candidate.isRead(leaves[i]) &&
            trial.isRead(axis) != candidate.isRead(leaves[i - 1])) {
          continue;
        }
        part_.steps = std::move(steps);
        merged = true;
      }
    }
  }

  bool isLoop(const std::string& axis) const {
    return std::find(part_.loops.begin(), part_.loops.end(), axis) != part_.loops.end();
  }

  /// Leaves with more than one index.
  static std::vector<LoopAxis> significant(const Candidate& candidate) {
    std::vector<LoopAxis> leaves;
    for (const LoopAxis& axis : candidate.domain.leaves) {
      if (!candidate.arena.isConstant(axis.extent, 1)) leaves.push_back(axis);
    }
    return leaves;
  }

  /// The axis along which the first output's elements are neighbours, or "" if none is.
  std::string innermostInMemory(Candidate& candidate, const std::vector<LoopAxis>& leaves) const {
    const IndexExpr offset = storeOffset(candidate, *outputs_[0]);
    for (auto it = leaves.rbegin(); it != leaves.rend(); ++it) {
      const auto linear = candidate.arena.linearIn(offset, it->variable);
      if (linear && candidate.arena.isConstant(linear->coefficient, 1)) return it->name;
    }
    return "";
  }

  void vectorise() {
    Candidate candidate = build(part_.steps);
    const std::vector<LoopAxis> leaves = significant(candidate);
    const std::string axis = innermostInMemory(candidate, leaves);
    if (axis.empty() || isLoop(axis)) return;
    int64_t elementBytes = 1;
    for (const KernelOutput* output : outputs_) {
      elementBytes = std::max(elementBytes, bytesOf(fusion_.value(output->value).dtype()));
    }
    const int64_t widest = kMaxAccessBytes / elementBytes;
    const IndexExpr extent = candidate.domain.leaf(axis).extent;
    int64_t width = widest;
    while (width > 1 && !candidate.arena.isDivisibleBy(extent, width)) width /= 2;
    // A part of one axis has one row: its vectors stay aligned and only the last one is short.
    const bool oneRow = std::all_of(leaves.begin(), leaves.end(),
                                    [&](const LoopAxis& leaf) { return leaf.name == axis || isLoop(leaf.name); });
    const auto constant = candidate.arena.asConstant(extent);
    if (oneRow && part_.loops.empty() && (!constant || *constant > widest)) width = widest;
    if (width == 1) {
      choose("one element a thread",
             fmt::format("extent {} of the innermost axis is not known to be even", candidate.arena.text(extent)));
      return;
    }
    part_.steps.push_back(SplitAxis{axis, width, axis + "v", axis + "l"});
    part_.vector = axis + "l";
    choose(fmt::format("vector of {} elements", width),
           fmt::format("{} bytes a store along an axis of {}", width * elementBytes, candidate.arena.text(extent)));
  }

  /// What is left, in the order of the output's memory.
  void bindGrid() {
    Candidate candidate = build(part_.steps);
    const IndexExpr offset = storeOffset(candidate, *outputs_[0]);
    struct Bound {
      std::string name;
      std::optional<int64_t> stride;
    };
    std::vector<Bound> grid;
    bool ordered = true;
    for (const LoopAxis& axis : significant(candidate)) {
      if (isLoop(axis.name) || axis.name == part_.vector) continue;
      const auto linear = candidate.arena.linearIn(offset, axis.variable);
      grid.push_back({axis.name, linear ? candidate.arena.asConstant(linear->coefficient) : std::nullopt});
      ordered = ordered && grid.back().stride.has_value();
    }
    // A declared layout may put the axes in another order than the output's shape has them.
    if (ordered && !outputs_[0]->layout.contiguous) {
      std::stable_sort(grid.begin(), grid.end(), [](const Bound& a, const Bound& b) { return *a.stride > *b.stride; });
    }
    for (const Bound& bound : grid) part_.grid.push_back(bound.name);
  }

  /// A tensor that does not depend on some axis of the grid is read again by other threads: keep it in cache.
  void markCached() {
    const Candidate candidate = build(part_.steps);
    std::set<std::string> cached;
    for (const PullNode& node : candidate.graph.nodes) {
      const auto* load = std::get_if<PullLoad>(&node.kind);
      if (load == nullptr) continue;
      for (const std::string& name : part_.grid) {
        if (!mentions(candidate.arena, node, candidate.domain.leaf(name).variable)) {
          cached.insert(fusion_.value(load->tensor).name());
          break;
        }
      }
    }
    part_.cached.assign(cached.begin(), cached.end());
  }

  const ir::Fusion& fusion_;
  const Facts& facts_;
  const KernelTask& task_;
  std::vector<const KernelOutput*> outputs_;
  const std::set<std::string>& disabled_;
  std::vector<Choice>* choices_;
  PartSchedule part_;
};

/// Outputs that one walk can store: equal shapes and layouts, and the loads of one are among those of the other.
class OutputGrouper {
 public:
  OutputGrouper(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task)
      : fusion_(fusion), facts_(facts), task_(task) {
    declareSymbols(fusion, facts, arena_);
  }

  std::vector<std::vector<const KernelOutput*>> run() {
    std::vector<std::vector<const KernelOutput*>> groups;
    for (const KernelOutput& output : task_.outputs) {
      const auto group =
          std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return sameWalk(*each[0], output); });
      if (group == groups.end()) {
        groups.push_back({&output});
      } else {
        group->push_back(&output);
      }
    }
    return groups;
  }

 private:
  bool sameWalk(const KernelOutput& a, const KernelOutput& b) {
    if (a.value == b.value && a.layout == b.layout) return true;
    if (fusion_.tensor(a.value).shape() != fusion_.tensor(b.value).shape() || !(a.layout == b.layout)) return false;
    const auto first = loads(a);
    const auto second = loads(b);
    if (first.empty() || second.empty()) return false;
    return std::includes(first.begin(), first.end(), second.begin(), second.end()) ||
           std::includes(second.begin(), second.end(), first.begin(), first.end());
  }

  std::set<std::pair<ir::ValueId, IndexExpr>> loads(const KernelOutput& output) {
    const ir::Extents shape = fusion_.tensor(output.value).shape();
    const Domain domain = makeDomain(arena_, facts_, shape, {}, fmt::format("{}.", fmt::join(texts(shape), "x")));
    const PullGraph graph =
        pull(fusion_, facts_, arena_, {{{output.value, domain.index, IndexExpr{}}}, task_.materialised});
    std::set<std::pair<ir::ValueId, IndexExpr>> result;
    for (const PullNode& node : graph.nodes) {
      if (const auto* load = std::get_if<PullLoad>(&node.kind)) {
        result.emplace(load->tensor, load->alternatives[0].offset);
      }
    }
    return result;
  }

  static std::vector<std::string> texts(const ir::Extents& shape) {
    std::vector<std::string> result;
    for (const index::Extent& extent : shape) result.push_back(extent.text());
    return result;
  }

  const ir::Fusion& fusion_;
  const Facts& facts_;
  const KernelTask& task_;
  IndexArena arena_;
};

}  // namespace

Schedule schedulePointwise(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task,
                           const std::set<std::string>& disabled, std::vector<Choice>* choices) {
  Schedule schedule;
  schedule.name = task.name;
  OutputGrouper grouper(fusion, facts, task);
  for (const auto& group : grouper.run()) {
    schedule.parts.push_back(PartScheduler(fusion, facts, task, group, disabled, choices).run());
  }
  return schedule;
}

}  // namespace braid::scheduler
