#pragma once
// The text form: everything printed parses back to the same fusion. docs/text_form.md has the grammar.

#include <string>
#include <string_view>

#include "ir/fusion.h"

namespace braid::ir {

struct PrintOptions {
  bool locations = false;  ///< `# rope.cpp:41` after each statement
  bool version = false;    ///< `fusion v1 name(…)`, for files meant to last
};

/// One op a line, result types always written, defaults not printed, numbers that read back bit for bit.
std::string print(const Fusion& fusion, const PrintOptions& options = {});

/// Reads one fusion (sugar and nested calls allowed). Throws Error(Parse) with `file:line:column`, the line, a caret
/// and what was expected, or the definition error of the offending statement with its line.
Fusion parse(std::string_view text, std::string_view file = "<text>");

/// An operand-and-attribute list as in the text form, for messages: `slice(x, start=[0], stop=[8])`.
std::string printExpr(const Fusion& fusion, const Expr& expr);
std::string print(const Scalar& scalar);

}  // namespace braid::ir
