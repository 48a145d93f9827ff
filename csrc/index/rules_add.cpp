// Sums: like terms are collected when sums are merged; here, a quotient and its remainder join again.
// Lemmas A1 and A2 in docs/math.md.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

IndexExpr Algebra::add(IndexExpr a, IndexExpr b) {
  if (isConstant(a, 0)) return b;
  if (isConstant(b, 0)) return a;
  return fromSum(addSums(toSum(a), toSum(b)));
}

IndexExpr Algebra::sub(IndexExpr a, IndexExpr b) { return fromSum(addSums(toSum(a), toSum(b), -1)); }

IndexExpr Algebra::negate(IndexExpr a) { return fromSum(scaleSum(toSum(a), -1)); }

IndexExpr Algebra::addConstant(IndexExpr a, int64_t b) {
  return b == 0 ? a : fromSum(addSums(toSum(a), constantSum(b)));
}

IndexExpr Algebra::fromSum(Sum sum) {
  // Each joining removes a quotient or a remainder, so this ends.
  while (foldSingleValues(sum) || simplifyQuotientTerms(sum) || joinQuotientAndRemainder(sum)) {
  }
  if (sum.empty()) return constant(0);
  if (sum.size() == 1) return termExpr(sum[0]);
  std::vector<IndexExpr> operands;
  operands.reserve(sum.size());
  for (const Term& term : sum) operands.push_back(termExpr(term));
  return intern(ExprKind::Add, std::move(operands));
}

/// A monomial that has one value only, by its range, is that value.
bool Algebra::foldSingleValues(Sum& sum) const {
  bool changed = false;
  for (Term& term : sum) {
    const Range& range = node(term.monomial).range;
    if (term.monomial == one_ || !range.lo || range.lo != range.hi) continue;
    term = {checkedMul(term.coefficient, *range.lo), one_};
    changed = true;
  }
  if (changed) sortTerms(sum);
  return changed;
}

/// A1: k * (x // c) is (k / g) * (x // (c / g)) where c divides x, with g the common divisor of k and c.
bool Algebra::simplifyQuotientTerms(Sum& sum) {
  bool changed = false;
  for (Term& term : sum) {
    if (!node(term.monomial).hasExactQuotient) continue;
    std::vector<IndexExpr> list;
    bool termChanged = false;
    for (IndexExpr factor : std::vector<IndexExpr>(factors(term.monomial).begin(), factors(term.monomial).end())) {
      if (node(factor).kind == ExprKind::FloorDiv && node(factor).hasExactQuotient) {
        const IndexExpr x = node(factor).operands[0];
        const int64_t c = node(node(factor).operands[1]).constant;
        const int64_t common = greatestCommonDivisor(term.coefficient, c);
        if (common > 1 && node(x).kind != ExprKind::Add && node(x).kind != ExprKind::Mul) {
          term.coefficient /= common;
          termChanged = true;
          list.push_back(c == common ? x : intern(ExprKind::FloorDiv, {x, constant(c / common)}));
          continue;
        }
      }
      list.push_back(factor);
    }
    if (!termChanged) continue;
    std::sort(list.begin(), list.end(), [&](IndexExpr p, IndexExpr q) { return compare(p, q) < 0; });
    term.monomial = monomialOf(std::move(list));
    changed = true;
  }
  if (changed) sortTerms(sum);
  return changed;
}

/// A2: k * n * (x // n) + k * (x % n) is k * x.
bool Algebra::joinQuotientAndRemainder(Sum& sum) {
  for (size_t i = 0; i < sum.size(); ++i)
    for (const IndexExpr factor :
         std::vector<IndexExpr>(factors(sum[i].monomial).begin(), factors(sum[i].monomial).end()))
      if (node(factor).kind == ExprKind::Mod && joinPair(sum, i, factor)) return true;
  return false;
}

bool Algebra::joinPair(Sum& sum, size_t remainderTerm, IndexExpr remainder) {
  if (sum.size() < 2) return false;
  const IndexExpr x = node(remainder).operands[0], n = node(remainder).operands[1];
  const Term outer{sum[remainderTerm].coefficient, *divideMonomial(sum[remainderTerm].monomial, remainder)};
  const Sum divisor = toSum(n);
  // Only a sum that holds some quotient can match; without one the quotient need not be built.
  const bool mayMatch = std::any_of(sum.begin(), sum.end(), [&](const Term& term) {
    const auto list = factors(term.monomial);
    return std::any_of(
               list.begin(), list.end(),
               [&](IndexExpr e) { return node(e).kind == ExprKind::FloorDiv || node(e).kind == ExprKind::Mod; }) &&
           term.monomial != sum[remainderTerm].monomial;
  });
  if (!mayMatch || divisor.size() != 1) return false;
  const IndexExpr quotient = floorDiv(x, n);
  const Sum quotientSum = toSum(quotient);
  if (quotientSum.empty()) return false;
  // outer * n * quotient, whose first term must be in the sum with at least that coefficient
  Sum expected;
  try {
    expected = mulSums(mulSums(Sum{{1, outer.monomial}}, divisor), quotientSum);
  } catch (const Error&) {
    return false;
  }
  if (expected.empty() || asConstant(expected)) return false;
  int64_t times = 0;
  for (const Term& term : sum) {
    if (term.monomial != expected[0].monomial) continue;
    const int64_t share = term.coefficient / expected[0].coefficient;  // towards 0
    if (share == 0 || (share < 0) != (outer.coefficient < 0)) return false;
    times = outer.coefficient < 0 ? std::max(share, outer.coefficient) : std::min(share, outer.coefficient);
  }
  if (times == 0) return false;
  try {
    Sum replaced = addSums(sum, Sum{{1, sum[remainderTerm].monomial}}, checkedNegate(times));
    replaced = addSums(replaced, expected, checkedNegate(times));
    replaced = addSums(replaced, mulSums(Sum{{1, outer.monomial}}, toSum(x)), times);
    sum = std::move(replaced);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace braid::index
