// Proofs that a sum is never negative.
//
// Problem: t * 32 + d < T * 32 for 0 <= t < T, 0 <= d < 32, where T has no constant bound. Interval arithmetic cannot
// see it. Rule: write the claim as `sum >= 0`, here 32 T - 1 - 32 t - d. While an atom with a symbolic bound occurs
// (here t <= T - 1), replace it by the bound on the side that makes the sum smaller: 32 T - 1 - 32 (T - 1) - d =
// 31 - d. What is left has constant bounds only: each atom x >= lo becomes lo + x' with x' >= 0, and the sum is at
// least its constant plus, for each negative term, its value at the upper bounds. Gives up where an atom has a negative
// coefficient and no upper bound.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

namespace {
constexpr int kMaxEliminations = 24;
constexpr size_t kMaxTerms = 48;
}  // namespace

/// One lower bound search: `sum` shrinks to a sum of atoms with constant bounds, scaled by `scale` > 0.
class Proof {
 public:
  Proof(Algebra& algebra, const Context& context) : algebra_(algebra), context_(context) {}

  std::optional<int64_t> lowerBound(Sum sum) {
    for (int i = 0; i < kMaxEliminations; ++i) {
      if (sum.size() > kMaxTerms) return std::nullopt;
      if (!eliminateOne(sum)) break;
    }
    const auto bound = boundOfRest(std::move(sum));
    if (!bound) return std::nullopt;
    // scale * e >= bound, so e >= ceil(bound / scale).
    return checkedNegate(floorDivide(checkedNegate(*bound), scale_));
  }

 private:
  using Node = Algebra::Node;
  const Node& node(IndexExpr e) const { return algebra_.node(e); }

  std::optional<int64_t> low(IndexExpr atom) const {
    std::optional<int64_t> result = node(atom).range.lo;
    for (const LowerBound& fact : context_)
      if (fact.atom == atom && (!result || fact.lo > *result)) result = fact.lo;
    return result;
  }
  bool nonNegativeAtom(IndexExpr atom) const {
    const auto lo = low(atom);
    return lo && *lo >= 0;
  }
  bool nonNegativeMonomial(IndexExpr monomial) const {
    const auto list = algebra_.factors(monomial);
    return std::all_of(list.begin(), list.end(), [&](IndexExpr factor) { return nonNegativeAtom(factor); });
  }

  /// sum = atom * coefficient + rest, or nothing where the atom occurs squared.
  struct Split {
    Sum coefficient, rest;
  };
  std::optional<Split> splitAt(const Sum& sum, IndexExpr atom) const {
    Split split;
    for (const Term& term : sum) {
      const auto list = algebra_.factors(term.monomial);
      const auto count = std::count(list.begin(), list.end(), atom);
      if (count > 1) return std::nullopt;
      if (count == 0)
        split.rest.push_back(term);
      else
        split.coefficient.push_back({term.coefficient, *algebra_.divideMonomial(term.monomial, atom)});
    }
    algebra_.sortTerms(split.coefficient);
    return split;
  }
  /// -1 or 1 if every term has that sign (or is 0), else 0.
  int signOf(const Sum& sum) const {
    int sign = 0;
    for (const Term& term : sum) {
      if (!nonNegativeMonomial(term.monomial)) return 0;
      const int termSign = term.coefficient < 0 ? -1 : 1;
      if (sign != 0 && sign != termSign) return 0;
      sign = termSign;
    }
    return sign;
  }

  /// Replaces one atom by a symbolic bound. False if there is none left that can be.
  bool eliminateOne(Sum& sum) {
    std::vector<IndexExpr> atoms;
    for (const Term& term : sum)
      for (const IndexExpr factor : algebra_.factors(term.monomial))
        if (node(factor).hasSymbolicBound && std::find(atoms.begin(), atoms.end(), factor) == atoms.end() &&
            std::find(done_.begin(), done_.end(), factor) == done_.end())
          atoms.push_back(factor);
    // Quotients and remainders first, then loop variables, the latest first: its bound may hold earlier ones.
    std::sort(atoms.begin(), atoms.end(), [&](IndexExpr a, IndexExpr b) {
      const bool symbolA = node(a).kind == ExprKind::Symbol, symbolB = node(b).kind == ExprKind::Symbol;
      return symbolA != symbolB ? symbolB : algebra_.compare(b, a) < 0;
    });
    for (const IndexExpr atom : atoms) {
      if (replace(sum, atom)) {
        done_.clear();
        return true;
      }
      done_.push_back(atom);
    }
    return false;
  }

