#pragma once
// Inputs for checks: the same values for the same seed, on every machine and in every layout.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/host_array.h"
#include "ir/bind.h"
#include "ir/fusion.h"

namespace braid::runtime {

/// An array of drawn values that starts `offsetElements` into its storage. The value at a position depends on the
/// seed and the position alone, so every choice of strides (empty: contiguous) holds the same tensor; where a stride is
/// 0, element 0 of that axis stands for all. Floats lie around 0 with full mantissas, integers are small, bools are 0
/// or 1. `special` mixes in ±0, ±Inf, NaNs of several payloads, denormals and the extreme integers, and bools of other
/// bytes than 0 and 1. What lies between the elements in storage is a pattern that no element needs.
evaluator::HostArray drawInput(DType dtype, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                               int64_t offsetElements, uint64_t seed, bool special);

/// A seed of its own for each input, so that no two inputs hold the same values.
uint64_t inputSeed(uint64_t seed, const std::string& name);

/// How an input lies in memory, where it differs from what its declaration says.
struct InputPlacement {
  std::vector<int64_t> strides;  ///< empty: as declared, contiguous where the declaration leaves it open
  int64_t offset = 0;            ///< elements
};

/// The extents of an input for these symbols.
std::vector<int64_t> inputSizes(const ir::Fusion& fusion, const ir::Input& input, const ir::Symbols& dims);
/// The strides that an input gets: the placement's, else the declared ones; a `*` is what a row-major tensor has.
std::vector<int64_t> inputStrides(const ir::Fusion& fusion, const ir::Input& input, const ir::Symbols& dims,
                                  const InputPlacement& placement);

}  // namespace braid::runtime
