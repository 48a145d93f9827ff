#include "index/extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "index/algebra.h"
#include "index/checked.h"
#include "index/text.h"

namespace braid::index {

/// Canonical: what the simplifier makes of it where symbols are sizes, declared in the order of their names.
struct Extent::Node {
  SyntaxTree tree;
  std::vector<std::string> symbols;  // sorted
  size_t hash = 0;
};

namespace {

const SymbolFacts kSize{.range = {0, std::nullopt}, .exclusiveUpper = std::nullopt, .divisor = 1};

void collectSymbols(const SyntaxTree& tree, std::set<std::string>& names) {
  if (tree.kind == ExprKind::Symbol) names.insert(tree.name);
  for (const SyntaxTree& operand : tree.operands) collectSymbols(operand, names);
}

size_t hashTree(const SyntaxTree& tree) {
  uint64_t hash = static_cast<uint64_t>(tree.kind) * 31 + static_cast<uint64_t>(tree.constant);
  hash = hash * 0x9E3779B97F4A7C15u ^ std::hash<std::string>{}(tree.name);
  for (const SyntaxTree& operand : tree.operands) hash = hash * 0xD6E8FEB86659FD93u ^ hashTree(operand);
  return hash;
}

SyntaxTree constantTree(int64_t value) { return {ExprKind::Constant, value, {}, {}}; }

SyntaxTree combine(ExprKind kind, SyntaxTree a, SyntaxTree b) {
  SyntaxTree result{kind, 0, {}, {}};
  result.operands.push_back(std::move(a));
  result.operands.push_back(std::move(b));
  return result;
}

/// Declares the symbols in the order of their names, which makes the form depend on nothing but the content.
void declareSizes(Algebra& algebra, std::initializer_list<const SyntaxTree*> trees) {
  std::set<std::string> names;
  for (const SyntaxTree* tree : trees) collectSymbols(*tree, names);
  for (const std::string& name : names) algebra.symbol(name, kSize);
}

void refuseDivisionByZero(const SyntaxTree& tree, Algebra& algebra) {
  for (const SyntaxTree& operand : tree.operands) refuseDivisionByZero(operand, algebra);
  if (tree.kind != ExprKind::FloorDiv && tree.kind != ExprKind::Mod) return;
  if (algebra.isConstant(algebra.build(tree.operands[1], kSize), 0))
    throw Error(ErrorCode::InvalidExtent, fmt::format("the extent {} divides by zero", printSyntax(tree)));
}

int64_t evaluateTree(const SyntaxTree& tree, const std::map<std::string, int64_t>& symbols) {
  if (tree.kind == ExprKind::Constant) return tree.constant;
  if (tree.kind == ExprKind::Symbol) {
    const auto found = symbols.find(tree.name);
    if (found == symbols.end())
      throw Error(ErrorCode::UnknownName, fmt::format("the extent {} has no value", tree.name));
    return found->second;
  }
  int64_t result = evaluateTree(tree.operands[0], symbols);
  for (size_t i = 1; i < tree.operands.size(); ++i) {
    const int64_t operand = evaluateTree(tree.operands[i], symbols);
    const bool divides = tree.kind == ExprKind::FloorDiv || tree.kind == ExprKind::Mod;
    if (divides && operand == 0)
      throw Error(ErrorCode::InvalidExtent, fmt::format("the extent {} divides by zero", printSyntax(tree)));
    if (tree.kind == ExprKind::Add) result = checkedAdd(result, operand);
    if (tree.kind == ExprKind::Mul) result = checkedMul(result, operand);
    if (tree.kind == ExprKind::FloorDiv) result = floorDivide(result, operand);
    if (tree.kind == ExprKind::Mod) result = floorModulo(result, operand);
    if (tree.kind == ExprKind::Min) result = std::min(result, operand);
    if (tree.kind == ExprKind::Max) result = std::max(result, operand);
  }
  return result;
}

SyntaxTree replaceSymbols(const SyntaxTree& tree, const std::map<std::string, SyntaxTree>& replacements) {
  if (tree.kind == ExprKind::Symbol) {
    const auto found = replacements.find(tree.name);
    return found == replacements.end() ? tree : found->second;
  }
  SyntaxTree result{tree.kind, tree.constant, {}, {}};
  for (const SyntaxTree& operand : tree.operands) result.operands.push_back(replaceSymbols(operand, replacements));
  return result;
}

}  // namespace

SyntaxTree treeOf(const Extent& extent) {
  const auto constant = extent.asConstant();
  return constant ? constantTree(*constant) : extent.node_->tree;
}

Extent extentOf(const SyntaxTree& tree) {
  if (tree.kind == ExprKind::Constant) return Extent(tree.constant);
  Algebra algebra;
  declareSizes(algebra, {&tree});
  refuseDivisionByZero(tree, algebra);
  const IndexExpr e = algebra.build(tree, kSize);
  if (const auto constant = algebra.asConstant(e)) return Extent(*constant);
  auto node = std::make_shared<Extent::Node>();
  node->tree = algebra.toTree(e);
  std::set<std::string> names;
  collectSymbols(node->tree, names);
  node->symbols.assign(names.begin(), names.end());
  node->hash = hashTree(node->tree);
  return Extent(std::shared_ptr<const Extent::Node>(std::move(node)));
}

Extent Extent::symbol(const std::string& name) {
  auto node = std::make_shared<Node>();
  node->tree = {ExprKind::Symbol, 0, name, {}};
  node->symbols = {name};
  node->hash = hashTree(node->tree);
  return Extent(std::shared_ptr<const Node>(std::move(node)));
}

Extent Extent::parse(std::string_view text) { return extentOf(parseSyntax(text, Grammar::Extent)); }

Extent parseExtentPrefix(std::string_view text, size_t& position) {
  return extentOf(parseSyntaxPrefix(text, position, Grammar::Extent));
}

std::optional<std::string> Extent::asSymbol() const {
  if (!node_ || node_->tree.kind != ExprKind::Symbol) return std::nullopt;
  return node_->tree.name;
}

std::vector<std::string> Extent::symbols() const { return node_ ? node_->symbols : std::vector<std::string>{}; }

std::string Extent::text() const { return node_ ? printSyntax(node_->tree) : fmt::format("{}", constant_); }

int64_t Extent::evaluate(const std::map<std::string, int64_t>& symbols) const {
  return node_ ? evaluateTree(node_->tree, symbols) : constant_;
}

Extent Extent::substitute(const std::map<std::string, Extent>& symbols) const {
  if (!node_) return *this;
  std::map<std::string, SyntaxTree> trees;
  for (const std::string& name : node_->symbols)
    if (const auto found = symbols.find(name); found != symbols.end()) trees.emplace(name, treeOf(found->second));
  return trees.empty() ? *this : extentOf(replaceSymbols(node_->tree, trees));
}

Extent operator+(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return checkedAdd(a.constant_, b.constant_);
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return extentOf(combine(ExprKind::Add, treeOf(a), treeOf(b)));
}

Extent operator-(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return checkedSub(a.constant_, b.constant_);
  if (b.is(0)) return a;
  if (a == b) return 0;
  return extentOf(combine(ExprKind::Add, treeOf(a), combine(ExprKind::Mul, constantTree(-1), treeOf(b))));
}

Extent operator*(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return checkedMul(a.constant_, b.constant_);
  if (a.is(0) || b.is(0)) return 0;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return extentOf(combine(ExprKind::Mul, treeOf(a), treeOf(b)));
}

Extent floorDiv(const Extent& a, const Extent& b) {
  if (b.is(1)) return a;
  if (a.isConstant() && b.isConstant() && !b.is(0)) return floorDivide(a.constant_, b.constant_);
  return extentOf(combine(ExprKind::FloorDiv, treeOf(a), treeOf(b)));
}

Extent mod(const Extent& a, const Extent& b) {
  if (b.is(1)) return 0;
  if (a.isConstant() && b.isConstant() && !b.is(0)) return floorModulo(a.constant_, b.constant_);
  return extentOf(combine(ExprKind::Mod, treeOf(a), treeOf(b)));
}

Extent min(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return std::min(a.constant_, b.constant_);
  return a == b ? a : extentOf(combine(ExprKind::Min, treeOf(a), treeOf(b)));
}

Extent max(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return std::max(a.constant_, b.constant_);
  return a == b ? a : extentOf(combine(ExprKind::Max, treeOf(a), treeOf(b)));
}

bool Extent::operator==(const Extent& other) const {
  if (!node_ || !other.node_) return !node_ && !other.node_ && constant_ == other.constant_;
  return node_ == other.node_ || (node_->hash == other.node_->hash && node_->tree == other.node_->tree);
}

std::strong_ordering Extent::operator<=>(const Extent& other) const {
  if (!node_ && !other.node_) return constant_ <=> other.constant_;
  if (!node_ || !other.node_) return node_ ? std::strong_ordering::greater : std::strong_ordering::less;
  return node_ == other.node_ ? std::strong_ordering::equal : node_->tree <=> other.node_->tree;
}

size_t Extent::hash() const { return node_ ? node_->hash : std::hash<int64_t>{}(constant_); }

bool mustEqual(const Extent& a, const Extent& b) { return a == b || (!a.isConstant() && (a - b).is(0)); }

bool mustDiffer(const Extent& a, const Extent& b) {
  if (a.isConstant() && b.isConstant()) return a != b;
  if (a == b) return false;
  Algebra algebra;
  const SyntaxTree left = treeOf(a), right = treeOf(b);
  declareSizes(algebra, {&left, &right});
  return algebra.isConstant(algebra.equal(algebra.build(left, kSize), algebra.build(right, kSize)), 0);
}

std::optional<Extent> exactQuotient(const Extent& a, const Extent& b) {
  if (b.is(1)) return a;
  if (b.is(0)) return std::nullopt;
  Algebra algebra;
  const SyntaxTree left = treeOf(a), right = treeOf(b);
  declareSizes(algebra, {&left, &right});
  const auto quotient = algebra.exactQuotient(algebra.build(left, kSize), algebra.build(right, kSize));
  return quotient ? std::optional(extentOf(algebra.toTree(*quotient))) : std::nullopt;
}

}  // namespace braid::index
