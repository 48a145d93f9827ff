// Between trees as written and expressions in the table.

#include "base/check.h"
#include "index/algebra.h"
#include "index/text.h"

namespace braid::index {

IndexExpr Algebra::build(const SyntaxTree& tree, const SymbolFacts& factsOfUnknown) {
  if (tree.kind == ExprKind::Constant) return constant(tree.constant);
  if (tree.kind == ExprKind::Symbol) {
    const auto known = findSymbol(tree.name);
    return known ? *known : symbol(tree.name, factsOfUnknown);
  }
  std::vector<IndexExpr> operands;
  operands.reserve(tree.operands.size());
  for (const SyntaxTree& operand : tree.operands) operands.push_back(build(operand, factsOfUnknown));
  return rebuild(tree.kind, operands);
}

SyntaxTree Algebra::toTree(IndexExpr e) const {
  const Node& n = node(e);
  if (n.kind == ExprKind::Symbol) return {n.kind, 0, symbolOf(e).name, {}};
  SyntaxTree tree{n.kind, n.kind == ExprKind::Constant ? n.constant : 0, {}, {}};
  tree.operands.reserve(n.operands.size());
  for (const IndexExpr operand : n.operands) tree.operands.push_back(toTree(operand));
  return tree;
}

}  // namespace braid::index