  bool replace(Sum& sum, IndexExpr atom) {
    const auto split = splitAt(sum, atom);
    if (!split) return false;
    if (node(atom).kind == ExprKind::FloorDiv) return replaceQuotient(sum, atom, *split);
    const auto upper = upperBound(atom, sum);
    if (!upper) return false;
    int sign = signOf(split->coefficient);
    if (sign == 0) sign = provedSign(split->coefficient);
    if (sign > 0) return false;  // the constant lower bound does it
    if (sign < 0) {
      sum = algebra_.addSums(split->rest, algebra_.mulSums(split->coefficient, *upper));
      return true;
    }
    return replaceWhereNegative(sum, *split, atom, *upper);
  }

  /// Mixed signs: the atom stays, at its lower bound, in the terms that grow with it, and is replaced in the others.
  bool replaceWhereNegative(Sum& sum, const Split& split, IndexExpr atom, const Sum& upper) {
    const auto lo = low(atom);
    if (!lo) return false;
    Sum result = split.rest;
    for (const Term& term : split.coefficient) {
      if (!nonNegativeMonomial(term.monomial)) return false;
      const Sum factor{term};
      result = algebra_.addSums(
          result, term.coefficient < 0 ? algebra_.mulSums(factor, upper) : algebra_.scaleSum(factor, *lo));
    }
    sum = result;
    return true;
  }

  int provedSign(const Sum& coefficient) {
    if (depth_ > 0) return 0;
    Proof inner(algebra_, context_);
    inner.depth_ = depth_ + 1;
    if (const auto lo = inner.lowerBound(algebra_.scaleSum(coefficient, -1)); lo && *lo >= 0) return -1;
    Proof other(algebra_, context_);
    other.depth_ = depth_ + 1;
    if (const auto lo = other.lowerBound(coefficient); lo && *lo >= 0) return 1;
    return 0;
  }

  /// atom <= this.
  std::optional<Sum> upperBound(IndexExpr atom, const Sum& sum) {
    const Node& n = node(atom);
    if (n.kind == ExprKind::Symbol) {
      const SymbolFacts& facts = algebra_.symbolOf(atom).facts;
      if (!facts.exclusiveUpper || algebra_.asConstant(*facts.exclusiveUpper)) return std::nullopt;
      return algebra_.addSums(algebra_.toSum(*facts.exclusiveUpper), algebra_.constantSum(-1));
    }
    if (n.kind == ExprKind::Min) return bestOperand(n.operands, sum);
    if (n.kind == ExprKind::Mod && !algebra_.asConstant(n.operands[1])) {
      const IndexExpr divisor = n.operands[1];
      if (!algebra_.provedPositive(divisor, context_)) return std::nullopt;
      return algebra_.addSums(algebra_.toSum(divisor), algebra_.constantSum(-1));
    }
    return std::nullopt;
  }
  /// min(a, b) is at most each operand: one whose atoms the sum holds already may cancel.
  Sum bestOperand(std::span<const IndexExpr> operands, const Sum& sum) const {
    for (const IndexExpr e : operands) {
      const Sum candidate = algebra_.toSum(e);
      for (const Term& term : candidate)
        for (const Term& held : sum)
          if (term.monomial == held.monomial && term.monomial != algebra_.one()) return candidate;
    }
    return algebra_.toSum(operands[0]);
  }

