#pragma once
// simplified("(a * 8 + b) // 8", "0 <= b < 8") is "a": the text of an expression under facts about its symbols.

#include <string>
#include <string_view>

#include "index/expr.h"

namespace braid::index::test {

/// Facts, separated by commas, are `0 <= b < 8` (bounds, either side may be missing; `b < T` with a symbol is a
/// symbolic bound, and `0 <= t < T` a loop variable), `T % 8 == 0`, and a bare name, which declares a symbol without
/// facts. Symbols are declared in the order of the facts.
void declare(IndexArena& arena, std::string_view facts);
std::string simplified(std::string_view expression, std::string_view facts = "");

}  // namespace braid::index::test
