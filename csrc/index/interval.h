#pragma once
// Interval arithmetic on Range, one function for each kind of expression. A bound that 64 bits cannot hold is unknown.

#include "index/expr.h"

namespace braid::index {

inline Range exactly(int64_t value) { return {value, value}; }
inline bool isEmpty(const Range& range) { return range.lo && range.hi && *range.lo > *range.hi; }
bool contains(const Range& range, int64_t value);

Range addRanges(const Range& a, const Range& b);
Range mulRanges(const Range& a, const Range& b);
/// A divisor of 0 gives 0, as in FlatProgram.
Range floorDivRanges(const Range& a, const Range& b);
/// A divisor of 0 gives a, as a - b * (a // b) does.
Range modRanges(const Range& a, const Range& b);
Range minRanges(const Range& a, const Range& b);
Range maxRanges(const Range& a, const Range& b);
/// The smallest range that holds both.
Range hull(const Range& a, const Range& b);
/// What both allow.
Range intersect(const Range& a, const Range& b);
Range lessRanges(const Range& a, const Range& b);
Range equalRanges(const Range& a, const Range& b);

}  // namespace braid::index
