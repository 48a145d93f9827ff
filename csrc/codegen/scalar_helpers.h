#pragma once
// Device functions for the scalar operations that no C++ operator spells. docs/semantics.md has the formulas.

#include <span>
#include <string_view>

namespace braid::codegen {

/// One function of the preamble: its name, the functions it calls (separated by spaces), its text.
struct Helper {
  std::string_view name, calls, text;
};

std::span<const Helper> scalarHelpers();

}  // namespace braid::codegen
