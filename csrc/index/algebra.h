#pragma once
// Private to index/: the table of hash-consed expressions, and the simplifier that builds them.
//
// A *sum* is a list of terms, coefficient times monomial; a monomial is itself an expression: the constant 1, an atom,
// or a product of atoms without a constant. An *atom* is anything but a constant, a sum or a product. Everything the
// simplifier proves, it proves on sums.

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/expr.h"
#include "index/interval.h"

namespace braid::index {

struct SyntaxTree;

struct Term {
  int64_t coefficient = 0;
  IndexExpr monomial;
  bool operator==(const Term&) const = default;
};
/// Sorted by monomial, constants last, no coefficient is 0.
using Sum = std::vector<Term>;

/// What is known because certain symbols exist: a loop variable t of extent T that exists has t < T, hence T >= 1.
/// A proof about an expression may use the facts of every symbol in it, and of no other symbol.
struct LowerBound {
  IndexExpr atom;
  int64_t lo = 0;
};
using Context = std::vector<LowerBound>;

class Algebra {
 public:
  Algebra();

  struct Node {
    ExprKind kind = ExprKind::Constant;
    bool hasSymbolicBound = false;  // a symbol, a remainder or a quotient in it has a bound that is not a constant
    bool hasExactQuotient = false;  // a factor is x // c where c divides x
    int64_t constant = 0;           // a constant's value, a symbol's position in symbols_
    int64_t divisor = 1;
    Range range;
    Term term;  // of a constant, an atom or a product
    std::vector<IndexExpr> operands;
    std::vector<uint32_t> symbols;  // sorted positions
  };
  struct Symbol {
    std::string name;
    SymbolFacts facts;
    IndexExpr expr;
    Context implied;
  };

  // --- arena.cpp: the table
  const Node& node(IndexExpr e) const { return nodes_[e.id]; }
  size_t size() const { return nodes_.size(); }
  IndexExpr constant(int64_t value);
  IndexExpr symbol(std::string_view name, const SymbolFacts& facts);
  std::optional<IndexExpr> findSymbol(std::string_view name) const;
  const Symbol& symbolAt(uint32_t position) const { return symbols_[position]; }
  const Symbol& symbolOf(IndexExpr e) const { return symbols_[static_cast<size_t>(node(e).constant)]; }
  std::optional<int64_t> asConstant(IndexExpr e) const;
  bool isConstant(IndexExpr e, int64_t value) const { return asConstant(e) == value; }
  /// The expression with exactly these operands, found or made; a kind other than Constant and Symbol. One that has
  /// only one value is that constant.
  IndexExpr intern(ExprKind kind, std::vector<IndexExpr> operands);
  IndexExpr one() const { return one_; }
  /// A total order on atoms that follows declaration order of symbols and does not depend on what was built before.
  std::strong_ordering compare(IndexExpr a, IndexExpr b) const;
  std::strong_ordering compareMonomials(IndexExpr a, IndexExpr b) const;

  // --- sum.cpp: polynomials
  Sum toSum(IndexExpr e) const;
  /// The canonical expression of a sum; applies the rules for sums.
  IndexExpr fromSum(Sum sum);
  std::span<const IndexExpr> factors(const IndexExpr& monomial) const;
  IndexExpr monomialOf(std::vector<IndexExpr> factors);
  IndexExpr termExpr(const Term& term);
  Sum addSums(const Sum& a, const Sum& b, int64_t scaleOfB = 1) const;
  Sum scaleSum(const Sum& a, int64_t scale) const;
  Sum mulSums(const Sum& a, const Sum& b);
  void sortTerms(Sum& sum) const;
  static Sum constantSum(int64_t value, IndexExpr one) { return value == 0 ? Sum{} : Sum{{value, one}}; }
  Sum constantSum(int64_t value) const { return constantSum(value, one_); }
  std::optional<int64_t> asConstant(const Sum& sum) const;
  Range rangeOf(const Sum& sum) const;
  /// a / b of monomials, if b's factors are among a's.
  std::optional<IndexExpr> divideMonomial(IndexExpr a, IndexExpr b);
  IndexExpr commonMonomial(IndexExpr a, IndexExpr b);
  /// term / by where that is exact for every value of the symbols.
  std::optional<Term> divideTerm(const Term& term, const Term& by);

  // --- rules
  IndexExpr add(IndexExpr a, IndexExpr b);  // rules_add.cpp
  IndexExpr sub(IndexExpr a, IndexExpr b);
  IndexExpr negate(IndexExpr a);
  IndexExpr addConstant(IndexExpr a, int64_t b);
  IndexExpr mul(IndexExpr a, IndexExpr b);       // rules_mul.cpp
  IndexExpr floorDiv(IndexExpr a, IndexExpr b);  // rules_divmod.cpp
  IndexExpr mod(IndexExpr a, IndexExpr b);
  IndexExpr minimum(IndexExpr a, IndexExpr b);  // rules_minmax.cpp
  IndexExpr maximum(IndexExpr a, IndexExpr b);
  IndexExpr select(IndexExpr c, IndexExpr whenTrue, IndexExpr whenFalse);  // rules_select.cpp
  IndexExpr less(IndexExpr a, IndexExpr b);                                // rules_condition.cpp
  IndexExpr equal(IndexExpr a, IndexExpr b);
  IndexExpr logicalAnd(IndexExpr a, IndexExpr b);
  IndexExpr logicalOr(IndexExpr a, IndexExpr b);
  IndexExpr logicalNot(IndexExpr a);
  /// q with a == q * b as polynomials.
  std::optional<IndexExpr> exactQuotient(IndexExpr a, IndexExpr b);
  /// The canonical expression of `kind` on rewritten operands.
  IndexExpr rebuild(ExprKind kind, std::span<const IndexExpr> operands);
  IndexExpr substitute(IndexExpr e, std::unordered_map<uint32_t, IndexExpr>& memo);

