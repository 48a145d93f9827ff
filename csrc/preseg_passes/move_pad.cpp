#include "preseg_passes/move_pad.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/infer.h"
#include "ir/prove.h"
#include "ir/rewriter.h"
#include "preseg_passes/pad_widths.h"

namespace braid::preseg {

namespace {

class PadMover {
 public:
  PadMover(const ir::Fusion& in, const PassContext& context) : in_(in), context_(context), rewriter_(in) {}

  ir::Fusion run() {
    for (const ir::Expr& expr : in_.exprs()) {
      std::optional<ir::ValueId> moved;
      if (const auto* pad = std::get_if<ir::Pad>(&expr.op)) moved = movedPad(expr, *pad);
      if (const auto* cat = std::get_if<ir::Cat>(&expr.op)) moved = movedCat(expr, *cat);
      if (moved) {
        rewriter_.replace(expr.output, *moved);
      } else {
        rewriter_.copy(expr);
      }
    }
    return rewriter_.finish();
  }

 private:
  const ir::Fusion& now() const { return rewriter_.current(); }
  /// By value: the fusion grows while the expression is looked at.
  std::optional<ir::Expr> definition(ir::ValueId value) const {
    const ir::Expr* expr = now().definition(value);
    return expr == nullptr ? std::nullopt : std::optional(*expr);
  }
  std::string padName(ir::ValueId value) const { return now().value(value).name() + ".pad"; }

  void decline(const ir::Expr& expr, std::string_view rule, const std::string& reason) const {
    context_.remark({"move_pad", in_.value(expr.output).name(), std::string(rule), false, reason});
  }
  void fire(const ir::Expr& expr, std::string_view rule, const std::string& what) const {
    context_.remark({"move_pad", in_.value(expr.output).name(), std::string(rule), true, what});
  }

  // Pads whose value is seen.

  std::optional<ir::ValueId> movedPad(const ir::Expr& expr, const ir::Pad& pad) {
    const ir::ValueId operand = rewriter_.map(expr.inputs[0]);
    const Widths widths = widthsOf(pad, now().tensor(operand).logical.size());
    std::string reason;
    const auto moved = exactly(operand, widths, pad.value, reason);
    if (!moved) {
      decline(expr, "pad", reason);
      return std::nullopt;
    }
    fire(expr, "pad", fmt::format("the pad stands before {} now", now().value(operand).name()));
    return moved;
  }

  /// pad(value, widths, number), moved at least one op; nothing (and why) if it stays where it is.
  std::optional<ir::ValueId> exactly(ir::ValueId value, const Widths& widths, const ir::Scalar& number,
                                     std::string& reason) {
    const auto expr = definition(value);
    if (!expr) {
      reason = fmt::format("{} is an input", now().value(value).name());
      return std::nullopt;
    }
    if (const auto inner = innerWidths(*expr, number, value, reason))
      return mergedPad(*expr, *inner, widths, number, reason);
    if (!reason.empty()) return std::nullopt;
    if (ir::isPointwise(expr->op)) return reselected(value, widths, number, reason);
    ir::Op op = expr->op;
    if (const auto through = throughMovement(now(), *expr, widths, op)) {
      const ir::ValueId source = padded(expr->inputs[0], *through, number);
      return rewriter_.add(std::move(op), {source}, padName(value), expr->loc);
    }
    reason = fmt::format("{} is made by {}, in which the padded axis is no axis of the operand",
                         now().value(value).name(), nameOf(expr->op));
    return std::nullopt;
  }

  /// A pad or slice in front of a pad: what it adds or cuts. A reason if it must stay.
  std::optional<Widths> innerWidths(const ir::Expr& inner, const ir::Scalar& number, ir::ValueId value,
                                    std::string& reason) const {
    if (const auto* pad = std::get_if<ir::Pad>(&inner.op)) {
      if (!sameElement(pad->value, number, now().value(value).dtype())) {
        reason = "the pads write different values";
        return std::nullopt;
      }
      return widthsOf(*pad, now().tensor(value).logical.size());
    }
    if (const auto* slice = std::get_if<ir::Slice>(&inner.op)) {
      const auto cut = cutOf(*slice, now().tensor(inner.inputs[0]).shape());
      if (!cut) reason = fmt::format("{} has steps", now().value(value).name());
      return cut;
    }
    return std::nullopt;
  }

  std::optional<ir::ValueId> mergedPad(const ir::Expr& inner, const Widths& first, const Widths& second,
                                       const ir::Scalar& number, std::string& reason) {
    const auto both = merged(first, second);
    if (!both) {
      reason =
          fmt::format("{} cuts where the pad adds: what is cut must not come back", now().value(inner.output).name());
      return std::nullopt;
    }
    return padded(inner.inputs[0], *both, number);
  }

