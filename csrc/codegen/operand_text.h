#pragma once
// Operands of lane-wise statements as C++. Subscripts are texts ("i", "3"); an empty one means the destination has one
// lane. A register of a 16-bit floating type is an array of words of two lanes; with one lane it is a word whose low
// half counts.

#include <string>

#include "codegen/names.h"
#include "codegen/preamble.h"
#include "device_lower/kernel_ir.h"

namespace braid::codegen {

class OperandText {
 public:
  OperandText(const device_lower::Kernel& kernel, const KernelNames& names, Preamble& preamble)
      : kernel_(kernel), names_(names), preamble_(preamble) {}

  /// One lane as a value of the compute type of `type`; binds tighter than any operator.
  std::string lane(const device_lower::Operand& operand, DType type, const std::string& subscript);
  /// Lane 0 or 1 of the word with that subscript, likewise.
  std::string laneOfWord(const device_lower::Operand& operand, DType type, int lane, const std::string& word);
  /// One element of a type that is not a 16-bit floating one, as it is moved.
  std::string element(const device_lower::Operand& operand, DType type, const std::string& subscript);
  /// Two elements of a 16-bit floating type, as they are moved.
  std::string word(const device_lower::Operand& operand, DType half, const std::string& subscript);
  /// A word of lanes of compute type: rounds once.
  std::string packed(DType half, const std::string& lo, const std::string& hi);

 private:
  std::string parameter(device_lower::ParameterId id, DType type);
  std::string half(std::string_view function, DType type, const std::string& argument);

  const device_lower::Kernel& kernel_;
  const KernelNames& names_;
  Preamble& preamble_;
};

/// Subscript of lane 0 or 1 of a word: "2 * w + 1", or the number where the word is one.
std::string laneSubscript(const std::string& word, int lane);

}  // namespace braid::codegen
