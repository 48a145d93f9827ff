#pragma once
// Values that are views of an input: a chain of movement ops that only renames strides.

#include <optional>
#include <string>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

/// Element i of the value is the input's element at offset + sum(i[axis] * strides[axis]), in elements.
struct View {
  ValueId input;
  Extent offset = 0;
  std::vector<Extent> strides;
};

/// The name of the symbol that stands for a `*` stride: "x.stride0".
std::string strideSymbol(const std::string& tensor, size_t axis);

/// Strides of an input as its layout declares them; a `*` is a symbol.
std::vector<Extent> inputStrides(const Fusion& fusion, const Input& input);

/// The view that a value is, if it is one for every stride its input may have: a chain of slice, permute, expand,
/// broadcast_in_dim, squeeze, set-free reshapes that merge only axes which lie one after the other in memory. Nothing
/// for a flip (strides are never negative), a computed value, a parameter or a literal. An input is a view of itself.
std::optional<View> viewOf(const Fusion& fusion, ValueId value);

}  // namespace braid::ir
