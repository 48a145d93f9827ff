#pragma once
// What the arguments of one execution say: every symbol's value, and what the outputs are. All argument errors that do
// not depend on where buffers lie come from here.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/bind.h"
#include "ir/fusion.h"
#include "runtime/fusion_executor.h"

namespace braid::runtime {

struct CallBinding {
  ir::Symbols symbols;              ///< extents, strides of inputs
  std::vector<OutputShape> shapes;  ///< in the order of the fusion's outputs
  std::vector<bool> isCopied;       ///< views for which the caller gave a buffer
};

CallBinding bindCall(const ir::Fusion& fusion, const ExecuteArguments& arguments);

/// Alignment that a kernel may take for granted: the largest power of two up to 16 that divides the address. Throws
/// Error(InvalidArgument) where an element would not be aligned, or a tensor that has elements has no data.
int64_t pointerAlignment(const std::string& name, const TensorView& tensor);

}  // namespace braid::runtime
