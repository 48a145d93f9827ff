#include "codegen/index_text.h"

#include <fmt/format.h>

#include <bit>

#include "base/check.h"

namespace braid::codegen {
namespace {

using device_lower::IndexWidth;
using index::ExprKind;
using index::IndexExpr;

// C++'s precedences, low to high.
enum Precedence : int {
  kTernary = 1,
  kOr,
  kAnd,
  kBitAnd,
  kEquality,
  kRelational,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary
};

Precedence precedenceOf(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add:
      return kSum;
    case ExprKind::Mul:
      return kProduct;
    case ExprKind::Select:
      return kTernary;
    case ExprKind::Less:
      return kRelational;
    case ExprKind::Equal:
      return kEquality;
    case ExprKind::And:
      return kAnd;
    case ExprKind::Or:
      return kOr;
    case ExprKind::Not:
      return kUnary;
    case ExprKind::Constant:
    case ExprKind::Symbol:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
      return kPrimary;
  }
  return kPrimary;
}

bool isPowerOfTwo(int64_t value) { return value > 0 && std::has_single_bit(static_cast<uint64_t>(value)); }

}  // namespace

std::string IndexText::conditionOperand(IndexExpr e) { return spell(e, kOr, true); }
std::string IndexText::factor(IndexExpr e) { return spell(e, kProduct, false); }

bool IndexText::isCondition(IndexExpr e) const {
  switch (kernel_.arena->kind(e)) {
    case ExprKind::Less:
    case ExprKind::Equal:
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
      return true;
    case ExprKind::Symbol:
      return conditions_.contains(e);
    case ExprKind::Constant:
    case ExprKind::Add:
    case ExprKind::Mul:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::Select:
      return false;
  }
  return false;
}

/// Parenthesised when it binds less tightly than `precedence`.
std::string IndexText::spell(IndexExpr e, int precedence, bool asCondition) {
  const index::IndexArena& arena = *kernel_.arena;
  const ExprKind kind = arena.kind(e);
  std::string text;
  Precedence own = precedenceOf(kind);
  switch (kind) {
    case ExprKind::Constant:
      if (asCondition) return *arena.asConstant(e) != 0 ? "true" : "false";
      text = constant(*arena.asConstant(e));
      if (*arena.asConstant(e) < 0) own = kUnary;
      break;
    case ExprKind::Symbol: {
      const auto name = names_.find(e);
      BRAID_CHECK(name != names_.end(), "symbol {} has no value in kernel {}", arena.symbolName(e), kernel_.name);
      return name->second;
    }
    case ExprKind::Add:
      text = sum(e);
      break;
    case ExprKind::Mul:
      text = product(e);
      if (text.starts_with('-')) own = kSum;  // so that a - -b is never printed
      break;
    case ExprKind::FloorDiv:
    case ExprKind::Mod: {
      text = divided(e, kind == ExprKind::Mod);
      if (const auto divisor = arena.asConstant(arena.operands(e)[1]); divisor && isPowerOfTwo(*divisor)) {
        own = kind == ExprKind::Mod ? kBitAnd : kShift;
      }
      break;
    }
    case ExprKind::Min:
      return folded(e, "min_index");
    case ExprKind::Max:
      return folded(e, "max_index");
    case ExprKind::Select: {
      const auto operands = arena.operands(e);
      text = fmt::format("{} ? {} : {}", spell(operands[0], kOr, true), spell(operands[1], kOr, asCondition),
                         spell(operands[2], kOr, asCondition));
      break;
    }
    case ExprKind::Less:
      if (const IndexExpr operand = arena.operands(e)[0];
          isCondition(operand) && arena.isConstant(arena.operands(e)[1], 1)) {
        return "!" + spell(operand, kUnary, true);  // the canonical form of not: condition < 1
      }
      text = joined(e, " < ", kShift, false);
      break;
    case ExprKind::Equal:
      text = joined(e, " == ", kShift, false);
      break;
    case ExprKind::And:
      text = joined(e, " && ", kEquality, true);
      break;
    case ExprKind::Or:
      text = joined(e, " || ", kEquality, true);
      break;
    case ExprKind::Not: {
      const IndexExpr operand = arena.operands(e)[0];
      text = negated(operand);
      if (!text.starts_with('!')) own = precedenceOf(arena.kind(operand));
      break;
    }
  }
  return own < precedence ? "(" + text + ")" : text;
}

