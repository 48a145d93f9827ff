// Conditions: comparisons as `sum < 0`, and their junctions. Lemmas C1 to C7 in docs/math.md.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

IndexExpr Algebra::less(IndexExpr a, IndexExpr b) {
  if (a == b) return constant(0);
  if (const auto known = remembered(ExprKind::Less, a, b)) return *known;
  return remember(ExprKind::Less, a, b, lessThanZero(addSums(toSum(a), toSum(b), -1), contextOf({a, b})));
}

IndexExpr Algebra::lessThanZero(Sum e, const Context& context) {
  if (const auto known = asConstant(e)) return constant(*known < 0 ? 1 : 0);
  if (provedNonNegative(e, context)) return constant(0);  // C1
  if (provedNonNegative(addSums(constantSum(-1), e, -1), context)) return constant(1);
  // C2: g * m + rest < 0 with 0 <= rest < g is g * m < 0, which is m < 0.
  for (const Term& factor : factorCandidates(e, nullptr)) {
    if (!provedPositive(termExpr(factor), context)) continue;
    const auto split = splitBy(e, factor, context);
    if (split && !split->rest.empty()) return lessThanZero(split->multiple, context);
  }
  if (const auto g = commonFactor(e, e, context)) return lessThanZero(divideSum(e, *g), context);
  return compareSides(ExprKind::Less, e);
}

IndexExpr Algebra::equal(IndexExpr a, IndexExpr b) {
  if (a == b) return constant(1);
  Sum e = addSums(toSum(a), toSum(b), -1);
  if (const auto known = asConstant(e)) return constant(*known == 0 ? 1 : 0);
  const Context context = contextOf({a, b});
  // C3: decided by order, or since the terms have a common divisor that the constant lacks.
  if (provedNonNegative(addSums(e, constantSum(-1)), context)) return constant(0);
  if (provedNonNegative(addSums(constantSum(-1), e, -1), context)) return constant(0);
  int64_t coefficients = 0, divisors = 0, offset = 0;
  for (const Term& term : e) {
    if (term.monomial == one_) {
      offset = term.coefficient;
      continue;
    }
    coefficients = greatestCommonDivisor(coefficients, term.coefficient);
    const auto whole = tryMul(greatestCommonDivisor(term.coefficient, 0), node(term.monomial).divisor);
    divisors = greatestCommonDivisor(divisors, whole ? *whole : term.coefficient);
  }
  if (divisors > 1 && offset % divisors != 0) return constant(0);
  if (e[0].coefficient < 0) coefficients = -coefficients;
  for (Term& term : e) term.coefficient /= coefficients;
  return compareSides(ExprKind::Equal, e);
}

/// The comparison `e < 0` or `e == 0` as people write it: what is added stays on the left, the rest goes to the right.
IndexExpr Algebra::compareSides(ExprKind kind, const Sum& e) {
  Sum left, right;
  for (const Term& term : e) {
    const bool toRight = term.monomial == one_ || term.coefficient < 0;
    (toRight ? right : left).push_back(toRight ? Term{checkedNegate(term.coefficient), term.monomial} : term);
  }
  // 5 < d, not 0 < d - 5
  if (left.empty() && !right.empty() && right.back().monomial == one_) {
    left.push_back({checkedNegate(right.back().coefficient), one_});
    right.pop_back();
  }
  return intern(kind, {fromSum(std::move(left)), fromSum(std::move(right))});
}

Sum Algebra::lessAsSum(IndexExpr less) const {
  return addSums(toSum(node(less).operands[0]), toSum(node(less).operands[1]), -1);
}

bool Algebra::readsBackwards(IndexExpr less) const {
  const Sum sum = lessAsSum(less);
  return !sum.empty() && sum[0].coefficient < 0;
}

bool Algebra::isCondition(IndexExpr e) const {
  const ExprKind kind = node(e).kind;
  return kind == ExprKind::Less || kind == ExprKind::Equal || kind == ExprKind::And || kind == ExprKind::Or ||
         kind == ExprKind::Not;
}

