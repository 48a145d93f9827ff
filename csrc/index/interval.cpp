#include "index/interval.h"

#include <algorithm>
#include <array>

#include "index/checked.h"

namespace braid::index {

namespace {

using Bound = std::optional<int64_t>;

constexpr Range kEmpty{1, 0};

bool eitherEmpty(const Range& a, const Range& b) { return isEmpty(a) || isEmpty(b); }

Bound addBounds(Bound a, Bound b) { return a && b ? tryAdd(*a, *b) : std::nullopt; }

/// A number of the extended line, so that corners of unbounded ranges multiply as they should (0 · ∞ = 0 here, since
/// every finite value times 0 is 0).
struct Extended {
  int infinity = 0;  // -1, 0, 1
  __int128 value = 0;
};

Extended lower(const Range& range) { return range.lo ? Extended{0, *range.lo} : Extended{-1, 0}; }
Extended upper(const Range& range) { return range.hi ? Extended{0, *range.hi} : Extended{1, 0}; }
int sign(const Extended& a) { return a.infinity != 0 ? a.infinity : (a.value > 0) - (a.value < 0); }

bool lessThan(const Extended& a, const Extended& b) {
  if (a.infinity != b.infinity) return a.infinity < b.infinity;
  return a.infinity == 0 && a.value < b.value;
}

Extended multiply(const Extended& a, const Extended& b) {
  if (sign(a) == 0 || sign(b) == 0) return {0, 0};
  if (a.infinity != 0 || b.infinity != 0) return {sign(a) * sign(b), 0};
  return {0, a.value * b.value};
}

/// Rounds down; b is not 0. x // ∞ is 0 or -1 for finite x.
Extended divide(const Extended& a, const Extended& b) {
  if (a.infinity != 0) return {a.infinity * sign(b), 0};
  if (b.infinity != 0) return {0, sign(a) * b.infinity < 0 ? -1 : 0};
  const __int128 quotient = a.value / b.value;
  return {0, (a.value % b.value != 0 && (a.value < 0) != (b.value < 0)) ? quotient - 1 : quotient};
}

Bound toBound(const Extended& a) {
  if (a.infinity != 0 || a.value < INT64_MIN || a.value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(a.value);
}

Range hullOf(const std::array<Extended, 4>& corners) {
  const auto [lo, hi] = std::minmax_element(corners.begin(), corners.end(), lessThan);
  return {toBound(*lo), toBound(*hi)};
}

/// b holds no 0 and values of one sign only.
Range divideByOneSign(const Range& a, const Range& b) {
  return hullOf(
      {divide(lower(a), lower(b)), divide(lower(a), upper(b)), divide(upper(a), lower(b)), divide(upper(a), upper(b))});
}

}  // namespace

bool contains(const Range& range, int64_t value) {
  return (!range.lo || *range.lo <= value) && (!range.hi || value <= *range.hi);
}

Range addRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  return {addBounds(a.lo, b.lo), addBounds(a.hi, b.hi)};
}

Range mulRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  return hullOf({multiply(lower(a), lower(b)), multiply(lower(a), upper(b)), multiply(upper(a), lower(b)),
                 multiply(upper(a), upper(b))});
}

Range floorDivRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  Range result = kEmpty;
  const Range positive = intersect(b, {1, std::nullopt});
  const Range negative = intersect(b, {std::nullopt, -1});
  if (!isEmpty(positive)) result = hull(result, divideByOneSign(a, positive));
  if (!isEmpty(negative)) result = hull(result, divideByOneSign(a, negative));
  if (contains(b, 0)) result = hull(result, exactly(0));
  return result;
}

Range modRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  Range result = kEmpty;
  const Range positive = intersect(b, {1, std::nullopt});
  const Range negative = intersect(b, {std::nullopt, -1});
  if (!isEmpty(positive)) {
    Range part{0, addBounds(positive.hi, -1)};
    if (a.lo && *a.lo >= 0) part = minRanges(part, {0, a.hi});
    if (a.lo && a.hi && *a.lo >= 0 && *a.hi < *positive.lo) part = a;
    result = hull(result, part);
  }
  if (!isEmpty(negative)) result = hull(result, {addBounds(negative.lo, 1), 0});
  if (contains(b, 0)) result = hull(result, a);
  return result;
}

Range minRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  return {a.lo && b.lo ? Bound(std::min(*a.lo, *b.lo)) : std::nullopt,
          a.hi && b.hi ? Bound(std::min(*a.hi, *b.hi)) : (a.hi ? a.hi : b.hi)};
}

Range maxRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  return {a.lo && b.lo ? Bound(std::max(*a.lo, *b.lo)) : (a.lo ? a.lo : b.lo),
          a.hi && b.hi ? Bound(std::max(*a.hi, *b.hi)) : std::nullopt};
}

Range hull(const Range& a, const Range& b) {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  return {a.lo && b.lo ? Bound(std::min(*a.lo, *b.lo)) : std::nullopt,
          a.hi && b.hi ? Bound(std::max(*a.hi, *b.hi)) : std::nullopt};
}

Range intersect(const Range& a, const Range& b) {
  return {a.lo && b.lo ? Bound(std::max(*a.lo, *b.lo)) : (a.lo ? a.lo : b.lo),
          a.hi && b.hi ? Bound(std::min(*a.hi, *b.hi)) : (a.hi ? a.hi : b.hi)};
}

Range lessRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  if (a.hi && b.lo && *a.hi < *b.lo) return exactly(1);
  if (a.lo && b.hi && *a.lo >= *b.hi) return exactly(0);
  return {0, 1};
}

Range equalRanges(const Range& a, const Range& b) {
  if (eitherEmpty(a, b)) return kEmpty;
  if (isEmpty(intersect(a, b))) return exactly(0);
  if (a.lo && a.lo == a.hi && a == b) return exactly(1);
  return {0, 1};
}

}  // namespace braid::index