  /// Numbers compare as the elements they become; two floats by their bits.
  static bool sameElement(const ir::Scalar& a, const ir::Scalar& b, DType dtype) {
    if (a == b) return true;
    if (!isFloating(dtype) || a.kind == ir::Scalar::Kind::Bool || b.kind == ir::Scalar::Kind::Bool) return false;
    const auto real = [](const ir::Scalar& number) {
      return number.kind == ir::Scalar::Kind::Float ? number : ir::Scalar::real(static_cast<double>(number.integer));
    };
    return real(a) == real(b);
  }

  /// pad(value, widths, number), moved as far as it goes.
  ir::ValueId padded(ir::ValueId value, const Widths& widths, const ir::Scalar& number) {
    if (isZero(widths)) return value;
    std::string reason;
    if (const auto moved = exactly(value, widths, number, reason)) return *moved;
    return addPad(value, widths, number);
  }

  ir::ValueId addPad(ir::ValueId value, const Widths& widths, const ir::Scalar& number) {
    const auto known = std::find_if(pads_.begin(), pads_.end(), [&](const KnownPad& each) {
      return each.of == value && each.widths == widths && each.number == number;
    });
    if (known != pads_.end()) return known->result;
    const ir::ValueId result = rewriter_.add(ir::Pad{padAttribute(widths), number}, {value}, padName(value));
    pads_.push_back({value, widths, number, result});
    return result;
  }

  /// The value's op on padded operands, with the number put back by position.
  std::optional<ir::ValueId> reselected(ir::ValueId value, const Widths& widths, const ir::Scalar& number,
                                        std::string& reason) {
    for (const Width& each : widths) {
      for (const ir::Extent& side : {each.lo, each.hi}) {
        if (ir::provedLessEqual(0, side) || ir::provedLessEqual(side, 0)) continue;
        reason = fmt::format("it is not known whether the width {} cuts or adds", side.text());
        return std::nullopt;
      }
    }
    const ir::Extents shape = now().tensor(value).shape();
    ir::ValueId result = interior(value, widths);
    for (size_t axis = 0; axis < widths.size(); ++axis)
      result = reselectedAxis(result, axis, shape[axis], widths[axis], number);
    return result;
  }

  ir::ValueId reselectedAxis(ir::ValueId value, size_t axis, const ir::Extent& n, const Width& width,
                             const ir::Scalar& number) {
    const bool before = !ir::provedLessEqual(width.lo, 0), after = !ir::provedLessEqual(width.hi, 0);
    if (!before && !after) return value;
    const ir::TensorView tensor = now().tensor(value);
    const ir::ValueId filler = filled({tensor.shape(), number, tensor.dtype}, tensor.name + ".fill");
    std::vector<ir::ValueId> operands{value};
    ir::Extents bounds;
    if (before) {
      operands.insert(operands.begin(), filler);
      bounds.push_back(width.lo);
    }
    if (after) {
      operands.push_back(filler);
      bounds.push_back(width.lo + n);
    }
    return rewriter_.add(ir::SelectAt{static_cast<int64_t>(axis), bounds}, operands, tensor.name + ".select");
  }

  /// One tensor of a number for all selects that want it.
  ir::ValueId filled(const ir::Full& full, const std::string& name) {
    const auto known = std::find_if(fills_.begin(), fills_.end(), [&](const auto& each) { return each.first == full; });
    if (known != fills_.end()) return known->second;
    return fills_.emplace_back(full, rewriter_.add(full, {}, name)).second;
  }

  // Pads whose value nobody sees: a select by position takes only what is inside.

  /// A value that agrees with pad(value, widths) at every position that `value` has.
  ir::ValueId interior(ir::ValueId value, const Widths& widths) {
    if (isZero(widths)) return value;
    const auto known = std::find_if(interiors_.begin(), interiors_.end(),
                                    [&](const KnownPad& each) { return each.of == value && each.widths == widths; });
    if (known != interiors_.end()) return known->result;
    const ir::ValueId result = makeInterior(value, widths);
    interiors_.push_back({value, widths, {}, result});
    return result;
  }

