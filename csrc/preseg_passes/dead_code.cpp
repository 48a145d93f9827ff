#include "preseg_passes/dead_code.h"

#include "ir/rewriter.h"

namespace braid::preseg {

ir::Fusion deadCode(const ir::Fusion& in, const PassContext& context) {
  ir::Rewriter rewriter(in);
  for (const ir::Expr& expr : in.exprs()) rewriter.copy(expr);
  ir::Fusion result = rewriter.finish();
  for (const ir::Expr& expr : in.exprs()) {
    const std::string& name = in.value(expr.output).name();
    if (!result.find(name)) context.remark({"dead_code", name, "drop", true, "no output needs it"});
  }
  return result;
}

}  // namespace braid::preseg
