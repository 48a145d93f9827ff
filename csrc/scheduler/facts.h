#pragma once
// What a compiled kernel may take for granted about sizes, strides and pointers. Two executions with equal facts share
// a kernel; everything else is a run-time argument.

#include <cstdint>
#include <map>
#include <string>

#include "index/expr.h"
#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::scheduler {

struct Facts {
  /// symbol → the largest power of two up to 16 that divides it, where above 1.
  std::map<std::string, int64_t> divisors;
  /// Symbols whose value changes what is legal: any that is 0, and strides that are 1 (consecutive). All others are at
  /// least 1.
  std::map<std::string, int64_t> constants;
  /// tensor → alignment of its pointer in bytes, a power of two up to 16. A tensor that is missing has 16.
  std::map<std::string, int64_t> alignment;

  bool operator==(const Facts&) const = default;
  /// One line: `T % 8 == 0, x.stride3 == 1, align(x) == 2`; "" when there is nothing to say.
  std::string text() const;
};

/// The facts that hold for these symbols (extents and strides) and pointer alignments (bytes, by tensor name).
Facts factsOf(const ir::Fusion& fusion, const ir::Symbols& symbols, const std::map<std::string, int64_t>& alignment);

/// Declares every symbol of the fusion (extents and strides) in the arena with what the facts say of it.
void declareSymbols(const ir::Fusion& fusion, const Facts& facts, index::IndexArena& arena);

/// The value of an extent in the arena, with stride symbols that the facts fix replaced.
index::IndexExpr importExtent(index::IndexArena& arena, const Facts& facts, const index::Extent& extent);

/// Alignment of a tensor's pointer in bytes.
int64_t alignmentOf(const Facts& facts, const std::string& tensor);

}  // namespace braid::scheduler
