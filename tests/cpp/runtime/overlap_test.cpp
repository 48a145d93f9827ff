// Whether strided tensors share memory: against a count of every byte.

#include "runtime/overlap.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace braid::runtime {
namespace {

struct Tensor {
  uintptr_t address;
  int64_t elementBytes;
  std::vector<int64_t> sizes, strides;

  Footprint footprint() const {
    return {address, elementBytes, &sizes, &strides, spanOf(sizes, strides) * elementBytes};
  }
  /// The byte addresses of all elements, and whether one appears twice.
  std::pair<std::set<uintptr_t>, bool> bytes() const {
    std::set<uintptr_t> result;
    bool twice = false;
    std::vector<int64_t> at(sizes.size(), 0);
    for (const int64_t size : sizes) {
      if (size == 0) return {result, false};
    }
    while (true) {
      int64_t offset = 0;
      for (size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[i];
      for (int64_t b = 0; b < elementBytes; ++b) {
        twice = !result.insert(address + static_cast<uintptr_t>(offset * elementBytes + b)).second || twice;
      }
      size_t axis = at.size();
      while (axis > 0 && ++at[axis - 1] == sizes[axis - 1]) at[--axis] = 0;
      if (axis == 0) return {result, twice};
    }
  }
};

TEST(Overlap, OfInterleavedTensorsIsNone) {
  const Tensor even{1000, 4, {8}, {2}}, odd{1004, 4, {8}, {2}}, both{1000, 4, {16}, {1}};
  EXPECT_FALSE(overlap(even.footprint(), odd.footprint()));
  EXPECT_TRUE(overlap(even.footprint(), both.footprint()));
}

TEST(Overlap, OfEmptyTensorsIsNone) {
  const Tensor empty{1000, 4, {8, 0}, {1, 1}}, full{1000, 4, {8}, {1}};
  EXPECT_FALSE(overlap(empty.footprint(), full.footprint()));
  EXPECT_EQ(spanOf(empty.sizes, empty.strides), 0);
}

TEST(Overlap, IsWhatCountingBytesSays) {
  std::mt19937 random(7);
  const auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int overlapping = 0, selfOverlapping = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto tensor = [&] {
      Tensor result{static_cast<uintptr_t>(1000 + 4 * draw(0, 12)), 4, {}, {}};
      for (int64_t axis = draw(0, 3); axis-- > 0;) {
        result.sizes.push_back(draw(0, 4));
        result.strides.push_back(draw(0, 9));
      }
      return result;
    };
    const Tensor a = tensor(), b = tensor();
    const auto [bytesA, twiceA] = a.bytes();
    const auto [bytesB, twiceB] = b.bytes();
    bool shared = false;
    for (const uintptr_t byte : bytesA) shared = shared || bytesB.contains(byte);
    ASSERT_EQ(overlap(a.footprint(), b.footprint()), shared) << "round " << round;
    ASSERT_EQ(overlapsItself(a.sizes, a.strides), twiceA) << "round " << round;
    overlapping += shared ? 1 : 0;
    selfOverlapping += twiceA ? 1 : 0;
  }
  EXPECT_GT(overlapping, 300);
  EXPECT_GT(selfOverlapping, 300);
}

}  // namespace
}  // namespace braid::runtime
