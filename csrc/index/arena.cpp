// The table of expressions: hash-consing, declaration of symbols, and what each node knows of itself.

#include <algorithm>

#include "base/check.h"
#include "index/algebra.h"
#include "index/checked.h"

namespace braid::index {

Algebra::Algebra() : table_(256, UINT32_MAX) { one_ = constant(1); }

size_t Algebra::hashOf(ExprKind kind, int64_t constant, std::span<const IndexExpr> operands) const {
  uint64_t hash = static_cast<uint64_t>(kind) * 0x9E3779B97F4A7C15u ^ static_cast<uint64_t>(constant);
  for (const IndexExpr e : operands) hash = (hash ^ e.id) * 0xD6E8FEB86659FD93u ^ (hash >> 29);
  return (hash ^ (hash >> 32)) * 0x9E3779B97F4A7C15u >> 7;
}

void Algebra::grow() {
  std::vector<uint32_t> larger(table_.size() * 2, UINT32_MAX);
  for (uint32_t id = 0; id < nodes_.size(); ++id) {
    size_t slot = hashOf(nodes_[id].kind, nodes_[id].constant, nodes_[id].operands) & (larger.size() - 1);
    while (larger[slot] != UINT32_MAX) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = id;
  }
  table_ = std::move(larger);
}

IndexExpr Algebra::insert(Node node) {
  if (nodes_.size() * 2 >= table_.size()) grow();
  size_t slot = hashOf(node.kind, node.constant, node.operands) & (table_.size() - 1);
  for (; table_[slot] != UINT32_MAX; slot = (slot + 1) & (table_.size() - 1)) {
    const Node& other = nodes_[table_[slot]];
    if (other.kind == node.kind && other.constant == node.constant && other.operands == node.operands)
      return {table_[slot]};
  }
  const IndexExpr result{static_cast<uint32_t>(nodes_.size())};
  table_[slot] = result.id;
  node.term = {1, result};
  if (node.kind == ExprKind::Constant) node.term = {node.constant, one_.valid() ? one_ : result};
  describe(node);
  nodes_.push_back(std::move(node));
  return result;
}

IndexExpr Algebra::constant(int64_t value) {
  Node node;
  node.constant = value;
  return insert(std::move(node));
}

IndexExpr Algebra::intern(ExprKind kind, std::vector<IndexExpr> operands) {
  const IndexExpr result = internProduct(kind, std::move(operands));
  const Range& range = node(result).range;
  return range.lo && range.lo == range.hi ? constant(*range.lo) : result;
}

IndexExpr Algebra::internProduct(ExprKind kind, std::vector<IndexExpr> operands) {
  Node node;
  node.kind = kind;
  node.operands = std::move(operands);
  const bool scaled = kind == ExprKind::Mul && this->node(node.operands[0]).kind == ExprKind::Constant;
  if (!scaled) {
    const size_t before = nodes_.size();
    const IndexExpr result = insert(std::move(node));
    if (kind == ExprKind::Add && nodes_.size() > before) tightenSum(result);
    return result;
  }
  const int64_t coefficient = this->node(node.operands[0]).constant;
  const IndexExpr monomial = monomialOf({node.operands.begin() + 1, node.operands.end()});
  const IndexExpr result = insert(std::move(node));
  nodes_[result.id].term = {coefficient, monomial};
  return result;
}

std::optional<int64_t> Algebra::asConstant(IndexExpr e) const {
  const Node& n = node(e);
  return n.kind == ExprKind::Constant ? std::optional(n.constant) : std::nullopt;
}

std::optional<IndexExpr> Algebra::findSymbol(std::string_view name) const {
  const auto found = symbolByName_.find(std::string(name));
  return found == symbolByName_.end() ? std::nullopt : std::optional(symbols_[found->second].expr);
}

IndexExpr Algebra::symbol(std::string_view name, const SymbolFacts& facts) {
  if (const auto found = symbolByName_.find(std::string(name)); found != symbolByName_.end()) {
    const Symbol& known = symbols_[found->second];
    BRAID_CHECK(known.facts.range == facts.range && known.facts.exclusiveUpper == facts.exclusiveUpper &&
                    known.facts.divisor == facts.divisor,
                "symbol {} is declared twice with different facts", name);
    return known.expr;
  }
  const auto position = static_cast<uint32_t>(symbols_.size());
  symbols_.push_back({std::string(name), facts, {}, {}});
  symbolByName_.emplace(std::string(name), position);
  Node node;
  node.kind = ExprKind::Symbol;
  node.constant = position;
  const IndexExpr expr = insert(std::move(node));
  Symbol& declared = symbols_.back();
  declared.expr = expr;
  if (facts.exclusiveUpper && facts.range.lo) {
    // symbol < upper and symbol >= lo, so whenever the symbol exists, upper >= lo + 1.
    if (const auto atLeast = tryAdd(*facts.range.lo, 1))
      deriveLowerBounds(*facts.exclusiveUpper, *atLeast, declared.implied);
    for (const uint32_t other : this->node(*facts.exclusiveUpper).symbols)
      declared.implied.insert(declared.implied.end(), symbols_[other].implied.begin(), symbols_[other].implied.end());
  }
  return expr;
}

/// Terms of both signs may bound each other: T - t - 1 >= 0 for t < T.
void Algebra::tightenSum(IndexExpr e) {
  const Range range = node(e).range;
  const bool wantsLo = !range.lo || *range.lo < 0;
  if (!node(e).hasSymbolicBound || (!wantsLo && range.hi)) return;
  const Sum sum = toSum(e);
  const bool grows = std::any_of(sum.begin(), sum.end(), [](const Term& term) { return term.coefficient > 0; });
  const bool falls = std::any_of(sum.begin(), sum.end(), [](const Term& term) { return term.coefficient < 0; });
  if (!grows || !falls) return;
  const Context context = contextOf({e});
  Range tight = range;
  if (wantsLo) tight.lo = lowerBound(sum, context);
  if (!range.hi) {
    if (const auto negated = lowerBound(scaleSum(sum, -1), context)) tight.hi = trySub(0, *negated);
  }
  nodes_[e.id].range = tight;
}

void Algebra::describe(Node& node) {
  if (node.kind == ExprKind::Symbol) {
    node.symbols = {static_cast<uint32_t>(node.constant)};
    const SymbolFacts& facts = symbols_[static_cast<size_t>(node.constant)].facts;
    node.hasSymbolicBound = facts.exclusiveUpper && !asConstant(*facts.exclusiveUpper);
  }
  for (const IndexExpr e : node.operands) {
    const Node& operand = nodes_[e.id];
    std::vector<uint32_t> all;
    std::set_union(node.symbols.begin(), node.symbols.end(), operand.symbols.begin(), operand.symbols.end(),
                   std::back_inserter(all));
    node.symbols = std::move(all);
    node.hasSymbolicBound |= operand.hasSymbolicBound;
    node.hasExactQuotient |= operand.hasExactQuotient;
  }
  if (node.kind == ExprKind::FloorDiv) {
    const auto divisor = asConstant(node.operands[1]);
    node.hasExactQuotient = divisor && *divisor > 0 && nodes_[node.operands[0].id].divisor % *divisor == 0;
    node.hasSymbolicBound = true;
  } else if (node.kind == ExprKind::Mod || node.kind == ExprKind::Min || node.kind == ExprKind::Max) {
    node.hasSymbolicBound = true;
  }
  if (node.kind != ExprKind::Mul && node.kind != ExprKind::FloorDiv) node.hasExactQuotient = false;
  describeDivisor(node);
  describeRange(node);
}

void Algebra::describeRange(Node& node) const {
  const auto operand = [&](size_t i) -> const Range& { return nodes_[node.operands[i].id].range; };
  const auto fold = [&](auto&& combine) {
    Range result = operand(0);
    for (size_t i = 1; i < node.operands.size(); ++i) result = combine(result, operand(i));
    return result;
  };
  switch (node.kind) {
    case ExprKind::Constant:
      node.range = exactly(node.constant);
      break;
    case ExprKind::Symbol: {
      const SymbolFacts& facts = symbols_[static_cast<size_t>(node.constant)].facts;
      node.range = facts.range;
      if (facts.exclusiveUpper)
        node.range =
            intersect(node.range, addRanges({std::nullopt, nodes_[facts.exclusiveUpper->id].range.hi}, exactly(-1)));
      break;
    }
    case ExprKind::Add:
      node.range = fold(addRanges);
      break;
    case ExprKind::Mul:
      node.range = fold(mulRanges);
      break;
    case ExprKind::FloorDiv:
      node.range = floorDivRanges(operand(0), operand(1));
      break;
    case ExprKind::Mod:
      node.range = modRanges(operand(0), operand(1));
      break;
    case ExprKind::Min:
      node.range = fold(minRanges);
      break;
    case ExprKind::Max:
      node.range = fold(maxRanges);
      break;
    case ExprKind::Select:
      node.range = hull(operand(1), operand(2));
      break;
    case ExprKind::Less:
    case ExprKind::Equal:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
      node.range = {0, 1};
      break;
  }
  if (node.divisor <= 1 || isEmpty(node.range)) return;
  // Only multiples of the divisor occur.
  if (node.range.lo) {
    if (const auto up = tryAdd(*node.range.lo, floorModulo(-floorModulo(*node.range.lo, node.divisor), node.divisor)))
      node.range.lo = up;
  }
  if (node.range.hi) {
    if (const auto down = trySub(*node.range.hi, floorModulo(*node.range.hi, node.divisor))) node.range.hi = down;
  }
}

void Algebra::describeDivisor(Node& node) const {
  const auto operand = [&](size_t i) { return nodes_[node.operands[i].id].divisor; };
  const auto common = [&](size_t first) {
    int64_t result = 0;
    for (size_t i = first; i < node.operands.size(); ++i) result = greatestCommonDivisor(result, operand(i));
    return result;
  };
  switch (node.kind) {
    case ExprKind::Constant:
      node.divisor = greatestCommonDivisor(node.constant, 0);
      break;
    case ExprKind::Symbol:
      node.divisor = symbols_[static_cast<size_t>(node.constant)].facts.divisor;
      break;
    case ExprKind::Add:
    case ExprKind::Min:
    case ExprKind::Max:
      node.divisor = common(0);
      break;
    case ExprKind::Select:
      node.divisor = common(1);
      break;
    case ExprKind::Mul:
      node.divisor = 1;
      // A product that does not fit is left out: a divisor of some factors divides the product too.
      for (size_t i = 0; i < node.operands.size(); ++i)
        if (const auto product = tryMul(node.divisor, operand(i))) node.divisor = *product;
      break;
    case ExprKind::FloorDiv: {
      const auto by = asConstant(node.operands[1]);
      node.divisor = by && *by > 0 && operand(0) % *by == 0 ? operand(0) / *by : 1;
      break;
    }
    case ExprKind::Mod:
      node.divisor = common(0);
      break;
    case ExprKind::Less:
    case ExprKind::Equal:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
      node.divisor = 1;
      break;
  }
}

std::strong_ordering Algebra::compare(IndexExpr a, IndexExpr b) const {
  if (a == b) return std::strong_ordering::equal;
  const Node &x = node(a), &y = node(b);
  // Expressions without a symbol come last, so that constants do.
  const uint32_t firstOfX = x.symbols.empty() ? UINT32_MAX : x.symbols[0];
  const uint32_t firstOfY = y.symbols.empty() ? UINT32_MAX : y.symbols[0];
  if (firstOfX != firstOfY) return firstOfX <=> firstOfY;
  if (x.kind != y.kind) return x.kind <=> y.kind;
  if (x.constant != y.constant) return x.constant <=> y.constant;
  for (size_t i = 0; i < std::min(x.operands.size(), y.operands.size()); ++i)
    if (const auto order = compare(x.operands[i], y.operands[i]); order != 0) return order;
  return x.operands.size() <=> y.operands.size();
}

std::strong_ordering Algebra::compareMonomials(IndexExpr a, IndexExpr b) const {
  if (a == b) return std::strong_ordering::equal;
  const auto x = factors(a), y = factors(b);
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (const auto order = compare(x[i], y[i]); order != 0) return order;
  return y.size() <=> x.size();  // the longer first, the constant last
}

std::optional<IndexExpr> Algebra::remembered(ExprKind kind, IndexExpr a, IndexExpr b) const {
  const auto found = memo_.find({uint64_t(a.id) << 32 | b.id, static_cast<uint32_t>(kind)});
  return found == memo_.end() ? std::nullopt : std::optional(found->second);
}

IndexExpr Algebra::remember(ExprKind kind, IndexExpr a, IndexExpr b, IndexExpr result) {
  memo_[{uint64_t(a.id) << 32 | b.id, static_cast<uint32_t>(kind)}] = result;
  return result;
}

}  // namespace braid::index
