#pragma once
// What the symbols of a fusion are, given the arguments of one execution. All argument errors come from here, before
// anything runs.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

/// What an argument looks like; strides count elements.
struct TensorShape {
  DType dtype;
  std::vector<int64_t> sizes, strides;
};

/// Values of extent and stride symbols.
using Symbols = std::map<std::string, int64_t>;

/// Binds every extent and stride symbol. An extent name is bound by an input axis that is the bare name, else by
/// dividing an axis that is a constant times it, else by `dims`; where several give a value they must agree. Then
/// checks ranks, dtypes, extents, declared strides and every constraint. Strides of axes of extent 1 and of empty
/// tensors are ignored. The strides of `*` axes are bound as "<input>.stride<axis>" (see ir/view.h). Throws Error
/// naming the input, the axis, what was found and what would be right; a tensor that is missing, one that the fusion
/// does not have and a `dims` entry that the fusion does not have are errors too.
Symbols bindSymbols(const Fusion& fusion, const std::map<std::string, TensorShape>& tensors, const Symbols& dims);

}  // namespace braid::ir
