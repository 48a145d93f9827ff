#include "scheduler/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/overloaded.h"
#include "braid/error.h"

namespace braid::scheduler {

namespace {

// Axes while the steps apply: leaves in order, every axis's extent, and how to get an axis from those it became.
class DomainBuilder {
 public:
  DomainBuilder(IndexArena& arena, const Facts& facts, const ir::Extents& shape) : arena_(arena), facts_(facts) {
    for (size_t i = 0; i < shape.size(); ++i) {
      leaves_.push_back({fmt::format("i{}", i), importExtent(arena, facts, shape[i])});
    }
    axes_ = leaves_;
  }

  void apply(const DomainStep& step) {
    std::visit(overloaded{
                   [&](const SplitAxis& split) {
                     const size_t at = find(split.axis);
                     const IndexExpr factor = importExtent(arena_, facts_, split.factor);
                     const IndexExpr outer = arena_.ceilDiv(leaves_[at].extent, factor);
                     leaves_[at] = {split.outer, outer};
                     leaves_.insert(leaves_.begin() + static_cast<std::ptrdiff_t>(at) + 1, {split.inner, factor});
                     note(split.outer, outer);
                     note(split.inner, factor);
                   },
                   [&](const MergeAxes& merge) {
                     const size_t at = find(merge.outer);
                     if (at + 1 >= leaves_.size() || leaves_[at + 1].name != merge.inner) {
                       throw Error(ErrorCode::InvalidArgument,
                                   fmt::format("schedule: merge of {} and {}, which are no neighbours", merge.outer,
                                               merge.inner))
                           .note(fmt::format("the axes are, in order: {}", namesOfLeaves()));
                     }
                     const IndexExpr extent = arena_.mul(leaves_[at].extent, leaves_[at + 1].extent);
                     leaves_[at] = {merge.result, extent};
                     leaves_.erase(leaves_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
                     note(merge.result, extent);
                   },
               },
               step);
  }

  Domain finish(const std::vector<DomainStep>& steps, size_t rank, const std::string& prefix) {
    Domain domain;
    std::map<std::string, IndexExpr> at;
    for (const Axis& leaf : leaves_) {
      const IndexExpr variable =
          arena_.isConstant(leaf.extent, 1) ? arena_.constant(0) : arena_.loopVariable(prefix + leaf.name, leaf.extent);
      domain.leaves.push_back({leaf.name, variable, leaf.extent});
      at[leaf.name] = variable;
    }
    for (auto it = steps.rbegin(); it != steps.rend(); ++it) {
      std::visit(overloaded{
                     [&](const SplitAxis& split) {
                       const IndexExpr factor = importExtent(arena_, facts_, split.factor);
                       const IndexExpr index = arena_.add(arena_.mul(at[split.outer], factor), at[split.inner]);
                       at[split.axis] = index;
                       const IndexExpr extent = extentOf(split.axis);
                       const IndexExpr inside = arena_.less(index, extent);
                       const bool even = arena_.isConstant(arena_.mod(extent, factor), 0);
                       if (even || arena_.isConstant(inside, 1)) return;
                       domain.guard = domain.guard.valid() ? arena_.logicalAnd(domain.guard, inside) : inside;
                     },
                     [&](const MergeAxes& merge) {
                       at[merge.outer] = arena_.floorDiv(at[merge.result], extentOf(merge.inner));
                       at[merge.inner] = arena_.mod(at[merge.result], extentOf(merge.inner));
                     },
                 },
                 *it);
    }
    for (size_t i = 0; i < rank; ++i) domain.index.push_back(at[fmt::format("i{}", i)]);
    return domain;
  }

 private:
  struct Axis {
    std::string name;
    IndexExpr extent;
  };

  size_t find(const std::string& name) const {
    const auto it = std::find_if(leaves_.begin(), leaves_.end(), [&](const Axis& axis) { return axis.name == name; });
    if (it == leaves_.end()) {
      throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: there is no axis {}", name))
          .note(fmt::format("the axes are, in order: {}", namesOfLeaves()));
    }
    return static_cast<size_t>(it - leaves_.begin());
  }

  IndexExpr extentOf(const std::string& name) const {
    return std::find_if(axes_.begin(), axes_.end(), [&](const Axis& axis) { return axis.name == name; })->extent;
  }

  void note(const std::string& name, IndexExpr extent) {
    const bool taken = std::any_of(axes_.begin(), axes_.end(), [&](const Axis& axis) { return axis.name == name; });
    if (taken) throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: axis {} is made twice", name));
    axes_.push_back({name, extent});
  }

  std::string namesOfLeaves() const {
    std::vector<std::string> names;
    for (const Axis& axis : leaves_) names.push_back(axis.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  IndexArena& arena_;
  const Facts& facts_;
  std::vector<Axis> leaves_, axes_;
};

}  // namespace

const LoopAxis& Domain::leaf(const std::string& name) const {
  const auto it = std::find_if(leaves.begin(), leaves.end(), [&](const LoopAxis& axis) { return axis.name == name; });
  if (it == leaves.end()) {
    throw Error(ErrorCode::InvalidArgument, fmt::format("schedule: axis {} is bound but not there", name));
  }
  return *it;
}

Domain makeDomain(IndexArena& arena, const Facts& facts, const ir::Extents& shape, const std::vector<DomainStep>& steps,
                  const std::string& prefix) {
  DomainBuilder builder(arena, facts, shape);
  for (const DomainStep& step : steps) builder.apply(step);
  return builder.finish(steps, shape.size(), prefix);
}

}  // namespace braid::scheduler
