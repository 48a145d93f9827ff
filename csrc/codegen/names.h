#pragma once
// C++ identifiers for what a kernel names: after the fusion's values, legal, and each used once.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// Hands out identifiers. The same requests in the same order give the same names.
class NameTable {
 public:
  NameTable();
  /// `wanted` made legal (`q_rot.pad` becomes q_rot_pad), with a number behind it if the name is taken.
  std::string claim(std::string_view wanted);
  /// Makes a name free again, at the end of its scope.
  void release(const std::string& name) { taken_.erase(name); }

 private:
  std::set<std::string, std::less<>> taken_;
};

/// The identifiers of a kernel's arguments and registers, in the order of its lists.
struct KernelNames {
  explicit KernelNames(const device_lower::Kernel& kernel);

  std::string kernel;
  std::vector<std::string> tensors;     ///< pointers: x_ptr
  std::vector<std::string> parameters;  ///< scalars: s
  std::vector<std::string> symbols;     ///< extents and strides: T, x_stride3
  std::vector<std::string> divisors;    ///< T_div
  std::vector<std::string> partEnds;    ///< q_end, for every part but the last
  std::vector<std::string> registers;
  NameTable table;  ///< for let-bound integers and loop variables
};

}  // namespace braid::codegen