  ir::ValueId makeInterior(ir::ValueId value, const Widths& widths) {
    const auto expr = definition(value);
    if (!expr) return addPad(value, widths, zero());
    if (ir::isPointwise(expr->op)) return pointwiseInterior(value, *expr, widths);
    if (const auto* select = std::get_if<ir::SelectAt>(&expr->op)) return selectInterior(value, *expr, *select, widths);
    if (const auto* full = std::get_if<ir::Full>(&expr->op)) {
      ir::Full larger = *full;
      for (size_t i = 0; i < widths.size(); ++i) larger.shape[i] = widths[i].lo + larger.shape[i] + widths[i].hi;
      return rewriter_.add(larger, {}, padName(value), expr->loc);
    }
    std::string reason;
    const auto* pad = std::get_if<ir::Pad>(&expr->op);
    if (const auto inner = innerWidths(*expr, pad != nullptr ? pad->value : zero(), value, reason)) {
      if (const auto both = merged(*inner, widths))
        return padded(expr->inputs[0], *both, pad != nullptr ? pad->value : zero());
    }
    ir::Op op = expr->op;
    if (const auto through = throughMovement(now(), *expr, widths, op)) {
      const ir::ValueId source = interior(expr->inputs[0], *through);
      return rewriter_.add(std::move(op), {source}, padName(value), expr->loc);
    }
    if (const auto repeated = repeatedInterior(value, *expr, widths)) return *repeated;
    return addPad(value, widths, zero());
  }

  static ir::Scalar zero() { return ir::Scalar::integral(0); }

  ir::ValueId pointwiseInterior(ir::ValueId value, const ir::Expr& expr, const Widths& widths) {
    std::vector<ir::ValueId> operands;
    for (const ir::ValueId operand : expr.inputs) {
      const bool isTensor = now().value(operand).kind == ir::ValueKind::Tensor;
      operands.push_back(isTensor ? interior(operand, widths) : operand);
    }
    return rewriter_.add(expr.op, std::move(operands), padName(value), expr.loc);
  }

  ir::ValueId selectInterior(ir::ValueId value, const ir::Expr& expr, const ir::SelectAt& select,
                             const Widths& widths) {
    ir::SelectAt shifted = select;
    for (ir::Extent& bound : shifted.bounds) bound = bound + widths[static_cast<size_t>(select.dim)].lo;
    std::vector<ir::ValueId> operands;
    for (const ir::ValueId operand : expr.inputs) operands.push_back(interior(operand, widths));
    return rewriter_.add(shifted, std::move(operands), padName(value), expr.loc);
  }

  /// An axis that repeats one element repeats it in the padding too.
  std::optional<ir::ValueId> repeatedInterior(ir::ValueId value, const ir::Expr& expr, const Widths& widths) {
    const auto* broadcast = std::get_if<ir::BroadcastInDim>(&expr.op);
    const auto* expand = std::get_if<ir::Expand>(&expr.op);
    if (broadcast == nullptr && expand == nullptr) return std::nullopt;
    Widths own = widths, repeated(widths.size());
    const ir::TensorView tensor = now().tensor(value);
    for (size_t axis = 0; axis < widths.size(); ++axis) {
      if (tensor.logical[axis].kind == ir::IterKind::Broadcast) std::swap(own[axis], repeated[axis]);
    }
    ir::Op op = expr.op;
    const auto through = throughMovement(now(), expr, own, op);
    if (!through) return std::nullopt;
    auto& shape = broadcast != nullptr ? std::get<ir::BroadcastInDim>(op).shape : std::get<ir::Expand>(op).shape;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      shape[axis] = repeated[axis].lo + shape[axis] + repeated[axis].hi;
    const ir::ValueId source = interior(expr.inputs[0], *through);
    return rewriter_.add(std::move(op), {source}, padName(value), expr.loc);
  }

  // Cats.

  std::optional<ir::ValueId> movedCat(const ir::Expr& expr, const ir::Cat& cat) {
    const auto dim = static_cast<size_t>(cat.dim);
    std::vector<ir::ValueId> branches;
    for (const ir::ValueId operand : expr.inputs) branches.push_back(rewriter_.map(operand));
    const bool computes =
        std::any_of(branches.begin(), branches.end(), [&](ir::ValueId each) { return isComputed(each); });
    if (branches.size() < 2 || !computes) {
      decline(expr, "cat", "its branches are read as they are");
      return std::nullopt;
    }
    ir::Extents ends;
    ir::Extent total = 0;
    for (const ir::ValueId branch : branches) {
      total = total + now().tensor(branch).logical[dim].extent;
      ends.push_back(total);
    }
    if (!agreeElsewhere(branches, dim)) {
      decline(expr, "cat", "only a constraint makes its branches agree");
      return std::nullopt;
    }
    for (size_t k = 0; k < branches.size(); ++k) {
      const ir::Extent before = k == 0 ? ir::Extent(0) : ends[k - 1];
      Widths widths(now().tensor(branches[k]).logical.size());
      widths[dim] = {before, total - ends[k]};
      branches[k] = interior(branches[k], widths);
    }
    ends.pop_back();
    fire(expr, "cat", "its branches are padded at their inputs, the position selects");
    return selected(branches, {cat.dim, ends}, in_.value(expr.output).name() + ".select", expr.loc);
  }

