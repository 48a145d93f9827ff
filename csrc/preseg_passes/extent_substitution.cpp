#include "preseg_passes/extent_substitution.h"

#include <fmt/format.h>

#include <map>

#include "base/overloaded.h"
#include "id_model/id_model.h"
#include "ir/rewriter.h"

namespace braid::preseg {

namespace {

using Substitutions = std::map<std::string, ir::Extent>;

/// Names whose class owns another extent.
Substitutions ownedExtents(const ir::Fusion& fusion) {
  const id_model::IdModel model = id_model::buildIdModel(fusion, id_model::Mode::Exact);
  const id_model::ValGraph& graph = model.graph();
  Substitutions result;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const id_model::NodeId node{i};
    const ir::Extent& own = graph.ownExtent(node);
    const ir::Extent& owned = graph.extentOf(node);
    if (own == owned || !own.asSymbol()) continue;
    result.emplace(*own.asSymbol(), owned);
  }
  // A name may not come back by way of another: S -> T and T -> 8 is S -> 8.
  for (auto& [name, extent] : result) {
    for (size_t steps = 0; steps < result.size(); ++steps) extent = extent.substitute(result);
  }
  return result;
}

}  // namespace

ir::Fusion extentSubstitution(const ir::Fusion& in, const PassContext& context) {
  const Substitutions owned = ownedExtents(in);
  ir::Rewriter rewriter(in);
  for (const ir::Expr& expr : in.exprs()) {
    ir::Expr replaced = expr;
    const auto substitute = [&](ir::Extent& extent) { extent = extent.substitute(owned); };
    if (auto* op = std::get_if<ir::BroadcastInDim>(&replaced.op)) {
      for (size_t axis = 0; axis < op->shape.size(); ++axis) {
        const auto kind = in.tensor(expr.output).logical[axis].kind;
        if (kind == ir::IterKind::Broadcast) substitute(op->shape[axis]);
      }
      // An axis that repeats an operand's repeated axis has that axis's extent, whatever it is called now.
      for (size_t i = 0; i < op->dims.size(); ++i) {
        const ir::Extent& n = rewriter.current().tensor(rewriter.map(expr.inputs[0])).extent(static_cast<int64_t>(i));
        if (!n.is(1)) op->shape[static_cast<size_t>(op->dims[i])] = n;
      }
    } else if (auto* expand = std::get_if<ir::Expand>(&replaced.op)) {
      for (size_t axis = 0; axis < expand->shape.size(); ++axis) {
        const ir::Extent& n =
            rewriter.current().tensor(rewriter.map(expr.inputs[0])).extent(static_cast<int64_t>(axis));
        if (n.is(1)) {
          substitute(expand->shape[axis]);
        } else {
          expand->shape[axis] = n;
        }
      }
    } else if (auto* full = std::get_if<ir::Full>(&replaced.op)) {
      for (ir::Extent& extent : full->shape) substitute(extent);
    } else if (auto* iota = std::get_if<ir::Iota>(&replaced.op)) {
      substitute(iota->extent);
    }
    if (replaced.op != expr.op) {
      context.remark({"extent_substitution", in.value(expr.output).name(), "extent", true,
                      "takes the extent that its axis class owns"});
    }
    rewriter.copy(replaced);
  }
  return rewriter.finish();
}

}  // namespace braid::preseg
