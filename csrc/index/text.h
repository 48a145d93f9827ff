#pragma once
// The text of index expressions: one grammar for extents, index expressions, schedules and command-line values.
//
//   condition  = conjunct { "||" conjunct }            (only where conditions are allowed)
//   conjunct   = comparison { "&&" comparison }
//   comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//   sum        = product { ("+" | "-") product }
//   product    = unary { ("*" | "//" | "%") unary }
//   unary      = "-" unary | "!" unary | primary
//   primary    = integer | name | "(" condition ")" | "min" "(" list ")" | "max" "(" list ")"
//              | "select" "(" condition "," condition "," condition ")"
//
// A name is a letter or `_` followed by letters, digits, `_`, `.`. White space and `#` comments separate tokens.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/expr.h"
#include "index/extent.h"

namespace braid::index {

/// What was written, before anything is simplified. A subtraction, a `<=` and the like are rewritten to the kinds there
/// are.
struct SyntaxTree {
  ExprKind kind = ExprKind::Constant;
  int64_t constant = 0;
  std::string name;
  std::vector<SyntaxTree> operands;
  bool operator==(const SyntaxTree&) const = default;
  std::strong_ordering operator<=>(const SyntaxTree& other) const;
};

enum class Grammar { Extent, Expression };

/// Reads one expression that starts at `position` (white space may precede it) and moves `position` behind its last
/// token. Throws Error(Parse) with line and column in `text` and what was expected.
SyntaxTree parseSyntaxPrefix(std::string_view text, size_t& position, Grammar grammar);
/// The same for a text that holds nothing else.
SyntaxTree parseSyntax(std::string_view text, Grammar grammar);

/// The text of a tree; parses back to an equal expression. Parentheses only where needed.
std::string printSyntax(const SyntaxTree& tree);

/// The extent that starts at `position`; stops behind it, so that the caller reads on.
Extent parseExtentPrefix(std::string_view text, size_t& position);

/// An extent as a tree, and the canonical extent of a tree without selects and conditions.
SyntaxTree treeOf(const Extent& extent);
Extent extentOf(const SyntaxTree& tree);

/// "line:column" of a position, both from 1.
std::string lineAndColumn(std::string_view text, size_t position);

}  // namespace braid::index
