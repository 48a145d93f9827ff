// Products distribute over sums (M1), so that a sum of products is the only form.

#include "index/algebra.h"

namespace braid::index {

IndexExpr Algebra::mul(IndexExpr a, IndexExpr b) {
  if (isConstant(a, 0) || isConstant(b, 0)) return constant(0);
  if (isConstant(a, 1)) return b;
  if (isConstant(b, 1)) return a;
  if (const auto known = remembered(ExprKind::Mul, a, b)) return *known;
  return remember(ExprKind::Mul, a, b, fromSum(mulSums(toSum(a), toSum(b))));
}

}  // namespace braid::index
