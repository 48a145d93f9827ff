// Minimum and maximum: an operand that is proved not to matter is dropped. Lemma N1 in docs/math.md.

#include <algorithm>

#include "index/algebra.h"

namespace braid::index {

IndexExpr Algebra::minimum(IndexExpr a, IndexExpr b) { return extremum(ExprKind::Min, a, b); }
IndexExpr Algebra::maximum(IndexExpr a, IndexExpr b) { return extremum(ExprKind::Max, a, b); }

IndexExpr Algebra::extremum(ExprKind kind, IndexExpr a, IndexExpr b) {
  if (a == b) return a;
  if (const auto known = remembered(kind, a, b)) return *known;
  std::vector<IndexExpr> all;
  for (const IndexExpr e : {a, b}) {
    if (node(e).kind == kind)
      all.insert(all.end(), node(e).operands.begin(), node(e).operands.end());
    else
      all.push_back(e);
  }
  const Context context = contextOf({a, b});
  std::vector<IndexExpr> kept;
  for (const IndexExpr e : all) {
    // `e` loses to `other` if it can never be the only one that decides; of two equal ones the first stays.
    const auto losesTo = [&](IndexExpr other) {
      return kind == ExprKind::Min ? provedLessEqual(other, e, context) : provedLessEqual(e, other, context);
    };
    if (std::any_of(kept.begin(), kept.end(), losesTo)) continue;
    std::erase_if(kept, [&](IndexExpr other) {
      return kind == ExprKind::Min ? provedLessEqual(e, other, context) : provedLessEqual(other, e, context);
    });
    kept.push_back(e);
  }
  std::sort(kept.begin(), kept.end(), [&](IndexExpr x, IndexExpr y) { return compare(x, y) < 0; });
  const IndexExpr result = kept.size() == 1 ? kept[0] : intern(kind, std::move(kept));
  return remember(kind, a, b, result);
}

}  // namespace braid::index
