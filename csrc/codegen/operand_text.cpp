#include "codegen/operand_text.h"

#include <fmt/format.h>

#include <cctype>

#include "base/overloaded.h"
#include "codegen/number_text.h"
#include "codegen/scalar_spelling.h"

namespace braid::codegen {
namespace {

using device_lower::Operand;
using device_lower::ParameterId;
using device_lower::Register;
using device_lower::RegisterId;

std::string subscripted(const std::string& name, const Register& reg, const std::string& subscript) {
  return reg.lanes == 1 ? name : fmt::format("{}[{}]", name, subscript);
}

}  // namespace

std::string laneSubscript(const std::string& word, int lane) {
  if (word.empty()) return "";
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return std::to_string(2 * std::stoi(word) + lane);
  return fmt::format("2 * {}{}", word, lane == 0 ? "" : " + 1");
}

std::string OperandText::lane(const Operand& operand, DType type, const std::string& subscript) {
  return std::visit(overloaded{
                        [&](RegisterId id) {
                          const Register& reg = kernel_.reg(id);
                          const std::string& name = names_.registers[id.value];
                          if (!isHalf(type)) return subscripted(name, reg, subscript);
                          if (reg.lanes == 1) return half("lo", type, name);
                          return half("lane", type, fmt::format("{}, {}", name, subscript));
                        },
                        [&](ParameterId id) { return parameter(id, computeTypeOf(type)); },
                        [&](const ir::Scalar& number) { return numberText(number, type); },
                    },
                    operand);
}

std::string OperandText::laneOfWord(const Operand& operand, DType type, int lane, const std::string& word) {
  const auto* id = std::get_if<RegisterId>(&operand);
  if (id != nullptr && isHalf(type)) {
    const Register& reg = kernel_.reg(*id);
    const std::string_view function = reg.lanes > 1 && lane == 1 ? "hi" : "lo";
    return half(function, type, subscripted(names_.registers[id->value], reg, word));
  }
  return this->lane(operand, type, laneSubscript(word, lane));
}

std::string OperandText::element(const Operand& operand, DType type, const std::string& subscript) {
  return lane(operand, type, subscript);
}

std::string OperandText::word(const Operand& operand, DType type, const std::string& subscript) {
  return std::visit(overloaded{
                        [&](RegisterId id) {
                          const Register& reg = kernel_.reg(id);
                          const std::string& name = names_.registers[id.value];
                          // A single lane is wanted in both halves, or, for a single lane, in the low one.
                          if (reg.lanes == 1 && !subscript.empty()) {
                            return fmt::format("{}({})", preamble_.use("both"), name);
                          }
                          return subscripted(name, reg, subscript);
                        },
                        [&](ParameterId id) {
                          if (kernel_.parameters[id.value].dtype == type) {
                            return fmt::format("{}({})", preamble_.use("both"), names_.parameters[id.value]);
                          }
                          const std::string value = parameter(id, DType::Float32);
                          return packed(type, value, value);
                        },
                        [&](const ir::Scalar& number) { return halfWordText(halfElement(number, type)); },
                    },
                    operand);
}

std::string OperandText::packed(DType type, const std::string& lo, const std::string& hi) {
  return fmt::format("{}({}, {})", preamble_.use(type == DType::BFloat16 ? "pack_bf16" : "pack_f16"), lo, hi);
}

/// A host parameter, converted.
std::string OperandText::parameter(ParameterId id, DType type) {
  const DType from = kernel_.parameters[id.value].dtype;
  const std::string& name = names_.parameters[id.value];
  const std::string value = isHalf(from) ? half("lo", from, name) : name;
  const std::string cast = spellCast(isHalf(from) ? DType::Float32 : from, type, value, preamble_);
  return cast == value || cast.ends_with(')') ? cast : "(" + cast + ")";
}

std::string OperandText::half(std::string_view function, DType type, const std::string& argument) {
  const std::string name = fmt::format("{}_{}", function, braid::nameOf(type));
  return fmt::format("{}({})", preamble_.use(name), argument);
}

}  // namespace braid::codegen
