#pragma once
// Copies a box of elements between two strided layouts, bit for bit.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace braid::evaluator {

struct Box {
  const std::vector<int64_t>& sizes;
  int64_t elementBytes;
};
/// Where the box begins, and the strides of its axes in elements.
struct Target {
  std::byte* data;
  const std::vector<int64_t>& strides;
};

/// target[i] = source[i] for every index of the box. Strides may be 0 or negative in the source.
void copyStrided(const Box& box, const Target& target, const std::byte* source,
                 const std::vector<int64_t>& sourceStrides);

}  // namespace braid::evaluator
