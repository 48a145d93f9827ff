#include <fmt/format.h>

#include <algorithm>

#include "index/text.h"

namespace braid::index {

namespace {

/// How tightly a text binds; a part that binds less tightly than its place asks for gets parentheses.
enum Level { kOr, kAnd, kComparison, kSum, kProduct, kUnary, kPrimary };

std::string print(const SyntaxTree& tree, Level place);

bool isNegative(const SyntaxTree& term) {
  if (term.kind == ExprKind::Constant) return term.constant < 0;
  return term.kind == ExprKind::Mul && term.operands[0].kind == ExprKind::Constant && term.operands[0].constant < 0;
}

std::string printInteger(int64_t value) {
  if (value == INT64_MIN) return "(-9223372036854775807 - 1)";
  return fmt::format("{}", value);
}

std::string join(const std::vector<SyntaxTree>& operands, std::string_view separator, Level place) {
  std::string text;
  for (const SyntaxTree& operand : operands) {
    if (!text.empty()) text += separator;
    text += print(operand, place);
  }
  return text;
}

/// `b * T * 8`: the constant comes last. With `negate`, the text of minus the product.
std::string printProduct(const SyntaxTree& product, bool negate) {
  std::vector<SyntaxTree> factors = product.operands;
  int64_t coefficient = 1;
  if (factors[0].kind == ExprKind::Constant) {
    coefficient = factors[0].constant;
    factors.erase(factors.begin());
  }
  const bool minus = (coefficient < 0) != negate && coefficient != INT64_MIN;
  if (minus || negate)
    coefficient = coefficient == INT64_MIN ? coefficient : (coefficient < 0 ? -coefficient : coefficient);
  std::string text = minus ? "-" : "";
  // A minus binds tighter than `//`, so a quotient behind it needs its parentheses.
  text += print(factors[0], minus ? kUnary : kProduct);
  for (size_t i = 1; i < factors.size(); ++i) text += " * " + print(factors[i], kUnary);
  if (coefficient != 1) text += " * " + printInteger(coefficient);
  return text;
}

std::string printNegatedTerm(const SyntaxTree& term) {
  if (term.kind == ExprKind::Constant) return printInteger(-term.constant);
  return printProduct(term, true);
}

std::string printSum(const std::vector<SyntaxTree>& terms) {
  // `T - t`, not `-t + T`.
  const auto smallest = [](const SyntaxTree& term) {
    return term.kind == ExprKind::Constant ? term.constant == INT64_MIN
                                           : isNegative(term) && term.operands[0].constant == INT64_MIN;
  };
  const auto subtracts = [&](const SyntaxTree& term) { return isNegative(term) && !smallest(term); };
  auto first = std::find_if_not(terms.begin(), terms.end(), subtracts);
  if (first == terms.end()) first = terms.begin();
  std::string text = print(*first, kProduct);
  for (auto each = terms.begin(); each != terms.end(); ++each) {
    if (each == first) continue;
    text += subtracts(*each) ? " - " + printNegatedTerm(*each) : " + " + print(*each, kProduct);
  }
  return text;
}

std::pair<std::string, Level> printBare(const SyntaxTree& tree) {
  const std::vector<SyntaxTree>& operands = tree.operands;
  switch (tree.kind) {
    case ExprKind::Constant:
      return {printInteger(tree.constant), kUnary};
    case ExprKind::Symbol:
      return {tree.name, kPrimary};
    case ExprKind::Add:
      return {printSum(operands), kSum};
    case ExprKind::Mul:
      return {printProduct(tree, false), kProduct};
    case ExprKind::FloorDiv:
      return {print(operands[0], kProduct) + " // " + print(operands[1], kUnary), kProduct};
    case ExprKind::Mod:
      return {print(operands[0], kProduct) + " % " + print(operands[1], kUnary), kProduct};
    case ExprKind::Min:
      return {"min(" + join(operands, ", ", kOr) + ")", kPrimary};
    case ExprKind::Max:
      return {"max(" + join(operands, ", ", kOr) + ")", kPrimary};
    case ExprKind::Select:
      return {"select(" + join(operands, ", ", kOr) + ")", kPrimary};
    case ExprKind::Less:
      return {join(operands, " < ", kSum), kComparison};
    case ExprKind::Equal:
      return {join(operands, " == ", kSum), kComparison};
    case ExprKind::And:
      return {join(operands, " && ", kComparison), kAnd};
    case ExprKind::Or:
      return {join(operands, " || ", kAnd), kOr};
    case ExprKind::Not:
      return {"!" + print(operands[0], kUnary), kUnary};
  }
  return {};
}

std::string print(const SyntaxTree& tree, Level place) {
  auto [text, level] = printBare(tree);
  return level < place ? "(" + text + ")" : text;
}

}  // namespace

std::string printSyntax(const SyntaxTree& tree) { return print(tree, kOr); }

std::strong_ordering SyntaxTree::operator<=>(const SyntaxTree& other) const {
  if (kind != other.kind) return kind <=> other.kind;
  if (constant != other.constant) return constant <=> other.constant;
  if (const int order = name.compare(other.name); order != 0) return order <=> 0;
  for (size_t i = 0; i < std::min(operands.size(), other.operands.size()); ++i)
    if (const auto order = operands[i] <=> other.operands[i]; order != 0) return order;
  return operands.size() <=> other.operands.size();
}

}  // namespace braid::index
