// Select. Lemmas S1 to S4 in docs/math.md.

#include <algorithm>

#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

IndexExpr Algebra::select(IndexExpr c, IndexExpr whenTrue, IndexExpr whenFalse) {
  c = toCondition(c);
  if (const auto known = asConstant(c)) return *known != 0 ? whenTrue : whenFalse;
  if (whenTrue == whenFalse) return whenTrue;
  // S1: of a condition and its complement the select keeps the one that reads `x < y` with x in front.
  if (node(c).kind == ExprKind::Not) return select(node(c).operands[0], whenFalse, whenTrue);
  if (node(c).kind == ExprKind::Less && readsBackwards(c)) return select(logicalNot(c), whenFalse, whenTrue);
  // S2: a branch that asks again knows the answer.
  if (node(whenTrue).kind == ExprKind::Select) {
    const std::vector<IndexExpr> inner = node(whenTrue).operands;
    if (implies(c, inner[0])) return select(c, inner[1], whenFalse);
    if (implies(c, logicalNot(inner[0]))) return select(c, inner[2], whenFalse);
  }
  if (node(whenFalse).kind == ExprKind::Select) {
    const std::vector<IndexExpr> inner = node(whenFalse).operands;
    const IndexExpr complement = logicalNot(c);
    if (implies(complement, inner[0])) return select(c, whenTrue, inner[1]);
    if (implies(complement, logicalNot(inner[0]))) return select(c, whenTrue, inner[2]);
  }
  if (isConstant(whenTrue, 1) && isConstant(whenFalse, 0)) return c;  // S3
  if (isConstant(whenTrue, 0) && isConstant(whenFalse, 1)) return logicalNot(c);
  // S4: select(c, x + a, x + b) = x + select(c, a, b); what both branches add stands outside, where the rules for
  // sums see it.
  const Sum a = toSum(whenTrue), b = toSum(whenFalse);
  Sum common, restA, restB;
  std::copy_if(a.begin(), a.end(), std::back_inserter(common), [&](const Term& term) {
    return term.monomial != one_ && std::find(b.begin(), b.end(), term) != b.end();
  });
  if (!common.empty()) {
    restA = addSums(a, common, -1);
    restB = addSums(b, common, -1);
    return fromSum(addSums(common, toSum(select(c, fromSum(restA), fromSum(restB)))));
  }
  return intern(ExprKind::Select, {c, whenTrue, whenFalse});
}

}  // namespace braid::index