  bool dependsOn(IndexExpr e, IndexExpr symbol) const;
  std::optional<IndexArena::Linear> linearIn(IndexExpr e, IndexExpr symbol);

  // --- trees.cpp
  /// A symbol that is not declared yet is declared with these facts.
  IndexExpr build(const SyntaxTree& tree, const SymbolFacts& factsOfUnknown);
  SyntaxTree toTree(IndexExpr e) const;

  // --- proofs.cpp
  Context contextOf(std::initializer_list<IndexExpr> exprs) const;
  /// A constant that the sum never falls below, if one is found.
  std::optional<int64_t> lowerBound(const Sum& sum, const Context& context);
  bool provedNonNegative(const Sum& sum, const Context& context);
  bool provedPositive(IndexExpr e, const Context& context);
  bool provedLessEqual(IndexExpr a, IndexExpr b, const Context& context);
  /// k with k * n <= sum < (k + 1) * n always, for a positive n.
  std::optional<int64_t> constantQuotient(const Sum& sum, const Sum& n, const Context& context);
  /// Whether condition a being 1 makes condition b 1.
  bool implies(IndexExpr a, IndexExpr b);

 private:
  friend class Proof;
  IndexExpr insert(Node node);
  size_t hashOf(ExprKind kind, int64_t constant, std::span<const IndexExpr> operands) const;
  void grow();
  /// As intern, but never a constant: what a term holds is a monomial.
  IndexExpr internProduct(ExprKind kind, std::vector<IndexExpr> operands);
  void tightenSum(IndexExpr e);
  void describe(Node& node);  // symbols, range, divisor, flags
  void describeRange(Node& node) const;
  void describeDivisor(Node& node) const;
  void deriveLowerBounds(IndexExpr atLeast, int64_t lo, Context& facts) const;

  bool foldSingleValues(Sum& sum) const;  // rules_add.cpp
  bool simplifyQuotientTerms(Sum& sum);   // rules_add.cpp
  bool joinQuotientAndRemainder(Sum& sum);
  bool joinPair(Sum& sum, size_t remainderTerm, IndexExpr remainder);

  struct Reduced {
    Sum quotient, remainder;
  };
  Reduced reduceBy(const Sum& a, const Sum& n, const Context& context);
  Reduced divideLong(const Sum& a, const Sum& n, const Context& context);
  struct Split {
    Sum multiple, rest;
  };
  std::optional<Split> splitBy(const Sum& sum, const Term& factor, const Context& context);
  std::optional<Split> findSmallRest(const Sum& sum, const Sum& n, const Context& context);
  std::optional<Term> commonFactor(const Sum& sum, const Sum& n, const Context& context);
  std::vector<Term> factorCandidates(const Sum& sum, const Term* content);
  Term contentOf(const Sum& n);
  Sum divideSum(const Sum& sum, const Term& by);
  IndexExpr floorDivUncached(IndexExpr a, IndexExpr b);
  IndexExpr floorDivIn(const Sum& a, const Sum& n, const Context& context);
  IndexExpr modIn(const Sum& a, const Sum& n, const Context& context);
  IndexExpr floorDivReduced(Sum r, const Sum& n, const Context& context);
  IndexExpr modUncached(IndexExpr a, IndexExpr b);
  IndexExpr modReduced(Sum r, const Sum& n, const Context& context);
  Sum dropInnerRemainders(const Sum& sum, const Sum& n);

  IndexExpr extremum(ExprKind kind, IndexExpr a, IndexExpr b);
  IndexExpr lessThanZero(Sum e, const Context& context);
  IndexExpr compareSides(ExprKind kind, const Sum& e);
  IndexExpr junction(ExprKind kind, IndexExpr a, IndexExpr b);
  IndexExpr toCondition(IndexExpr e);
  bool isCondition(IndexExpr e) const;
  /// The sum that is negative exactly where this Less holds.
  Sum lessAsSum(IndexExpr less) const;
  /// `63 < d` does, `d < 64` does not.
  bool readsBackwards(IndexExpr less) const;

  std::optional<IndexArena::Linear> linearAtom(IndexExpr atom, IndexExpr symbol);

  std::optional<IndexExpr> remembered(ExprKind kind, IndexExpr a, IndexExpr b) const;
  IndexExpr remember(ExprKind kind, IndexExpr a, IndexExpr b, IndexExpr result);

  std::vector<Node> nodes_;
  std::vector<uint32_t> table_;  // open addressing, UINT32_MAX is free
  std::deque<Symbol> symbols_;
  std::unordered_map<std::string, uint32_t> symbolByName_;
  struct OperationHash {
    size_t operator()(const std::pair<uint64_t, uint32_t>& key) const {
      return std::hash<uint64_t>{}(key.first * 0x9E3779B97F4A7C15u ^ key.second);
    }
  };
  std::unordered_map<std::pair<uint64_t, uint32_t>, IndexExpr, OperationHash> memo_;
  IndexExpr one_;
};

}  // namespace braid::index
