#pragma once
// Index expressions: very many and very shared, hence hash-consed in an arena that one compile owns.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/extent.h"

namespace braid::index {

/// A handle; inside one arena equal handles are equal expressions (up to what the simplifier proves).
struct IndexExpr {
  uint32_t id = UINT32_MAX;
  bool valid() const { return id != UINT32_MAX; }
  auto operator<=>(const IndexExpr&) const = default;
};

enum class ExprKind : uint8_t {
  Constant,
  Symbol,
  Add,       // any number of operands, canonical order, at most one constant
  Mul,       // any number of operands, canonical order, at most one constant (in front)
  FloorDiv,  // rounds down
  Mod,       // a - b * (a // b)
  Min,
  Max,
  Select,  // operands: condition, value where true, value where false
  // conditions: 0 or 1
  Less,   // a < b
  Equal,  // a == b
  And,    // any number of operands
  Or,     // any number of operands
  Not,
};

/// Inclusive bounds; an absent bound is unknown. An empty range (lo > hi) says that the value never exists.
struct Range {
  std::optional<int64_t> lo, hi;
  bool operator==(const Range&) const = default;
};

/// What is known of a symbol before any expression uses it.
struct SymbolFacts {
  Range range;                              ///< constant bounds
  std::optional<IndexExpr> exclusiveUpper;  ///< symbol < this, for a loop variable of a symbolic extent
  int64_t divisor = 1;                      ///< symbol % divisor == 0
};

/// Owns the expressions of one compile. Builders return canonical, simplified expressions: building *is* simplifying,
/// so rebuilding an expression from its parts gives the same handle (the rewrite is idempotent). Nothing here is
/// thread-safe; nothing is shared between arenas.
///
/// Canonical form: sums of products with integer coefficients, products distributed over sums. The rules (each proved
/// in docs/math.md and tested against brute force) need *proved* facts: a rule about division needs a positive divisor,
/// since an extent may be 0 and an index may be negative.
class IndexArena {
 public:
  IndexArena();
  ~IndexArena();
  IndexArena(IndexArena&&) noexcept;
  IndexArena& operator=(IndexArena&&) noexcept;

  IndexExpr constant(int64_t value);
  /// Declares a symbol with its facts, or finds it again. Declaring it twice with different facts is an internal error.
  IndexExpr symbol(std::string_view name, const SymbolFacts& facts = {});
  /// A loop variable: 0 <= symbol < extent.
  IndexExpr loopVariable(std::string_view name, IndexExpr extent);
  /// The symbol with that name, if it was declared.
  std::optional<IndexExpr> findSymbol(std::string_view name) const;

  IndexExpr add(IndexExpr a, IndexExpr b);
  IndexExpr sub(IndexExpr a, IndexExpr b);
  IndexExpr mul(IndexExpr a, IndexExpr b);
  IndexExpr add(IndexExpr a, int64_t b) { return add(a, constant(b)); }
  IndexExpr sub(IndexExpr a, int64_t b) { return sub(a, constant(b)); }
  IndexExpr mul(IndexExpr a, int64_t b) { return mul(a, constant(b)); }
  IndexExpr floorDiv(IndexExpr a, IndexExpr b);
  IndexExpr mod(IndexExpr a, IndexExpr b);
  IndexExpr ceilDiv(IndexExpr a, IndexExpr b);  ///< for a positive b
  IndexExpr min(IndexExpr a, IndexExpr b);
  IndexExpr max(IndexExpr a, IndexExpr b);
  IndexExpr select(IndexExpr condition, IndexExpr whenTrue, IndexExpr whenFalse);
  IndexExpr less(IndexExpr a, IndexExpr b);
  IndexExpr lessEqual(IndexExpr a, IndexExpr b);  ///< as less(a, b + 1)
  IndexExpr equal(IndexExpr a, IndexExpr b);
  IndexExpr logicalAnd(IndexExpr a, IndexExpr b);
  IndexExpr logicalOr(IndexExpr a, IndexExpr b);
  IndexExpr logicalNot(IndexExpr a);
  IndexExpr truth(bool value) { return constant(value ? 1 : 0); }

  ExprKind kind(IndexExpr e) const;
  std::span<const IndexExpr> operands(IndexExpr e) const;
  std::optional<int64_t> asConstant(IndexExpr e) const;
  bool isConstant(IndexExpr e, int64_t value) const { return asConstant(e) == value; }
  const std::string& symbolName(IndexExpr e) const;
  const SymbolFacts& symbolFacts(IndexExpr e) const;

  /// The tightest bounds the arena can prove.
  Range range(IndexExpr e) const;
  /// A number that divides e whatever the symbols are; 0 only for the constant 0.
  int64_t divisor(IndexExpr e) const;
  bool isDivisibleBy(IndexExpr e, int64_t n) const;
  bool provedNonNegative(IndexExpr e) const;
  bool provedPositive(IndexExpr e) const;
  /// True only when a < b in every case; uses symbolic upper bounds too (t < T, so t + 1 <= T).
  bool provedLess(IndexExpr a, IndexExpr b);
  bool provedLessEqual(IndexExpr a, IndexExpr b);
  bool provedEqual(IndexExpr a, IndexExpr b);

  bool dependsOn(IndexExpr e, IndexExpr symbol) const;
  /// Every symbol in e, in order of declaration.
  std::vector<IndexExpr> symbolsOf(IndexExpr e) const;
  /// Simultaneous replacement of symbols, rebuilt and so simplified.
  IndexExpr substitute(IndexExpr e, std::span<const std::pair<IndexExpr, IndexExpr>> replacements);
  /// e as `coefficient * symbol + rest` with a rest and coefficient that do not depend on the symbol, if it is linear.
  struct Linear {
    IndexExpr coefficient, rest;
  };
  std::optional<Linear> linearIn(IndexExpr e, IndexExpr symbol);

  /// An extent as an expression. Its symbols are declared as sizes (>= 0) unless they already are.
  IndexExpr import(const Extent& extent);
  /// Back again; only for expressions an extent can hold (no select, no condition).
  Extent toExtent(IndexExpr e) const;

  /// Reads C-like text `(a * 8 + b) // 8`, `select(a < 4, a, b)`, `a < b && !(c == d)`. Unknown symbols are declared
  /// without facts.
  IndexExpr parse(std::string_view text);
  std::string text(IndexExpr e) const;
  /// How many expressions there are; handles are 0 … size - 1, operands before users.
  size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Expressions frozen for run time: needs no arena and no lock, may be evaluated by many threads at once.
class FlatProgram {
 public:
  FlatProgram() = default;
  /// Results come in the order of `results`. Symbols are looked up by name in `inputs`, which fixes their slots.
  FlatProgram(const IndexArena& arena, std::span<const IndexExpr> results, std::vector<std::string> inputs);

  const std::vector<std::string>& inputs() const { return inputs_; }
  /// One value for each input, in order. Division by zero gives 0, since only empty parts divide by an extent of 0.
  /// Throws Error(InvalidExtent) when 64 bits overflow.
  std::vector<int64_t> evaluate(std::span<const int64_t> inputs) const;
  /// Bounds of every *intermediate* value when each input lies in [lo, hi]: what 32-bit arithmetic must be able to
  /// hold.
  Range intermediateBounds(std::span<const Range> inputs) const;

 private:
  struct Step {
    ExprKind kind;
    int64_t constant;  // the value of a constant, the slot of a symbol
    std::vector<uint32_t> operands;
  };
  std::vector<std::string> inputs_;
  std::vector<Step> steps_;
  std::vector<uint32_t> results_;
};

}  // namespace braid::index
