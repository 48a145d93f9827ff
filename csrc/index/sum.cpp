// Polynomials with integer coefficients: lists of terms, sorted by monomial.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

std::span<const IndexExpr> Algebra::factors(const IndexExpr& monomial) const {
  if (monomial == one_) return {};
  const Node& n = node(monomial);
  if (n.kind == ExprKind::Mul) return n.operands;
  return {&monomial, 1};
}

IndexExpr Algebra::monomialOf(std::vector<IndexExpr> factors) {
  if (factors.empty()) return one_;
  if (factors.size() == 1) return factors[0];
  return internProduct(ExprKind::Mul, std::move(factors));
}

IndexExpr Algebra::termExpr(const Term& term) {
  if (term.monomial == one_) return constant(term.coefficient);
  if (term.coefficient == 1) return term.monomial;
  std::vector<IndexExpr> operands{constant(term.coefficient)};
  const auto list = factors(term.monomial);
  operands.insert(operands.end(), list.begin(), list.end());
  return internProduct(ExprKind::Mul, std::move(operands));
}

Sum Algebra::toSum(IndexExpr e) const {
  const Node& n = node(e);
  // A value that is only ever one number is that number.
  if (n.range.lo && n.range.lo == n.range.hi) return constantSum(*n.range.lo);
  if (n.kind != ExprKind::Add) return {n.term};
  Sum sum;
  sum.reserve(n.operands.size());
  for (const IndexExpr operand : n.operands) sum.push_back(node(operand).term);
  return sum;
}

std::optional<int64_t> Algebra::asConstant(const Sum& sum) const {
  if (sum.empty()) return 0;
  return sum.size() == 1 && sum[0].monomial == one_ ? std::optional(sum[0].coefficient) : std::nullopt;
}

void Algebra::sortTerms(Sum& sum) const {
  std::stable_sort(sum.begin(), sum.end(),
                   [&](const Term& a, const Term& b) { return compareMonomials(a.monomial, b.monomial) < 0; });
  size_t kept = 0;
  for (size_t i = 0; i < sum.size();) {
    Term term = sum[i++];
    while (i < sum.size() && sum[i].monomial == term.monomial)
      term.coefficient = checkedAdd(term.coefficient, sum[i++].coefficient);
    if (term.coefficient != 0) sum[kept++] = term;
  }
  sum.resize(kept);
}

Sum Algebra::addSums(const Sum& a, const Sum& b, int64_t scaleOfB) const {
  if (scaleOfB == 0) return a;
  Sum result;
  result.reserve(a.size() + b.size());
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto order = i == a.size()   ? std::strong_ordering::greater
                       : j == b.size() ? std::strong_ordering::less
                                       : compareMonomials(a[i].monomial, b[j].monomial);
    if (order < 0) {
      result.push_back(a[i++]);
    } else if (order > 0) {
      result.push_back({checkedMul(b[j].coefficient, scaleOfB), b[j].monomial});
      ++j;
    } else {
      const int64_t sum = checkedAdd(a[i].coefficient, checkedMul(b[j].coefficient, scaleOfB));
      if (sum != 0) result.push_back({sum, a[i].monomial});
      ++i, ++j;
    }
  }
  return result;
}

Sum Algebra::scaleSum(const Sum& a, int64_t scale) const {
  if (scale == 0) return {};
  Sum result = a;
  for (Term& term : result) term.coefficient = checkedMul(term.coefficient, scale);
  return result;
}

Sum Algebra::mulSums(const Sum& a, const Sum& b) {
  if (const auto c = asConstant(a)) return scaleSum(b, *c);
  if (const auto c = asConstant(b)) return scaleSum(a, *c);
  Sum result;
  result.reserve(a.size() * b.size());
  for (const Term& x : a)
    for (const Term& y : b) {
      std::vector<IndexExpr> product;
      const auto left = factors(x.monomial), right = factors(y.monomial);
      std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(product),
                 [&](IndexExpr p, IndexExpr q) { return compare(p, q) < 0; });
      result.push_back({checkedMul(x.coefficient, y.coefficient), monomialOf(std::move(product))});
    }
  sortTerms(result);
  return result;
}

Range Algebra::rangeOf(const Sum& sum) const {
  Range result = exactly(0);
  for (const Term& term : sum)
    result = addRanges(result, mulRanges(exactly(term.coefficient), node(term.monomial).range));
  return result;
}

std::optional<IndexExpr> Algebra::divideMonomial(IndexExpr a, IndexExpr b) {
  if (b == one_) return a;
  if (a == b) return one_;
  const auto whole = factors(a), part = factors(b);
  if (part.size() >= whole.size()) return std::nullopt;
  std::vector<IndexExpr> rest;
  size_t j = 0;
  for (const IndexExpr factor : whole) {
    if (j < part.size() && part[j] == factor)
      ++j;
    else
      rest.push_back(factor);
  }
  if (j < part.size()) return std::nullopt;
  return monomialOf(std::move(rest));
}

IndexExpr Algebra::commonMonomial(IndexExpr a, IndexExpr b) {
  if (a == b) return a;
  std::vector<IndexExpr> common;
  const auto x = factors(a), y = factors(b);
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(common),
                        [&](IndexExpr p, IndexExpr q) { return compare(p, q) < 0; });
  return monomialOf(std::move(common));
}

std::optional<Term> Algebra::divideTerm(const Term& term, const Term& by) {
  const auto monomial = divideMonomial(term.monomial, by.monomial);
  if (!monomial || by.coefficient <= 0) return std::nullopt;
  const int64_t common = greatestCommonDivisor(term.coefficient, by.coefficient);
  Term result{term.coefficient / common, *monomial};
  int64_t missing = by.coefficient / common;
  if (missing == 1) return result;
  // A symbol that is known to be a multiple gives the rest: (a * T) / 8 is a * (T // 8) where 8 divides T.
  std::vector<IndexExpr> list;
  for (const IndexExpr factor : std::vector<IndexExpr>(factors(*monomial).begin(), factors(*monomial).end())) {
    const bool isQuotient = node(factor).kind == ExprKind::FloorDiv && node(factor).hasExactQuotient;
    const IndexExpr base = isQuotient ? node(factor).operands[0] : factor;
    const int64_t share = greatestCommonDivisor(node(factor).divisor, missing);
    if (share > 1 && node(base).kind == ExprKind::Symbol) {
      const int64_t already = isQuotient ? node(node(factor).operands[1]).constant : 1;
      list.push_back(intern(ExprKind::FloorDiv, {base, constant(checkedMul(already, share))}));
      missing /= share;
    } else {
      list.push_back(factor);
    }
  }
  if (missing != 1) return std::nullopt;
  std::sort(list.begin(), list.end(), [&](IndexExpr p, IndexExpr q) { return compare(p, q) < 0; });
  result.monomial = monomialOf(std::move(list));
  return result;
}

}  // namespace braid::index
