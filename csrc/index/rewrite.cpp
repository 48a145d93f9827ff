// Rebuilding of expressions: substitution, linear form, what holds under a condition.

#include <algorithm>

#include "base/check.h"
#include "index/algebra.h"

namespace braid::index {

IndexExpr Algebra::rebuild(ExprKind kind, std::span<const IndexExpr> operands) {
  const auto fold = [&](auto&& combine) {
    IndexExpr result = operands[0];
    for (const IndexExpr e : operands.subspan(1)) result = combine(result, e);
    return result;
  };
  switch (kind) {
    case ExprKind::Constant:
    case ExprKind::Symbol:
      break;
    case ExprKind::Add:
      return fold([&](IndexExpr a, IndexExpr b) { return add(a, b); });
    case ExprKind::Mul:
      return fold([&](IndexExpr a, IndexExpr b) { return mul(a, b); });
    case ExprKind::FloorDiv:
      return floorDiv(operands[0], operands[1]);
    case ExprKind::Mod:
      return mod(operands[0], operands[1]);
    case ExprKind::Min:
      return fold([&](IndexExpr a, IndexExpr b) { return minimum(a, b); });
    case ExprKind::Max:
      return fold([&](IndexExpr a, IndexExpr b) { return maximum(a, b); });
    case ExprKind::Select:
      return select(operands[0], operands[1], operands[2]);
    case ExprKind::Less:
      return less(operands[0], operands[1]);
    case ExprKind::Equal:
      return equal(operands[0], operands[1]);
    case ExprKind::And:
      return fold([&](IndexExpr a, IndexExpr b) { return logicalAnd(a, b); });
    case ExprKind::Or:
      return fold([&](IndexExpr a, IndexExpr b) { return logicalOr(a, b); });
    case ExprKind::Not:
      return logicalNot(operands[0]);
  }
  BRAID_CHECK(false, "a constant or symbol has no operands to rebuild from");
  return {};
}

IndexExpr Algebra::substitute(IndexExpr e, std::unordered_map<uint32_t, IndexExpr>& memo) {
  if (const auto found = memo.find(e.id); found != memo.end()) return found->second;
  const std::vector<IndexExpr> operands = node(e).operands;
  std::vector<IndexExpr> replaced;
  replaced.reserve(operands.size());
  for (const IndexExpr operand : operands) replaced.push_back(substitute(operand, memo));
  const IndexExpr result = replaced == operands ? e : rebuild(node(e).kind, replaced);
  memo.emplace(e.id, result);
  return result;
}

bool Algebra::dependsOn(IndexExpr e, IndexExpr symbol) const {
  const std::vector<uint32_t>& symbols = node(e).symbols;
  return std::binary_search(symbols.begin(), symbols.end(), static_cast<uint32_t>(node(symbol).constant));
}

std::optional<IndexArena::Linear> Algebra::linearIn(IndexExpr e, IndexExpr symbol) {
  if (!dependsOn(e, symbol)) return IndexArena::Linear{constant(0), e};
  Sum coefficient, rest;
  for (const Term& term : toSum(e)) {
    if (!dependsOn(term.monomial, symbol)) {
      rest.push_back(term);
      continue;
    }
    IndexExpr linearFactor;
    for (const IndexExpr factor : factors(term.monomial)) {
      if (!dependsOn(factor, symbol)) continue;
      if (linearFactor.valid()) return std::nullopt;
      linearFactor = factor;
    }
    const Sum others{{term.coefficient, *divideMonomial(term.monomial, linearFactor)}};
    const auto inner = linearAtom(linearFactor, symbol);
    if (!inner) return std::nullopt;
    coefficient = addSums(coefficient, mulSums(others, toSum(inner->coefficient)));
    rest = addSums(rest, mulSums(others, toSum(inner->rest)));
  }
  return IndexArena::Linear{fromSum(std::move(coefficient)), fromSum(std::move(rest))};
}

std::optional<IndexArena::Linear> Algebra::linearAtom(IndexExpr atom, IndexExpr symbol) {
  if (atom == symbol) return IndexArena::Linear{constant(1), constant(0)};
  const std::vector<IndexExpr> operands = node(atom).operands;
  if (node(atom).kind != ExprKind::Select || dependsOn(operands[0], symbol)) return std::nullopt;
  const auto a = linearIn(operands[1], symbol), b = linearIn(operands[2], symbol);
  if (!a || !b) return std::nullopt;
  return IndexArena::Linear{select(operands[0], a->coefficient, b->coefficient), select(operands[0], a->rest, b->rest)};
}

}  // namespace braid::index
