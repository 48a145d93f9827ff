#include "preseg_passes/common_subexpressions.h"

#include <fmt/format.h>

#include <map>

#include "ir/rewriter.h"
#include "ir/text.h"

namespace braid::preseg {

ir::Fusion commonSubexpressions(const ir::Fusion& in, const PassContext& context) {
  ir::Rewriter rewriter(in);
  std::map<std::string, ir::ValueId> known;  // by text, in which operands stand by name and numbers bit for bit
  for (const ir::Expr& expr : in.exprs()) {
    ir::Expr mapped = expr;
    for (ir::ValueId& operand : mapped.inputs) operand = rewriter.map(operand);
    const std::string text = ir::printExpr(rewriter.current(), mapped);
    if (const auto it = known.find(text); it != known.end()) {
      const std::string& kept = rewriter.current().value(it->second).name();
      context.remark(
          {"common_subexpressions", in.value(expr.output).name(), "merge", true, fmt::format("is {} again", kept)});
      rewriter.replace(expr.output, it->second);
      continue;
    }
    known.emplace(text, rewriter.copy(expr));
  }
  return rewriter.finish();
}

}  // namespace braid::preseg
