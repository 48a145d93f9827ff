// Two tensors share a byte if some element of one begins less than an element before one of the other does. With byte
// strides s_i of the first, t_j of the second and d the distance of their pointers this asks for integers x_i, y_j with
//   -bytes(b) < d + sum(y_j t_j) - sum(x_i s_i) < bytes(a),   0 <= x_i < sizes(a)_i,   0 <= y_j < sizes(b)_j.
// Axes of one stride are one term, whose factor runs from 1 - sizes(a)_i to sizes(b)_j - 1. The terms are tried from
// the largest stride down; what the smaller ones can still reach leaves one or two factors for each in all layouts of
// practice, such as the halves of a buffer: out[..., :64] and out[..., 64:].

#include "runtime/overlap.h"

#include <algorithm>
#include <map>

#include "index/checked.h"

namespace braid::runtime {

namespace {

/// factor * stride with lo <= factor <= hi.
struct Term {
  int64_t stride, lo, hi;
};

/// More than any layout of practice needs; a search that takes more is given up, and the answer is "overlap".
constexpr int64_t kMaxTrials = 1 << 22;

/// Whether some choice of factors puts the sum of the terms into [lo, hi].
class Search {
 public:
  explicit Search(std::vector<Term> terms) : terms_(std::move(terms)), reach_(terms_.size() + 1, {0, 0}) {
    std::sort(terms_.begin(), terms_.end(), [](const Term& a, const Term& b) { return a.stride > b.stride; });
    for (size_t i = terms_.size(); i-- > 0;) {
      reach_[i].first = reach_[i + 1].first + terms_[i].lo * terms_[i].stride;
      reach_[i].second = reach_[i + 1].second + terms_[i].hi * terms_[i].stride;
    }
  }

  bool finds(int64_t lo, int64_t hi) { return from(0, lo, hi); }

 private:
  bool from(size_t i, int64_t lo, int64_t hi) {
    if (++trials_ > kMaxTrials) return true;
    if (hi < reach_[i].first || lo > reach_[i].second) return false;
    if (i == terms_.size()) return true;
    const Term& term = terms_[i];
    // What the rest can add leaves these factors.
    const int64_t first = std::max(term.lo, -index::floorDivide(reach_[i + 1].second - lo, term.stride));
    const int64_t last = std::min(term.hi, index::floorDivide(hi - reach_[i + 1].first, term.stride));
    for (int64_t factor = first; factor <= last; ++factor) {
      if (from(i + 1, lo - factor * term.stride, hi - factor * term.stride)) return true;
    }
    return false;
  }

  std::vector<Term> terms_;
  std::vector<std::pair<int64_t, int64_t>> reach_;  ///< of the terms from this one on
  int64_t trials_ = 0;
};

}  // namespace

int64_t spanOf(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  int64_t span = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    span = index::checkedAdd(span, index::checkedMul(sizes[i] - 1, strides[i]));
  }
  return span;
}

bool overlap(const Footprint& a, const Footprint& b) {
  if (a.spanBytes == 0 || b.spanBytes == 0) return false;
  if (a.address + static_cast<uintptr_t>(a.spanBytes) <= b.address) return false;
  if (b.address + static_cast<uintptr_t>(b.spanBytes) <= a.address) return false;
  std::map<int64_t, Term> terms;
  const auto add = [&](const Footprint& from, int64_t sign) {
    for (size_t i = 0; i < from.sizes->size(); ++i) {
      const int64_t most = (*from.sizes)[i] - 1;
      const int64_t stride = (*from.strides)[i] * from.elementBytes;
      if (most == 0 || stride == 0) continue;
      Term& term = terms.emplace(stride, Term{stride, 0, 0}).first->second;
      (sign > 0 ? term.hi : term.lo) += sign * most;
    }
  };
  add(a, -1);
  add(b, 1);
  std::vector<Term> list;
  for (const auto& [stride, term] : terms) list.push_back(term);
  const auto distance = static_cast<int64_t>(b.address - a.address);
  return Search(std::move(list)).finds(1 - b.elementBytes - distance, a.elementBytes - 1 - distance);
}

bool overlapsItself(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  if (spanOf(sizes, strides) == 0) return false;
  // Two indices differ first on some axis; there the difference is positive, and 0 on the axes before.
  for (size_t leading = 0; leading < sizes.size(); ++leading) {
    if (sizes[leading] == 1) continue;
    if (strides[leading] == 0) return true;
    std::vector<Term> terms{{strides[leading], 1, sizes[leading] - 1}};
    for (size_t i = leading + 1; i < sizes.size(); ++i) {
      if (sizes[i] == 1) continue;
      if (strides[i] == 0) return true;
      terms.push_back({strides[i], 1 - sizes[i], sizes[i] - 1});
    }
    if (Search(std::move(terms)).finds(0, 0)) return true;
  }
  return false;
}

}  // namespace braid::runtime
