// The lane-wise statements. 16-bit floating types stay packed in words: what only moves is never converted, what
// computes is unpacked to floats, rounded once and packed again.

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "codegen/kernel_writer.h"
#include "codegen/number_text.h"
#include "codegen/scalar_spelling.h"

namespace braid::codegen {

using namespace device_lower;
using ir::BinaryKind;
using ir::TernaryKind;
using ir::UnaryKind;

void KernelWriter::write(const Compute& compute) {
  const Register& dst = reg(compute.dst);
  if (compute.op == ScalarOp(UnaryKind::Set) || compute.op == ScalarOp(CastOp{dst.dtype})) {
    writeMove(compute.dst, compute.operands[0]);
  } else if (compute.op == ScalarOp(TernaryKind::Where)) {
    writeWhere(compute);
  } else if (!isHalf(dst.dtype)) {
    eachLane(compute.dst, [&](const std::string& i) {
      std::vector<std::string> lanes;
      for (const Operand& operand : compute.operands) lanes.push_back(operands_.lane(operand, compute.operandType, i));
      return opText(compute, lanes);
    });
  } else if (!writePacked(compute)) {
    writeHalves(compute);
  }
}

void KernelWriter::writeMove(RegisterId dst, const Operand& operand) {
  const DType type = reg(dst).dtype;
  const LaneValue value = [&](const std::string& subscript) { return moved(operand, type, subscript); };
  isHalf(type) ? eachWord(dst, value) : eachLane(dst, value);
}

std::string KernelWriter::moved(const Operand& operand, DType type, const std::string& subscript) {
  return isHalf(type) ? operands_.word(operand, type, subscript) : operands_.element(operand, type, subscript);
}

void KernelWriter::writeWhere(const Compute& compute) {
  const DType type = reg(compute.dst).dtype;
  const Operand& condition = compute.operands[0];
  const auto* conditions = std::get_if<RegisterId>(&condition);
  const bool perLane = conditions != nullptr && reg(*conditions).lanes > 1;
  const auto holds = [&](const std::string& i) { return operands_.element(condition, DType::Bool, i) + " != 0"; };
  const LaneValue value = [&](const std::string& subscript) {
    const std::string whenTrue = moved(compute.operands[1], type, subscript);
    const std::string whenFalse = moved(compute.operands[2], type, subscript);
    if (!isHalf(type) || !perLane) return fmt::format("{} ? {} : {}", holds(subscript), whenTrue, whenFalse);
    return fmt::format("{}({}, {}, {}, {})", preamble_.use("select_halves"), holds(laneSubscript(subscript, 0)),
                       holds(laneSubscript(subscript, 1)), whenTrue, whenFalse);
  };
  isHalf(type) ? eachWord(compute.dst, value) : eachLane(compute.dst, value);
}

/// The ops that are done on words as they are, with the bits that floats rounded once would give.
bool KernelWriter::writePacked(const Compute& compute) {
  const DType type = compute.operandType;
  if (reg(compute.dst).dtype != type) return false;
  const auto word = [&](size_t operand, const std::string& w) {
    return operands_.word(compute.operands[operand], type, w);
  };
  if (compute.op == ScalarOp(UnaryKind::Neg)) {
    eachWord(compute.dst, [&](const std::string& w) { return word(0, w) + " ^ 0x80008000u"; });
    return true;
  }
  if (compute.op == ScalarOp(UnaryKind::Abs)) {
    eachWord(compute.dst, [&](const std::string& w) { return word(0, w) + " & 0x7fff7fffu"; });
    return true;
  }
  const std::string_view function = compute.op == ScalarOp(BinaryKind::Add)   ? "add"
                                    : compute.op == ScalarOp(BinaryKind::Sub) ? "sub"
                                    : compute.op == ScalarOp(BinaryKind::Mul) ? "mul"
                                                                              : "";
  // A number takes part with the digits of a float unless it has no more than the element.
  const bool elements = std::all_of(compute.operands.begin(), compute.operands.end(), [&](const Operand& operand) {
    if (const auto* number = std::get_if<ir::Scalar>(&operand)) return isExactHalf(*number, type);
    return std::holds_alternative<RegisterId>(operand);
  });
  if (function.empty() || !elements) return false;
  eachWord(compute.dst, [&](const std::string& w) {
    const std::string name = fmt::format("{}_{}", function, braid::nameOf(type));
    return fmt::format("{}({}, {})", preamble_.use(name), word(0, w), word(1, w));
  });
  return true;
}

void KernelWriter::writeHalves(const Compute& compute) {
  const auto half = [&](int lane, const std::string& w) {
    std::vector<std::string> lanes;
    for (const Operand& operand : compute.operands) {
      lanes.push_back(operands_.laneOfWord(operand, compute.operandType, lane, w));
    }
    return opText(compute, lanes);
  };
  eachWord(compute.dst, [&](const std::string& w) {
    return operands_.packed(reg(compute.dst).dtype, half(0, w), w.empty() ? "0.0f" : half(1, w));
  });
}

std::string KernelWriter::opText(const Compute& compute, const std::vector<std::string>& operands) {
  const DType type = compute.operandType;
  return std::visit(
      overloaded{
          [&](UnaryKind kind) { return spell(kind, type, operands[0], preamble_); },
          [&](BinaryKind kind) { return spell(kind, type, operands[0], operands[1], preamble_); },
          [&](TernaryKind kind) { return spell(kind, type, operands, preamble_); },
          [&](const CastOp& cast) { return spellCast(cast.from, reg(compute.dst).dtype, operands[0], preamble_); },
      },
      compute.op);
}

void KernelWriter::write(const Fill& fill) { writeMove(fill.dst, fill.value); }

void KernelWriter::write(const SelectLanes& select) {
  const Register& dst = reg(select.dst);
  const auto choice = [&](index::IndexExpr condition, const std::string& subscript) {
    if (const auto decided = kernel_.arena->asConstant(condition)) {
      return moved(*decided != 0 ? select.whenTrue : select.whenFalse, dst.dtype, subscript);
    }
    return fmt::format("{} ? {} : {}", index_.conditionOperand(condition), moved(select.whenTrue, dst.dtype, subscript),
                       moved(select.whenFalse, dst.dtype, subscript));
  };
  const auto& conditions = select.conditions;
  const bool uniform = std::all_of(conditions.begin(), conditions.end(),
                                   [&](index::IndexExpr each) { return each == conditions.front(); });
  if (uniform) {
    const LaneValue value = [&](const std::string& subscript) { return choice(conditions.front(), subscript); };
    isHalf(dst.dtype) ? eachWord(select.dst, value) : eachLane(select.dst, value);
    return;
  }
  const std::string& name = nameOf(select.dst);
  if (!isHalf(dst.dtype)) {
    for (size_t i = 0; i < conditions.size(); ++i) {
      line(fmt::format("{}[{}] = {};", name, i, choice(conditions[i], std::to_string(i))));
    }
    return;
  }
  for (size_t i = 0; i < conditions.size(); i += 2) {
    const std::string w = std::to_string(i / 2);
    const index::IndexExpr lo = conditions[i];
    const index::IndexExpr hi = i + 1 < conditions.size() ? conditions[i + 1] : lo;
    line(fmt::format("{}[{}] = {};", name, w,
                     lo == hi ? choice(lo, w)
                              : fmt::format("{}({}, {}, {}, {})", preamble_.use("select_halves"), index_.condition(lo),
                                            index_.condition(hi), moved(select.whenTrue, dst.dtype, w),
                                            moved(select.whenFalse, dst.dtype, w))));
  }
}

void KernelWriter::write(const FromIndex& from) {
  const Register& dst = reg(from.dst);
  const bool floating = isFloating(dst.dtype);
  const DType sequence = floating ? DType::Float64 : DType::Int64;
  const std::string start = numberText(from.start, sequence);
  const std::string step = numberText(from.step, sequence);
  // Integers wrap, hence unsigned; a sequence that starts at +0 with step 1 is the position itself.
  const auto value = [&](index::IndexExpr position) {
    const std::string at = index_.integer(position);
    const bool plain =
        start == numberText(ir::Scalar::integral(0), sequence) && step == numberText(ir::Scalar::integral(1), sequence);
    const std::string term = fmt::format("({})({})", floating ? "double" : "unsigned long long", at);
    const std::string whole =
        plain      ? term
        : floating ? fmt::format("({} + {} * {})", start, step, term)
                   : fmt::format("(unsigned long long){} + (unsigned long long){} * {}", start, step, term);
    if (floating) return spellCast(DType::Float64, dst.dtype, whole, preamble_);
    const std::string integer = fmt::format("({})({})", "long long", whole);
    return spellCast(DType::Int64, dst.dtype, integer, preamble_);
  };
  const auto positionOf = [&](size_t lane) { return from.positions[std::min(lane, from.positions.size() - 1)]; };
  const std::string& name = nameOf(from.dst);
  const auto lanes = static_cast<size_t>(dst.lanes);
  if (!isHalf(dst.dtype)) {
    for (size_t i = 0; i < lanes; ++i) {
      line(fmt::format("{}{} = {};", name, lanes == 1 ? "" : fmt::format("[{}]", i), value(positionOf(i))));
    }
    return;
  }
  for (size_t i = 0; i < lanes; i += 2) {
    const std::string hi = lanes == 1 ? "0.0f" : value(positionOf(i + 1));
    line(fmt::format("{}{} = {};", name, lanes == 1 ? "" : fmt::format("[{}]", i / 2),
                     operands_.packed(dst.dtype, value(positionOf(i)), hi)));
  }
}

}  // namespace braid::codegen
