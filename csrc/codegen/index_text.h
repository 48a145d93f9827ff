#pragma once
// Index expressions as C++.

#include <map>
#include <string>

#include "codegen/preamble.h"
#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// Spells index expressions of one kernel. Powers of two divide by shift and mask, which round down for any operand;
/// other constants by unsigned division and symbols by the multipliers that the launch brings, both only where the
/// operand is proved non-negative, else by a form that rounds down.
class IndexText {
 public:
  IndexText(const device_lower::Kernel& kernel, device_lower::IndexWidth width, Preamble& preamble)
      : kernel_(kernel), width_(width), preamble_(preamble) {}

  /// The identifier of a symbol from here on; of a divisor for `//` and `%`.
  void bind(index::IndexExpr symbol, const std::string& name) { names_[symbol] = name; }
  void bindDivisor(index::IndexExpr divisor, const std::string& name) { divisors_[divisor] = name; }

  /// An expression that needs no parentheses as an argument or on the right of an assignment.
  std::string integer(index::IndexExpr e) { return spell(e, 0, false); }
  std::string condition(index::IndexExpr e) { return spell(e, 0, true); }
  /// The same for a condition in front of `?`.
  std::string conditionOperand(index::IndexExpr e);
  /// The same as one operand of a sum; a sum itself comes in parentheses.
  std::string factor(index::IndexExpr e);
  /// True for conditions, and for symbols bound to one.
  bool isCondition(index::IndexExpr e) const;
  void markCondition(index::IndexExpr symbol) { conditions_[symbol] = true; }
  /// "int" or "long long".
  std::string_view type() const { return width_ == device_lower::IndexWidth::Bits32 ? "int" : "long long"; }

 private:
  std::string spell(index::IndexExpr e, int precedence, bool asCondition);
  std::string constant(int64_t value) const;
  std::string sum(index::IndexExpr e);
  std::string product(index::IndexExpr e);
  std::string joined(index::IndexExpr e, std::string_view separator, int precedence, bool asCondition);
  std::string negated(index::IndexExpr operand);
  std::string folded(index::IndexExpr e, std::string_view function);
  std::string divided(index::IndexExpr e, bool remainder);

  const device_lower::Kernel& kernel_;
  device_lower::IndexWidth width_;
  Preamble& preamble_;
  std::map<index::IndexExpr, std::string> names_, divisors_;
  std::map<index::IndexExpr, bool> conditions_;
};

}  // namespace braid::codegen
