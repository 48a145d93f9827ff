#include "codegen/declarations.h"

#include <algorithm>

#include "base/overloaded.h"

namespace braid::codegen {
namespace {

using namespace device_lower;

/// From the outermost statement to the one in question.
using Path = std::vector<StatementPlace>;

class Placer {
 public:
  explicit Placer(const Kernel& kernel) : kernel_(kernel), paths_(kernel.registers.size()) {}

  Declarations run() {
    for (const Part& part : kernel_.parts) walk(part.body);
    for (uint32_t i = 0; i < kernel_.registers.size(); ++i) {
      const Path& path = paths_[RegisterId{i}];
      if (!path.empty()) result_.before[path.back()].push_back(RegisterId{i});
    }
    return std::move(result_);
  }

 private:
  void walk(const std::vector<Statement>& body) {
    for (size_t i = 0; i < body.size(); ++i) {
      current_.emplace_back(&body, i);
      std::visit(overloaded{
                     [&](const Load& load) {
                       assign(load.dst);
                       if (load.predicate.valid()) result_.startAsZero.insert(load.dst);
                     },
                     [&](const Compute& compute) { assign(compute.dst); },
                     [&](const SelectLanes& select) { assign(select.dst); },
                     [&](const FromIndex& from) { assign(from.dst); },
                     [&](const Fill& fill) { assign(fill.dst); },
                     [&](const Loop& loop) { walk(loop.body); },
                     [&](const Guard& guard) { walk(guard.body); },
                     [](const LetIndex&) {},
                     [](const Store&) {},
                 },
                 body[i].node);
      current_.pop_back();
    }
  }

  void assign(RegisterId id) {
    Path& path = paths_[id];
    if (path.empty()) {
      path = current_;
      return;
    }
    // The innermost list that holds both, at the earlier of the two statements there.
    size_t depth = 0;
    while (depth < path.size() && depth < current_.size() && path[depth] == current_[depth]) ++depth;
    path.resize(std::min(depth + 1, path.size()));
  }

  const Kernel& kernel_;
  Path current_;
  IdMap<RegisterId, Path> paths_;
  Declarations result_;
};

}  // namespace

Declarations placeDeclarations(const Kernel& kernel) { return Placer(kernel).run(); }

}  // namespace braid::codegen