  /// a // n with a negative coefficient: n * (a // n) <= a. The whole sum is scaled by a constant n where needed.
  bool replaceQuotient(Sum& sum, IndexExpr atom, const Split& split) {
    const IndexExpr dividend = node(atom).operands[0], divisor = node(atom).operands[1];
    const int sign = signOf(split.coefficient);
    if (sign >= 0 || !algebra_.provedPositive(divisor, context_)) return false;
    const Sum n = algebra_.toSum(divisor);
    if (n.size() != 1) return false;
    Sum rest = split.rest, coefficient = split.coefficient;
    int64_t common = 0;
    for (Term& term : coefficient) {
      const auto monomial = algebra_.divideMonomial(term.monomial, n[0].monomial);
      if (!monomial) return false;
      term.monomial = *monomial;
      common = greatestCommonDivisor(common, term.coefficient);
    }
    const int64_t scale = n[0].coefficient / greatestCommonDivisor(common, n[0].coefficient);
    scale_ = checkedMul(scale_, scale);
    for (Term& term : coefficient) term.coefficient = checkedMul(term.coefficient, scale) / n[0].coefficient;
    algebra_.sortTerms(coefficient);
    sum = algebra_.addSums(algebra_.scaleSum(rest, scale), algebra_.mulSums(coefficient, algebra_.toSum(dividend)));
    return true;
  }

  /// Every atom at its constant bounds.
  std::optional<int64_t> boundOfRest(Sum sum) {
    std::vector<IndexExpr> atoms;
    for (const Term& term : sum)
      for (const IndexExpr factor : algebra_.factors(term.monomial))
        if (std::find(atoms.begin(), atoms.end(), factor) == atoms.end()) atoms.push_back(factor);
    std::vector<std::pair<IndexExpr, std::optional<int64_t>>> upper;  // of x' = x - lo
    for (const IndexExpr atom : atoms) {
      const auto lo = low(atom), hi = node(atom).range.hi;
      if (lo && hi && *lo > *hi) return 0;  // the atom never exists
      if (lo) {
        upper.emplace_back(atom, hi ? trySub(*hi, *lo) : std::nullopt);
        if (*lo != 0 && !shift(sum, atom, *lo, 1)) return std::nullopt;
      } else if (hi) {
        upper.emplace_back(atom, std::nullopt);
        if (!shift(sum, atom, *hi, -1)) return std::nullopt;
      } else {
        return std::nullopt;
      }
    }
    int64_t bound = 0;
    for (const Term& term : sum) {
      if (term.monomial == algebra_.one()) {
        bound = checkedAdd(bound, term.coefficient);
      } else if (term.coefficient < 0) {
        int64_t value = term.coefficient;
        for (const IndexExpr factor : algebra_.factors(term.monomial)) {
          const auto found = std::find_if(upper.begin(), upper.end(), [&](auto& each) { return each.first == factor; });
          if (!found->second) return std::nullopt;
          value = checkedMul(value, *found->second);
        }
        bound = checkedAdd(bound, value);
      }
    }
    return bound;
  }
  /// x becomes offset + sign * x.
  bool shift(Sum& sum, IndexExpr atom, int64_t offset, int64_t sign) {
    Sum result;
    for (const Term& term : sum) {
      Sum product{{term.coefficient, algebra_.one()}};
      for (const IndexExpr factor : algebra_.factors(term.monomial)) {
        Sum value{{1, factor}};
        if (factor == atom) value = algebra_.addSums(algebra_.scaleSum(value, sign), algebra_.constantSum(offset));
        product = algebra_.mulSums(product, value);
      }
      result = algebra_.addSums(result, product);
      if (result.size() > kMaxTerms) return false;
    }
    sum = result;
    return true;
  }

  Algebra& algebra_;
  const Context& context_;
  std::vector<IndexExpr> done_;
  int64_t scale_ = 1;
  int depth_ = 0;
};

Context Algebra::contextOf(std::initializer_list<IndexExpr> exprs) const {
  Context context;
  for (const IndexExpr e : exprs)
    for (const uint32_t position : node(e).symbols)
      for (const LowerBound& fact : symbols_[position].implied) {
        const bool known = std::any_of(context.begin(), context.end(), [&](const LowerBound& other) {
          return other.atom == fact.atom && other.lo == fact.lo;
        });
        if (!known) context.push_back(fact);
      }
  return context;
}

