#include "scheduler/task.h"

#include <fmt/format.h>

namespace braid::scheduler {

std::vector<index::IndexExpr> outputStrides(index::IndexArena& arena, const Facts& facts, const ir::Fusion& fusion,
                                            const KernelOutput& output) {
  const ir::TensorView& tensor = fusion.tensor(output.value);
  std::vector<index::IndexExpr> strides(tensor.logical.size());
  index::IndexExpr running = arena.constant(1);
  for (size_t i = strides.size(); i-- > 0;) {
    if (output.layout.contiguous) {
      strides[i] = running;
      running = arena.mul(running, importExtent(arena, facts, tensor.logical[i].extent));
    } else if (const auto& spec = output.layout.strides[i].value) {
      strides[i] = importExtent(arena, facts, *spec);
    } else {
      strides[i] = importExtent(arena, facts, index::Extent::symbol(fmt::format("{}.stride{}", output.name, i)));
    }
  }
  return strides;
}

}  // namespace braid::scheduler
