#include "preseg_passes/consecutive_cast.h"

#include <fmt/format.h>

#include "ir/infer.h"
#include "ir/rewriter.h"

namespace braid::preseg {

namespace {

int significandBits(DType type) {
  switch (type) {
    case DType::BFloat16:
      return 8;
    case DType::Float16:
      return 11;
    case DType::Float32:
      return 24;
    case DType::Float64:
      return 53;
    case DType::Bool:
    case DType::UInt8:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
      break;
  }
  return 0;
}

int integerBits(DType type) {
  if (type == DType::Bool) return 1;
  const int bits = static_cast<int>(bytesOf(type)) * 8;
  return type == DType::UInt8 ? bits : bits - 1;
}

/// Every value of `from` is one of `to`.
bool holdsAll(DType to, DType from) {
  if (to == from) return true;
  if (to == DType::Bool || (isFloating(from) && !isFloating(to))) return false;
  // f16 has fewer exponents than bf16, bf16 fewer digits than f16: neither holds the other.
  if (isFloating(from)) return ir::promote(to, from) == to;
  if (isFloating(to)) return integerBits(from) <= significandBits(to);
  const bool signFits = to != DType::UInt8 || from == DType::Bool;
  return signFits && integerBits(from) <= integerBits(to);
}

}  // namespace

ir::Fusion consecutiveCast(const ir::Fusion& in, const PassContext& context) {
  ir::Rewriter rewriter(in);
  for (const ir::Expr& expr : in.exprs()) {
    const auto* outer = std::get_if<ir::Cast>(&expr.op);
    const ir::Expr* inner = outer != nullptr ? in.definition(expr.inputs[0]) : nullptr;
    if (inner == nullptr || !std::holds_alternative<ir::Cast>(inner->op)) {
      rewriter.copy(expr);
      continue;
    }
    const DType from = in.value(inner->inputs[0]).dtype();
    const DType between = std::get<ir::Cast>(inner->op).dtype;
    const std::string& name = in.value(expr.output).name();
    const bool bytesWouldStay = from == DType::Bool && outer->dtype == DType::Bool;
    if (!holdsAll(between, from) || bytesWouldStay) {
      context.remark({"consecutive_cast", name, "skip", false,
                      bytesWouldStay ? "the casts make every byte 0 or 1"
                                     : fmt::format("{} does not hold every {}", nameOf(between), nameOf(from))});
      rewriter.copy(expr);
      continue;
    }
    context.remark(
        {"consecutive_cast", name, "skip", true,
         fmt::format("{} to {} at once, {} loses nothing", nameOf(from), nameOf(outer->dtype), nameOf(between))});
    const ir::ValueId source = rewriter.map(inner->inputs[0]);
    rewriter.replace(expr.output,
                     from == outer->dtype ? source : rewriter.add(*outer, {source}, name + ".cast", expr.loc));
  }
  return rewriter.finish();
}

}  // namespace braid::preseg
