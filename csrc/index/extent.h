#pragma once
// Extents: symbolic integers as self-contained values. `ir/` holds these; a compile interns them into its IndexArena.

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace braid::index {

class IndexArena;
struct IndexExpr;
struct SyntaxTree;

/// An integer expression over named symbols with + - * // % min max, in canonical form and compared by content:
/// `F // 2 + (F - F // 2)` and `F` are the same extent. Small, immutable, cheap to copy; no arena and no lock behind
/// it.
/// `//` and `%` are floor division and its remainder.
class Extent {
 public:
  Extent() = default;
  Extent(int64_t constant) : constant_(constant) {}  // NOLINT: an integer is an extent
  static Extent symbol(const std::string& name);
  /// Reads `T * 2 + 1`; throws Error(Parse) with line and column.
  static Extent parse(std::string_view text);

  bool isConstant() const { return !node_; }
  /// The value, if this is a constant.
  std::optional<int64_t> asConstant() const { return node_ ? std::nullopt : std::optional(constant_); }
  bool is(int64_t value) const { return !node_ && constant_ == value; }
  /// The name, if this is a bare symbol.
  std::optional<std::string> asSymbol() const;
  /// Every symbol in it, sorted.
  std::vector<std::string> symbols() const;

  /// Parses back to an equal extent. Fully parenthesised only where needed.
  std::string text() const;
  /// The value under these bindings; throws Error(UnknownName) for an unbound symbol, Error(InvalidExtent) for a
  /// division by zero or an overflow of 64 bits.
  int64_t evaluate(const std::map<std::string, int64_t>& symbols) const;
  /// Each symbol replaced where the map has it.
  Extent substitute(const std::map<std::string, Extent>& symbols) const;

  friend Extent operator+(const Extent& a, const Extent& b);
  friend Extent operator-(const Extent& a, const Extent& b);
  friend Extent operator*(const Extent& a, const Extent& b);
  friend Extent floorDiv(const Extent& a, const Extent& b);
  friend Extent mod(const Extent& a, const Extent& b);
  friend Extent min(const Extent& a, const Extent& b);
  friend Extent max(const Extent& a, const Extent& b);

  bool operator==(const Extent& other) const;
  std::strong_ordering operator<=>(const Extent& other) const;
  size_t hash() const;

  struct Node;  // a canonical tree, shared between copies and never changed
 private:
  friend class IndexArena;
  friend SyntaxTree treeOf(const Extent& extent);
  friend Extent extentOf(const SyntaxTree& tree);
  explicit Extent(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

  int64_t constant_ = 0;
  std::shared_ptr<const Node> node_;  // null for a constant
};

Extent operator+(const Extent& a, const Extent& b);
Extent operator-(const Extent& a, const Extent& b);
Extent operator*(const Extent& a, const Extent& b);
Extent floorDiv(const Extent& a, const Extent& b);
Extent mod(const Extent& a, const Extent& b);
Extent min(const Extent& a, const Extent& b);
Extent max(const Extent& a, const Extent& b);

/// True when the two are equal whatever the symbols are (symbols of extents are ≥ 0).
bool mustEqual(const Extent& a, const Extent& b);
/// True when they differ whatever the symbols are.
bool mustDiffer(const Extent& a, const Extent& b);
/// q with a == q * b whatever the symbols are, found by dividing polynomials: (B * T * 768) by (B * T) is 768 although
/// B may be 0, where `//` keeps the division.
std::optional<Extent> exactQuotient(const Extent& a, const Extent& b);

}  // namespace braid::index

template <>
struct std::hash<braid::index::Extent> {
  size_t operator()(const braid::index::Extent& extent) const noexcept { return extent.hash(); }
};
