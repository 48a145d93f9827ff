#pragma once
// Whether strided tensors share memory, element by element: two outputs may interleave in one buffer.

#include <cstdint>
#include <vector>

namespace braid::runtime {

/// The bytes of a tensor's elements. Strides count elements and are not negative.
struct Footprint {
  uintptr_t address = 0;
  int64_t elementBytes = 1;
  const std::vector<int64_t>* sizes = nullptr;
  const std::vector<int64_t>* strides = nullptr;
  int64_t spanBytes = 0;  ///< from the first byte to the last; 0 if empty
};

/// Elements from the first to the last, both counted; 0 if empty.
int64_t spanOf(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides);

/// True if an element of one shares a byte with an element of the other.
bool overlap(const Footprint& a, const Footprint& b);

/// True if two elements of one tensor are at one place.
bool overlapsItself(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides);

}  // namespace braid::runtime