void Algebra::deriveLowerBounds(IndexExpr atLeast, int64_t lo, Context& facts) const {
  const Node& n = node(atLeast);
  if (n.kind == ExprKind::Constant) return;
  if (n.kind != ExprKind::Add && n.kind != ExprKind::Mul) facts.push_back({atLeast, lo});
  if (n.kind == ExprKind::Min) {
    for (const IndexExpr operand : n.operands) deriveLowerBounds(operand, lo, facts);
  } else if (n.kind == ExprKind::FloorDiv) {
    const auto divisor = asConstant(n.operands[1]);
    if (!divisor || *divisor <= 0) return;
    if (const auto scaled = tryMul(lo, *divisor)) deriveLowerBounds(n.operands[0], *scaled, facts);
  } else if (n.kind == ExprKind::Mul) {
    if (lo < 1 || n.term.coefficient < 0) return;
    const auto list = factors(n.term.monomial);
    // A product of non-negative factors that is positive has positive factors; one factor also inherits the quotient.
    if (list.size() == 1) {
      deriveLowerBounds(list[0], -floorDivide(-lo, n.term.coefficient), facts);
      return;
    }
    for (const IndexExpr factor : list)
      if (!node(factor).range.lo || *node(factor).range.lo < 0) return;
    for (const IndexExpr factor : list) deriveLowerBounds(factor, 1, facts);
  } else if (n.kind == ExprKind::Add) {
    // Each term is at least lo minus what the others can be at most.
    for (size_t i = 0; i < n.operands.size(); ++i) {
      Range others = exactly(0);
      for (size_t j = 0; j < n.operands.size(); ++j)
        if (j != i) others = addRanges(others, node(n.operands[j]).range);
      if (!others.hi) continue;
      if (const auto rest = trySub(lo, *others.hi)) deriveLowerBounds(n.operands[i], *rest, facts);
    }
  }
}

std::optional<int64_t> Algebra::lowerBound(const Sum& sum, const Context& context) {
  const Range range = rangeOf(sum);
  if (range.lo && context.empty()) {
    bool symbolic = false;
    for (const Term& term : sum) symbolic |= node(term.monomial).hasSymbolicBound;
    if (!symbolic) return range.lo;
  }
  try {
    const auto proved = Proof(*this, context).lowerBound(sum);
    if (!proved || (range.lo && *range.lo > *proved)) return range.lo;
    return proved;
  } catch (const Error&) {
    return range.lo;  // 64 bits do not hold a value of the proof: no proof
  }
}

bool Algebra::provedNonNegative(const Sum& sum, const Context& context) {
  const Range range = rangeOf(sum);
  if (isEmpty(range) || (range.lo && *range.lo >= 0)) return true;
  if (range.hi && *range.hi < 0) return false;
  const auto lo = lowerBound(sum, context);
  return lo && *lo >= 0;
}

bool Algebra::provedPositive(IndexExpr e, const Context& context) {
  const Range& range = node(e).range;
  if (range.lo && *range.lo > 0) return true;
  if (asConstant(e)) return false;
  return provedNonNegative(addSums(toSum(e), constantSum(-1)), context);
}

bool Algebra::provedLessEqual(IndexExpr a, IndexExpr b, const Context& context) {
  return provedNonNegative(addSums(toSum(b), toSum(a), -1), context);
}

std::optional<int64_t> Algebra::constantQuotient(const Sum& sum, const Sum& n, const Context& context) {
  if (sum.empty()) return 0;
  const auto divisor = asConstant(n);
  const Range range = rangeOf(sum);
  std::vector<int64_t> candidates;
  if (divisor) {
    if (range.lo && range.hi) {
      const int64_t k = floorDivide(*range.lo, *divisor);
      if (k == floorDivide(*range.hi, *divisor)) return k;
    }
    bool symbolic = false;
    for (const Term& term : sum) symbolic |= node(term.monomial).hasSymbolicBound;
    if (!symbolic && context.empty()) return std::nullopt;
    if (range.lo) candidates.push_back(floorDivide(*range.lo, *divisor));
    if (range.hi && candidates.empty()) candidates.push_back(floorDivide(*range.hi, *divisor));
  }
  for (const int64_t k : {0, -1, 1})
    if (std::find(candidates.begin(), candidates.end(), k) == candidates.end()) candidates.push_back(k);
  for (const int64_t k : candidates) {
    try {
      const Sum shifted = addSums(sum, n, checkedNegate(k));
      if (!provedNonNegative(shifted, context)) continue;
      if (provedNonNegative(addSums(addSums(n, shifted, -1), constantSum(-1)), context)) return k;
    } catch (const Error&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace braid::index
