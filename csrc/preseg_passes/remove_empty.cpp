#include "preseg_passes/remove_empty.h"

#include <algorithm>

#include "ir/rewriter.h"

namespace braid::preseg {

namespace {

bool isEmpty(const ir::TensorView& tensor) {
  return std::any_of(tensor.logical.begin(), tensor.logical.end(),
                     [](const ir::IterDomain& axis) { return axis.extent.is(0); });
}

/// Values that an alias needs must stay what they are.
IdMap<ir::ValueId, char> neededByAliases(const ir::Fusion& fusion) {
  IdMap<ir::ValueId, char> needed(fusion.values().size(), 0);
  for (const ir::Output& output : fusion.outputs()) {
    if (output.kind == ir::OutputKind::Alias) needed[output.value] = 1;
  }
  for (size_t i = fusion.exprs().size(); i-- > 0;) {
    const ir::Expr& expr = fusion.exprs()[i];
    for (const ir::ValueId operand : expr.inputs) needed[operand] |= needed[expr.output];
  }
  return needed;
}

ir::Scalar zero() { return ir::Scalar::integral(0); }

/// The operands of a cat that have elements, if some have none.
std::vector<ir::ValueId> withElements(const ir::Fusion& fusion, const ir::Expr& expr) {
  std::vector<ir::ValueId> kept;
  for (const ir::ValueId operand : expr.inputs) {
    if (!isEmpty(fusion.tensor(operand))) kept.push_back(operand);
  }
  return kept;
}

}  // namespace

ir::Fusion removeEmpty(const ir::Fusion& in, const PassContext& context) {
  const IdMap<ir::ValueId, char> alias = neededByAliases(in);
  ir::Rewriter rewriter(in);
  for (const ir::Expr& expr : in.exprs()) {
    const ir::TensorView& result = in.tensor(expr.output);
    const bool isFull = std::holds_alternative<ir::Full>(expr.op);
    if (isEmpty(result) && !alias[expr.output] && !isFull) {
      context.remark({"remove_empty", result.name, "empty", true, "it has no elements"});
      rewriter.replace(expr.output, rewriter.add(ir::Full{result.shape(), zero(), result.dtype}, {},
                                                 result.name + ".empty", expr.loc));
      continue;
    }
    const auto* cat = std::get_if<ir::Cat>(&expr.op);
    const std::vector<ir::ValueId> kept = cat != nullptr ? withElements(in, expr) : std::vector<ir::ValueId>{};
    if (cat == nullptr || kept.empty() || kept.size() == expr.inputs.size()) {
      rewriter.copy(expr);
      continue;
    }
    context.remark({"remove_empty", result.name, "cat", true, "operands without elements are left out"});
    std::vector<ir::ValueId> mapped;
    for (const ir::ValueId operand : kept) mapped.push_back(rewriter.map(operand));
    if (mapped.size() == 1 && in.tensor(kept[0]).shape() == result.shape()) {
      rewriter.replace(expr.output, mapped[0]);
    } else {
      rewriter.replace(expr.output, rewriter.add(*cat, std::move(mapped), result.name + ".cat", expr.loc));
    }
  }
  return rewriter.finish();
}

}  // namespace braid::preseg