/// Any number counts as true unless it is 0.
IndexExpr Algebra::toCondition(IndexExpr e) {
  const Range& range = node(e).range;
  if (range.lo && range.lo == range.hi) return constant(*range.lo != 0 ? 1 : 0);
  if (isCondition(e)) return e;
  if (range.lo && range.hi && *range.lo >= 0 && *range.hi <= 1) return less(constant(0), e);
  return logicalNot(equal(e, constant(0)));
}

IndexExpr Algebra::logicalNot(IndexExpr a) {
  a = toCondition(a);
  if (const auto known = asConstant(a)) return constant(*known != 0 ? 0 : 1);
  if (node(a).kind == ExprKind::Not) return node(a).operands[0];
  if (node(a).kind == ExprKind::Less) {  // C4: !(a < b) is b < a + 1
    const IndexExpr lhs = node(a).operands[0], rhs = node(a).operands[1];
    return less(rhs, addConstant(lhs, 1));
  }
  if (node(a).kind == ExprKind::And || node(a).kind == ExprKind::Or) {  // C5: de Morgan
    const bool both = node(a).kind == ExprKind::And;
    IndexExpr result = constant(both ? 0 : 1);
    for (const IndexExpr operand : std::vector<IndexExpr>(node(a).operands))
      result = both ? logicalOr(result, logicalNot(operand)) : logicalAnd(result, logicalNot(operand));
    return result;
  }
  return intern(ExprKind::Not, {a});
}

IndexExpr Algebra::logicalAnd(IndexExpr a, IndexExpr b) { return junction(ExprKind::And, a, b); }
IndexExpr Algebra::logicalOr(IndexExpr a, IndexExpr b) { return junction(ExprKind::Or, a, b); }

IndexExpr Algebra::junction(ExprKind kind, IndexExpr a, IndexExpr b) {
  a = toCondition(a), b = toCondition(b);
  const int64_t neutral = kind == ExprKind::And ? 1 : 0;
  if (isConstant(a, neutral) || a == b) return b;
  if (isConstant(b, neutral)) return a;
  if (asConstant(a)) return a;
  if (asConstant(b)) return b;
  if (const auto known = remembered(kind, a, b)) return *known;
  std::vector<IndexExpr> all;
  for (const IndexExpr e : {a, b}) {
    if (node(e).kind == kind)
      all.insert(all.end(), node(e).operands.begin(), node(e).operands.end());
    else
      all.push_back(e);
  }
  // C6: in a conjunction the weaker of two conditions is redundant, in a disjunction the stronger.
  const auto redundantNextTo = [&](IndexExpr e, IndexExpr other) {
    return kind == ExprKind::And ? implies(other, e) : implies(e, other);
  };
  std::vector<IndexExpr> kept;
  for (const IndexExpr e : all) {
    const IndexExpr complement = logicalNot(e);
    for (const IndexExpr other : kept) {
      const bool decided = kind == ExprKind::And ? implies(other, complement) : implies(complement, other);
      if (decided) return remember(kind, a, b, constant(1 - neutral));
    }
    if (std::any_of(kept.begin(), kept.end(), [&](IndexExpr other) { return redundantNextTo(e, other); })) continue;
    std::erase_if(kept, [&](IndexExpr other) { return redundantNextTo(other, e); });
    kept.push_back(e);
  }
  std::sort(kept.begin(), kept.end(), [&](IndexExpr x, IndexExpr y) { return compare(x, y) < 0; });
  return remember(kind, a, b, kept.size() == 1 ? kept[0] : intern(kind, std::move(kept)));
}

bool Algebra::implies(IndexExpr a, IndexExpr b) {
  if (a == b || isConstant(a, 0) || isConstant(b, 1)) return true;
  const Node &x = node(a), &y = node(b);
  if (x.kind == ExprKind::And)
    return std::any_of(x.operands.begin(), x.operands.end(), [&](IndexExpr e) { return e == b; });
  if (y.kind == ExprKind::Or)
    return std::any_of(y.operands.begin(), y.operands.end(), [&](IndexExpr e) { return e == a; });
  if (x.kind != ExprKind::Less || y.kind != ExprKind::Less) return false;
  // C7: p < 0 implies q < 0 where q <= p.
  try {
    return provedNonNegative(addSums(lessAsSum(a), lessAsSum(b), -1), contextOf({a, b}));
  } catch (const Error&) {
    return false;
  }
}

}  // namespace braid::index