  /// Full shapes must be provably equal but for the axis of the cat, or the select would need constraints of its own.
  bool agreeElsewhere(const std::vector<ir::ValueId>& branches, size_t dim) const {
    const ir::Extents first = now().tensor(branches[0]).shape();
    return std::all_of(branches.begin(), branches.end(), [&](ir::ValueId branch) {
      const ir::Extents shape = now().tensor(branch).shape();
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        if (axis != dim && !index::mustEqual(shape[axis], first[axis])) return false;
      }
      return true;
    });
  }

  /// True if some pointwise op lies on the way to the inputs, before any pad, cat or select.
  bool isComputed(ir::ValueId value) const {
    const ir::Expr* expr = now().definition(value);
    if (expr == nullptr) return false;
    if (ir::isPointwise(expr->op)) return true;
    const bool passes =
        std::holds_alternative<ir::Permute>(expr->op) || std::holds_alternative<ir::Reshape>(expr->op) ||
        std::holds_alternative<ir::BroadcastInDim>(expr->op) || std::holds_alternative<ir::Expand>(expr->op) ||
        std::holds_alternative<ir::Squeeze>(expr->op) || std::holds_alternative<ir::Flip>(expr->op);
    return passes && isComputed(expr->inputs[0]);
  }

  /// The select of branches; what they all do is done after it.
  ir::ValueId selected(const std::vector<ir::ValueId>& branches, const ir::SelectAt& select, const std::string& name,
                       const ir::Location& loc) {
    const bool allSame =
        std::all_of(branches.begin(), branches.end(), [&](ir::ValueId each) { return each == branches[0]; });
    if (allSame) return branches[0];
    if (const auto shared = sharedOp(branches)) {
      std::vector<ir::ValueId> operands;
      for (size_t k = 0; k < shared->inputs.size(); ++k) {
        std::vector<ir::ValueId> column;
        for (const ir::ValueId branch : branches) column.push_back(now().definition(branch)->inputs[k]);
        const bool isTensor = now().value(column[0]).kind == ir::ValueKind::Tensor;
        operands.push_back(isTensor ? selected(column, select, name, loc) : column[0]);
      }
      return rewriter_.add(shared->op, std::move(operands), name, loc);
    }
    return rewriter_.add(select, branches, name, loc);
  }

  /// The pointwise op that every branch ends with, if doing it once saves more than the selects it needs: at most one
  /// operand may differ between the branches.
  std::optional<ir::Expr> sharedOp(const std::vector<ir::ValueId>& branches) const {
    const ir::Expr* first = now().definition(branches[0]);
    if (first == nullptr || !ir::isPointwise(first->op)) return std::nullopt;
    size_t differing = 0;
    for (size_t k = 0; k < first->inputs.size(); ++k) {
      bool same = true;
      for (const ir::ValueId branch : branches) {
        const ir::Expr* expr = now().definition(branch);
        if (expr == nullptr || expr->op != first->op || expr->inputs.size() != first->inputs.size())
          return std::nullopt;
        if (now().value(expr->inputs[k]).kind != now().value(first->inputs[k]).kind) return std::nullopt;
        if (!sameValue(expr->inputs[k], first->inputs[k])) same = false;
        if (!sameValue(expr->inputs[k], first->inputs[k]) && !selectable(expr->inputs[k], first->inputs[k]))
          return std::nullopt;
      }
      differing += same ? 0 : 1;
    }
    return differing <= 1 ? std::optional(*first) : std::nullopt;
  }

  bool sameValue(ir::ValueId a, ir::ValueId b) const {
    const ir::Value &x = now().value(a), &y = now().value(b);
    return a == b || (x.kind == ir::ValueKind::Literal && y.kind == ir::ValueKind::Literal && x.literal == y.literal);
  }
  bool selectable(ir::ValueId a, ir::ValueId b) const {
    const ir::Value &x = now().value(a), &y = now().value(b);
    return x.kind == ir::ValueKind::Tensor && x.dtype() == y.dtype() && x.tensor.shape() == y.tensor.shape();
  }

  struct KnownPad {
    ir::ValueId of;
    Widths widths;
    ir::Scalar number;
    ir::ValueId result;
  };

  const ir::Fusion& in_;
  const PassContext& context_;
  ir::Rewriter rewriter_;
  std::vector<KnownPad> pads_, interiors_;
  std::vector<std::pair<ir::Full, ir::ValueId>> fills_;
};

}  // namespace

ir::Fusion movePad(const ir::Fusion& in, const PassContext& context) { return PadMover(in, context).run(); }

}  // namespace braid::preseg
