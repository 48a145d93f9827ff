#pragma once
// Where each register of a kernel is declared.

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// A statement by the list that holds it and its position there.
using StatementPlace = std::pair<const std::vector<device_lower::Statement>*, size_t>;

struct Declarations {
  /// The registers to declare in front of a statement: in front of the one that assigns them, or, for a register that
  /// several loads fill, of the first statement that holds them all.
  std::map<StatementPlace, std::vector<device_lower::RegisterId>> before;
  /// The registers that a predicated load fills: such lanes are zero where nothing is read.
  std::set<device_lower::RegisterId> startAsZero;
};

Declarations placeDeclarations(const device_lower::Kernel& kernel);

}  // namespace braid::codegen
