#include "evaluator/strided_copy.h"

#include <algorithm>
#include <cstring>

namespace braid::evaluator {

namespace {

template <class Element>
void copyRow(std::byte* target, int64_t targetStride, const std::byte* source, int64_t sourceStride, int64_t count) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(Element));
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(target + i * targetStride * kBytes, source + i * sourceStride * kBytes, sizeof(Element));
  }
}

void copyRow(std::byte* target, int64_t targetStride, const std::byte* source, int64_t sourceStride, int64_t count,
             int64_t bytes) {
  if (targetStride == 1 && sourceStride == 1) {
    std::memcpy(target, source, static_cast<size_t>(count * bytes));
    return;
  }
  if (bytes == 1) return copyRow<uint8_t>(target, targetStride, source, sourceStride, count);
  if (bytes == 2) return copyRow<uint16_t>(target, targetStride, source, sourceStride, count);
  if (bytes == 4) return copyRow<uint32_t>(target, targetStride, source, sourceStride, count);
  copyRow<uint64_t>(target, targetStride, source, sourceStride, count);
}

}  // namespace

void copyStrided(const Box& box, const Target& target, const std::byte* source,
                 const std::vector<int64_t>& sourceStrides) {
  const std::vector<int64_t>& sizes = box.sizes;
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
  if (sizes.empty()) {
    std::memcpy(target.data, source, static_cast<size_t>(box.elementBytes));
    return;
  }
  const size_t inner = sizes.size() - 1;
  std::vector<int64_t> index(sizes.size(), 0);
  std::byte* to = target.data;
  const std::byte* from = source;
  while (true) {
    copyRow(to, target.strides[inner], from, sourceStrides[inner], sizes[inner], box.elementBytes);
    size_t axis = inner;
    while (axis > 0) {
      --axis;
      to += target.strides[axis] * box.elementBytes;
      from += sourceStrides[axis] * box.elementBytes;
      if (++index[axis] < sizes[axis]) break;
      to -= target.strides[axis] * box.elementBytes * sizes[axis];
      from -= sourceStrides[axis] * box.elementBytes * sizes[axis];
      index[axis] = 0;
      if (axis == 0) return;
    }
    if (inner == 0) return;
  }
}

}  // namespace braid::evaluator
