#include "ir/prove.h"

#include "index/expr.h"

namespace braid::ir {

bool provedLessEqual(const index::Extent& a, const index::Extent& b) {
  const index::Extent difference = b - a;
  if (const auto constant = difference.asConstant()) return *constant >= 0;
  index::IndexArena arena;
  return arena.provedLessEqual(arena.import(a), arena.import(b)) || arena.provedNonNegative(arena.import(difference));
}

bool provedLess(const index::Extent& a, const index::Extent& b) { return provedLessEqual(a + index::Extent(1), b); }

}  // namespace braid::ir
