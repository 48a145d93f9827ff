#include "codegen/scalar_spelling.h"

#include <fmt/format.h>

#include <cmath>

#include "base/check.h"
#include "codegen/number_text.h"

namespace braid::codegen {
namespace {

using ir::BinaryKind;
using ir::TernaryKind;
using ir::UnaryKind;

/// A function of the C library: expf for float, ::exp for double (a local may be named exp).
std::string library(std::string_view name, DType type, std::string_view arguments) {
  if (computeTypeOf(type) == DType::Float32) return fmt::format("{}f({})", name, arguments);
  return fmt::format("::{}({})", name, arguments);
}

/// A function template of the preamble, for the lane type.
std::string helper(std::string_view name, DType type, std::string_view arguments, Preamble& preamble) {
  return fmt::format("{}<{}>({})", preamble.use(name), laneType(type), arguments);
}

std::string one(DType type) { return computeTypeOf(type) == DType::Float32 ? "1.0f" : "1.0"; }

/// Integer + - * that wraps: narrow types compute in int, the others unsigned.
std::string wrapping(DType type, const std::string& a, std::string_view op, const std::string& b) {
  if (bytesOf(type) < 4) return fmt::format("({})({} {} {})", laneType(type), a, op, b);
  return fmt::format("({0})((unsigned {0}){1} {2} (unsigned {0}){3})", laneType(type), a, op, b);
}

std::string arithmetic(DType type, const std::string& a, std::string_view op, const std::string& b) {
  return isFloating(type) ? fmt::format("{} {} {}", a, op, b) : wrapping(type, a, op, b);
}

std::string narrowed(DType type, const std::string& text) { return fmt::format("({})({})", laneType(type), text); }

}  // namespace

std::string spell(UnaryKind kind, DType type, const std::string& a, Preamble& preamble) {
  const bool floating = isFloating(type);
  const auto math = [&](std::string_view name) { return library(name, type, a); };
  const auto own = [&](std::string_view name) { return helper(name, type, a, preamble); };
  switch (kind) {
    case UnaryKind::Neg:
      return floating ? "-" + a : own("int_neg");
    case UnaryKind::Abs:
      return floating ? math("fabs") : own("int_abs");
    case UnaryKind::Exp:
      return math("exp");
    case UnaryKind::Exp2:
      return math("exp2");
    case UnaryKind::Expm1:
      return math("expm1");
    case UnaryKind::Log:
      return math("log");
    case UnaryKind::Log2:
      return math("log2");
    case UnaryKind::Log10:
      return math("log10");
    case UnaryKind::Log1p:
      return math("log1p");
    case UnaryKind::Sqrt:
      return math("sqrt");
    case UnaryKind::Rsqrt:
      return one(type) + " / " + math("sqrt");
    case UnaryKind::Reciprocal:
      return one(type) + " / " + a;
    case UnaryKind::Sin:
      return math("sin");
    case UnaryKind::Cos:
      return math("cos");
    case UnaryKind::Tan:
      return math("tan");
    case UnaryKind::Asin:
      return math("asin");
    case UnaryKind::Acos:
      return math("acos");
    case UnaryKind::Atan:
      return math("atan");
    case UnaryKind::Sinh:
      return math("sinh");
    case UnaryKind::Cosh:
      return math("cosh");
    case UnaryKind::Tanh:
      return math("tanh");
    case UnaryKind::Erf:
      return math("erf");
    case UnaryKind::Erfc:
      return math("erfc");
    case UnaryKind::Sigmoid:
      return own("sigmoid");
    case UnaryKind::Silu:
      return own("silu");
    case UnaryKind::Gelu:
      return own("gelu");
    case UnaryKind::Relu:
      return own("relu");
    case UnaryKind::Floor:
      return floating ? math("floor") : a;
    case UnaryKind::Ceil:
      return floating ? math("ceil") : a;
    case UnaryKind::Round:
      return floating ? math("rint") : a;
    case UnaryKind::Trunc:
      return floating ? math("trunc") : a;
    case UnaryKind::IsNan:
      return floating ? fmt::format("{0} != {0}", a) : "false";
    case UnaryKind::IsInf:
      return floating ? fmt::format("{} == {}", math("fabs"), numberText(ir::Scalar::real(HUGE_VAL), type)) : "false";
    case UnaryKind::IsFinite:
      return floating ? fmt::format("{} < {}", math("fabs"), numberText(ir::Scalar::real(HUGE_VAL), type)) : "true";
    case UnaryKind::Sign:
      return type == DType::Bool ? a : own("sign");
    case UnaryKind::LogicalNot:
      return a + " == 0";
    case UnaryKind::BitwiseNot:
      return type == DType::Bool ? a + " == 0" : narrowed(type, "~" + a);
    case UnaryKind::Set:
      return a;
  }
  return a;
}

std::string spell(BinaryKind kind, DType type, const std::string& a, const std::string& b, Preamble& preamble) {
  const bool floating = isFloating(type);
  const bool boolean = type == DType::Bool;
  const std::string both = a + ", " + b;
  const auto own = [&](std::string_view name) { return helper(name, type, both, preamble); };
  const auto infix = [&](std::string_view op) { return fmt::format("{} {} {}", a, op, b); };
  switch (kind) {
    case BinaryKind::Add:
      return boolean ? infix("|") : arithmetic(type, a, "+", b);
    case BinaryKind::Sub:
      return arithmetic(type, a, "-", b);
    case BinaryKind::Mul:
      return boolean ? infix("&") : arithmetic(type, a, "*", b);
    case BinaryKind::Div:
      return infix("/");
    case BinaryKind::FloorDiv:
      return own(floating ? "float_floor_div" : "int_floor_div");
    case BinaryKind::Mod:
      return own(floating ? "float_mod" : "int_mod");
    case BinaryKind::Fmod:
      return floating ? library("fmod", type, both) : own("int_fmod");
    case BinaryKind::Pow:
      return floating ? library("pow", type, both) : own("int_pow");
    case BinaryKind::Atan2:
      return library("atan2", type, both);
    case BinaryKind::Maximum:
      return boolean ? infix("|") : own(floating ? "float_maximum" : "int_maximum");
    case BinaryKind::Minimum:
      return boolean ? infix("&") : own(floating ? "float_minimum" : "int_minimum");
    case BinaryKind::Eq:
      return infix("==");
    case BinaryKind::Ne:
      return infix("!=");
    case BinaryKind::Lt:
      return infix("<");
    case BinaryKind::Le:
      return infix("<=");
    case BinaryKind::Gt:
      return infix(">");
    case BinaryKind::Ge:
      return infix(">=");
    case BinaryKind::LogicalAnd:
      return fmt::format("{} != 0 && {} != 0", a, b);
    case BinaryKind::LogicalOr:
      return fmt::format("{} != 0 || {} != 0", a, b);
    case BinaryKind::LogicalXor:
      return fmt::format("({} != 0) != ({} != 0)", a, b);
    case BinaryKind::BitwiseAnd:
      return boolean ? infix("&") : narrowed(type, infix("&"));
    case BinaryKind::BitwiseOr:
      return boolean ? infix("|") : narrowed(type, infix("|"));
    case BinaryKind::BitwiseXor:
      return boolean ? infix("^") : narrowed(type, infix("^"));
    case BinaryKind::LShift:
      return own("int_lshift");
    case BinaryKind::RShift:
      return own("int_rshift");
  }
  return a;
}

std::string spell(TernaryKind kind, DType type, std::span<const std::string> operands, Preamble& preamble) {
  const bool floating = isFloating(type);
  const auto own = [&](std::string_view name) {
    return helper(name, type, fmt::format("{}", fmt::join(operands, ", ")), preamble);
  };
  switch (kind) {
    case TernaryKind::Where:
      return fmt::format("{} != 0 ? {} : {}", operands[0], operands[1], operands[2]);
    case TernaryKind::Clamp:
      return own(floating ? "float_clamp" : "int_clamp");
    case TernaryKind::Lerp:
      return own("lerp");
    case TernaryKind::Addcmul: {
      // a + value * b * c, the scalar first, as eager writes it.
      const std::string& value = operands[3];
      if (isFloating(type)) return fmt::format("{} + {} * {} * {}", operands[0], value, operands[1], operands[2]);
      const std::string scaled = "(" + wrapping(type, value, "*", operands[1]) + ")";
      return wrapping(type, operands[0], "+", "(" + wrapping(type, scaled, "*", operands[2]) + ")");
    }
  }
  return operands[0];
}

std::string spellCast(DType from, DType to, const std::string& a, Preamble& preamble) {
  if (from == to) return a;
  if (to == DType::Bool) return a + " != 0";
  if (!isFloating(from) || isFloating(to)) {
    const bool sameLane = laneType(from) == laneType(to);
    return sameLane ? a : fmt::format("({}){}", laneType(to), a);
  }
  if (to == DType::Int64) return fmt::format("{}({})", preamble.use("to_int64"), a);
  const std::string whole = fmt::format("{}({})", preamble.use("to_int"), a);
  if (to == DType::Int32) return whole;
  const int bits = static_cast<int>(bytesOf(to)) * 8;
  const int lo = to == DType::UInt8 ? 0 : -(1 << (bits - 1));
  const int hi = to == DType::UInt8 ? 255 : (1 << (bits - 1)) - 1;
  return fmt::format("({}){}({}, {}, {})", laneType(to), preamble.use("saturate_int"), whole, lo, hi);
}

}  // namespace braid::codegen
