// IndexArena: the public face of the algebra.

#include <algorithm>

#include "base/check.h"
#include "index/algebra.h"
#include "index/checked.h"
#include "index/expr.h"
#include "index/text.h"

namespace braid::index {

struct IndexArena::Impl : Algebra {};

IndexArena::IndexArena() : impl_(std::make_unique<Impl>()) {}
IndexArena::~IndexArena() = default;
IndexArena::IndexArena(IndexArena&&) noexcept = default;
IndexArena& IndexArena::operator=(IndexArena&&) noexcept = default;

IndexExpr IndexArena::constant(int64_t value) { return impl_->constant(value); }
IndexExpr IndexArena::symbol(std::string_view name, const SymbolFacts& facts) { return impl_->symbol(name, facts); }
IndexExpr IndexArena::loopVariable(std::string_view name, IndexExpr extent) {
  return impl_->symbol(name, {.range = {0, std::nullopt}, .exclusiveUpper = extent, .divisor = 1});
}
std::optional<IndexExpr> IndexArena::findSymbol(std::string_view name) const { return impl_->findSymbol(name); }

IndexExpr IndexArena::add(IndexExpr a, IndexExpr b) { return impl_->add(a, b); }
IndexExpr IndexArena::sub(IndexExpr a, IndexExpr b) { return impl_->sub(a, b); }
IndexExpr IndexArena::mul(IndexExpr a, IndexExpr b) { return impl_->mul(a, b); }
IndexExpr IndexArena::floorDiv(IndexExpr a, IndexExpr b) { return impl_->floorDiv(a, b); }
IndexExpr IndexArena::mod(IndexExpr a, IndexExpr b) { return impl_->mod(a, b); }
IndexExpr IndexArena::ceilDiv(IndexExpr a, IndexExpr b) { return floorDiv(add(a, sub(b, 1)), b); }
IndexExpr IndexArena::min(IndexExpr a, IndexExpr b) { return impl_->minimum(a, b); }
IndexExpr IndexArena::max(IndexExpr a, IndexExpr b) { return impl_->maximum(a, b); }
IndexExpr IndexArena::select(IndexExpr condition, IndexExpr whenTrue, IndexExpr whenFalse) {
  return impl_->select(condition, whenTrue, whenFalse);
}
IndexExpr IndexArena::less(IndexExpr a, IndexExpr b) { return impl_->less(a, b); }
IndexExpr IndexArena::lessEqual(IndexExpr a, IndexExpr b) { return less(a, add(b, 1)); }
IndexExpr IndexArena::equal(IndexExpr a, IndexExpr b) { return impl_->equal(a, b); }
IndexExpr IndexArena::logicalAnd(IndexExpr a, IndexExpr b) { return impl_->logicalAnd(a, b); }
IndexExpr IndexArena::logicalOr(IndexExpr a, IndexExpr b) { return impl_->logicalOr(a, b); }
IndexExpr IndexArena::logicalNot(IndexExpr a) { return impl_->logicalNot(a); }

ExprKind IndexArena::kind(IndexExpr e) const { return impl_->node(e).kind; }
std::span<const IndexExpr> IndexArena::operands(IndexExpr e) const { return impl_->node(e).operands; }
std::optional<int64_t> IndexArena::asConstant(IndexExpr e) const { return impl_->asConstant(e); }
const std::string& IndexArena::symbolName(IndexExpr e) const {
  BRAID_CHECK(kind(e) == ExprKind::Symbol, "{} is no symbol", text(e));
  return impl_->symbolOf(e).name;
}
const SymbolFacts& IndexArena::symbolFacts(IndexExpr e) const {
  BRAID_CHECK(kind(e) == ExprKind::Symbol, "{} is no symbol", text(e));
  return impl_->symbolOf(e).facts;
}

Range IndexArena::range(IndexExpr e) const { return impl_->node(e).range; }
int64_t IndexArena::divisor(IndexExpr e) const { return impl_->node(e).divisor; }
bool IndexArena::isDivisibleBy(IndexExpr e, int64_t n) const { return n > 0 && divisor(e) % n == 0; }
bool IndexArena::provedNonNegative(IndexExpr e) const {
  return impl_->provedNonNegative(impl_->toSum(e), impl_->contextOf({e}));
}
bool IndexArena::provedPositive(IndexExpr e) const { return impl_->provedPositive(e, impl_->contextOf({e})); }
bool IndexArena::provedLess(IndexExpr a, IndexExpr b) { return impl_->isConstant(less(a, b), 1); }
bool IndexArena::provedLessEqual(IndexExpr a, IndexExpr b) { return impl_->isConstant(less(b, a), 0); }
bool IndexArena::provedEqual(IndexExpr a, IndexExpr b) { return impl_->isConstant(equal(a, b), 1); }

bool IndexArena::dependsOn(IndexExpr e, IndexExpr symbol) const { return impl_->dependsOn(e, symbol); }
std::vector<IndexExpr> IndexArena::symbolsOf(IndexExpr e) const {
  std::vector<IndexExpr> result;
  for (const uint32_t position : impl_->node(e).symbols) result.push_back(impl_->symbolAt(position).expr);
  return result;
}

IndexExpr IndexArena::substitute(IndexExpr e, std::span<const std::pair<IndexExpr, IndexExpr>> replacements) {
  std::unordered_map<uint32_t, IndexExpr> memo;
  for (const auto& [symbol, replacement] : replacements) {
    BRAID_CHECK(kind(symbol) == ExprKind::Symbol, "only symbols are replaced, not {}", text(symbol));
    memo.emplace(symbol.id, replacement);
  }
  return impl_->substitute(e, memo);
}

std::optional<IndexArena::Linear> IndexArena::linearIn(IndexExpr e, IndexExpr symbol) {
  return impl_->linearIn(e, symbol);
}

IndexExpr IndexArena::import(const Extent& extent) {
  if (const auto known = extent.asConstant()) return constant(*known);
  return impl_->build(treeOf(extent), {.range = {0, std::nullopt}, .exclusiveUpper = std::nullopt, .divisor = 1});
}
Extent IndexArena::toExtent(IndexExpr e) const {
  const SyntaxTree tree = impl_->toTree(e);
  return extentOf(tree);
}

IndexExpr IndexArena::parse(std::string_view text) { return impl_->build(parseSyntax(text, Grammar::Expression), {}); }
std::string IndexArena::text(IndexExpr e) const { return printSyntax(impl_->toTree(e)); }
size_t IndexArena::size() const { return impl_->size(); }

}  // namespace braid::index
