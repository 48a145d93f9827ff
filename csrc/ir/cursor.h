#pragma once
// Reads tokens of the text form: names, numbers, punctuation, and extents through index/text.h. Errors point.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

class Cursor {
 public:
  Cursor(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  /// White space and `#` comments separate tokens.
  void skipSpace();
  size_t position();
  bool atEnd();
  char peek();
  /// True when `token` is next; a word only where no letter follows it.
  bool sees(std::string_view token);
  bool accept(std::string_view token);
  void expect(std::string_view token, std::string_view where);
  bool seesName();
  /// `what` says what the name is for: "expected the name of a tensor before '('".
  std::string name(std::string_view what);

  bool seesScalar();
  Scalar scalar();
  DType dtype();
  Extent extent();
  int64_t integer();
  bool boolean();
  Extents extents();
  std::vector<int64_t> integers();

  Location location();
  /// `file:line:column: message`, the line and a caret under the column.
  [[noreturn]] void fail(size_t position, const std::string& message);
  [[noreturn]] void failHere(const std::string& expected);

 private:
  /// What stands at a position, for messages.
  std::string found(size_t position) const;
  Scalar number();
  Scalar specialNumber(bool negative);

  std::string_view text_, file_;
  size_t position_ = 0;
};

/// The candidate with the fewest edits, if few enough to be a slip; "" otherwise.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace braid::ir
