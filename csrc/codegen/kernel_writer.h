#pragma once
// The __global__ function of a kernel, statement by statement.

#include <functional>
#include <string>

#include "codegen/declarations.h"
#include "codegen/index_text.h"
#include "codegen/names.h"
#include "codegen/operand_text.h"
#include "codegen/preamble.h"
#include "device_lower/kernel_ir.h"

namespace braid::codegen {

class KernelWriter {
 public:
  KernelWriter(const device_lower::Kernel& kernel, device_lower::IndexWidth width, Preamble& preamble);
  /// From `extern "C"` to the closing brace.
  std::string run();

 private:
  using LaneValue = std::function<std::string(const std::string& subscript)>;

  void signature();
  void part(size_t number);
  void body(const std::vector<device_lower::Statement>& statements);
  void line(const std::string& text);
  void declare(device_lower::RegisterId id);
  void block(const std::string& head, const std::vector<device_lower::Statement>& statements);

  void write(const device_lower::LetIndex& let);
  void write(const device_lower::Load& load);
  void write(const device_lower::Compute& compute);
  void write(const device_lower::SelectLanes& select);
  void write(const device_lower::FromIndex& from);
  void write(const device_lower::Fill& fill);
  void write(const device_lower::Store& store);
  void write(const device_lower::Loop& loop);
  void write(const device_lower::Guard& guard);

  void writeMove(device_lower::RegisterId dst, const device_lower::Operand& operand);
  void writeWhere(const device_lower::Compute& compute);
  bool writePacked(const device_lower::Compute& compute);
  void writeHalves(const device_lower::Compute& compute);
  std::string opText(const device_lower::Compute& compute, const std::vector<std::string>& operands);

  /// Assigns every lane (of a 16-bit floating register: every word), in an unrolled loop where there are several.
  void eachLane(device_lower::RegisterId dst, const LaneValue& value);
  void eachWord(device_lower::RegisterId dst, const LaneValue& value);
  void assignAll(device_lower::RegisterId dst, int count, std::string_view subscript, const LaneValue& value);
  /// The register's elements as they are moved: words or lanes.
  std::string moved(const device_lower::Operand& operand, DType type, const std::string& subscript);

  std::string address(device_lower::TensorId tensor, index::IndexExpr offset);
  std::string lanesAddress(device_lower::RegisterId id, int firstLane, int width, bool toRead) const;

  const device_lower::Register& reg(device_lower::RegisterId id) const { return kernel_.reg(id); }
  const std::string& nameOf(device_lower::RegisterId id) const { return names_.registers[id.value]; }

  const device_lower::Kernel& kernel_;
  device_lower::IndexWidth width_;
  Preamble& preamble_;
  KernelNames names_;
  IndexText index_;
  OperandText operands_;
  Declarations declarations_;
  std::string text_;
  std::string lastComment_;
  int depth_ = 1;
};

}  // namespace braid::codegen