std::string IndexText::constant(int64_t value) const {
  if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
  if (value == INT32_MIN && width_ == IndexWidth::Bits32) return "(-2147483647 - 1)";
  return fmt::format("{}", value);
}

/// Negative terms are subtracted; the constant comes last.
std::string IndexText::sum(IndexExpr e) {
  const index::IndexArena& arena = *kernel_.arena;
  std::string text;
  std::string last;
  for (const IndexExpr operand : arena.operands(e)) {
    const std::string term = spell(operand, kProduct, false);
    // A product with a negative factor comes in parentheses.
    const bool negative = term.starts_with('-') || term.starts_with("(-");
    const bool whole = term.starts_with("(-") && arena.kind(operand) == ExprKind::Mul;
    std::string bare = whole ? term.substr(1, term.size() - 2) : term;
    const bool subtract = negative && bare.starts_with('-');
    if (subtract) bare.erase(0, 1);
    std::string& target = arena.kind(operand) == ExprKind::Constant ? last : text;
    if (target.empty() && &target == &text) {
      target = subtract ? "-" + bare : bare;
    } else {
      target += (subtract ? " - " : " + ") + bare;
    }
  }
  return text + last;
}

/// The coefficient comes last, its sign in front.
std::string IndexText::product(IndexExpr e) {
  std::string factors;
  std::string coefficient;
  bool negative = false;
  for (const IndexExpr operand : kernel_.arena->operands(e)) {
    if (const auto number = kernel_.arena->asConstant(operand)) {
      negative = *number < 0 && *number != INT64_MIN;
      if (*number != -1) coefficient = " * " + constant(negative ? -*number : *number);
    } else {
      factors += (factors.empty() ? "" : " * ") + spell(operand, kUnary, false);
    }
  }
  return (negative ? "-" : "") + factors + coefficient;
}

std::string IndexText::joined(IndexExpr e, std::string_view separator, int precedence, bool asCondition) {
  std::string text;
  for (const IndexExpr operand : kernel_.arena->operands(e)) {
    if (!text.empty()) text += separator;
    text += spell(operand, precedence, asCondition);
  }
  return text;
}

std::string IndexText::negated(IndexExpr operand) {
  const ExprKind kind = kernel_.arena->kind(operand);
  if (kind == ExprKind::Less) return joined(operand, " >= ", kShift, false);
  if (kind == ExprKind::Equal) return joined(operand, " != ", kShift, false);
  return "!" + spell(operand, kUnary, true);
}

std::string IndexText::folded(IndexExpr e, std::string_view function) {
  const auto operands = kernel_.arena->operands(e);
  std::string text = integer(operands[0]);
  for (size_t i = 1; i < operands.size(); ++i) {
    text = fmt::format("{}({}, {})", preamble_.use(function), text, integer(operands[i]));
  }
  return text;
}

std::string IndexText::divided(IndexExpr e, bool remainder) {
  const index::IndexArena& arena = *kernel_.arena;
  const IndexExpr numerator = arena.operands(e)[0];
  const IndexExpr divisor = arena.operands(e)[1];
  const auto number = arena.asConstant(divisor);
  if (number && isPowerOfTwo(*number)) {
    if (remainder) return fmt::format("{} & {}", spell(numerator, kProduct, false), *number - 1);
    return fmt::format("{} >> {}", spell(numerator, kProduct, false), std::countr_zero(static_cast<uint64_t>(*number)));
  }
  const bool nonNegative = arena.provedNonNegative(numerator);
  const auto call = [&](std::string_view function, const std::string& by) {
    return fmt::format("{}({}, {})", preamble_.use(function), integer(numerator), by);
  };
  if (number && *number > 0) {
    const std::string by = constant(*number);
    if (remainder) return call(nonNegative ? "const_mod" : "floor_const_mod", by);
    return call(nonNegative ? "const_div" : "floor_const_div", by);
  }
  const auto fast = divisors_.find(divisor);
  if (fast != divisors_.end() && arena.provedNonNegative(divisor)) {
    if (remainder) return call(nonNegative ? "fast_mod" : "floor_fast_mod", fast->second);
    return call(nonNegative ? "fast_div" : "floor_fast_div", fast->second);
  }
  return call(remainder ? "floor_mod_index" : "floor_div_index", integer(divisor));
}

}  // namespace braid::codegen
