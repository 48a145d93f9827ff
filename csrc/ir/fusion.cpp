#include "ir/fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace braid::ir {

std::string Location::text() const {
  if (file.empty()) return "";
  return line == 0 ? file : fmt::format("{}:{}", file, line);
}

Extents TensorView::shape() const {
  Extents result;
  for (const IterDomain& axis : logical) result.push_back(axis.extent);
  return result;
}

const Expr* Fusion::definition(ValueId id) const {
  const ExprId expr = values_[id.value].definition;
  return expr.valid() ? &exprs_[expr.value] : nullptr;
}

std::vector<ExprId> Fusion::uses(ValueId id) const {
  std::vector<ExprId> result;
  for (uint32_t i = 0; i < exprs_.size(); ++i) {
    const auto& inputs = exprs_[i].inputs;
    if (std::find(inputs.begin(), inputs.end(), id) != inputs.end()) result.push_back(ExprId{i});
  }
  return result;
}

bool Fusion::isInput(ValueId id) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [&](const Input& input) { return input.value == id; });
}

bool Fusion::isOutput(ValueId id) const {
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const Output& output) { return output.value == id; });
}

std::optional<ValueId> Fusion::find(std::string_view name) const {
  for (uint32_t i = 0; i < values_.size(); ++i) {
    if (values_[i].kind != ValueKind::Literal && values_[i].name() == name) return ValueId{i};
  }
  return std::nullopt;
}

namespace {

class SymbolList {
 public:
  void add(const Extent& extent) {
    for (const std::string& name : extent.symbols()) {
      if (seen_.insert(name).second) names_.push_back(name);
    }
  }
  void add(const Extents& extents) {
    for (const Extent& extent : extents) add(extent);
  }
  void add(const Layout& layout) {
    for (const StrideSpec& stride : layout.strides) {
      if (stride.value) add(*stride.value);
    }
  }
  void add(const Op& op) {
    if (const auto* slice = std::get_if<Slice>(&op)) {
      add(slice->start);
      add(slice->stop);
      add(slice->step);
    } else if (const auto* pad = std::get_if<Pad>(&op)) {
      add(pad->widths);
    } else if (const auto* select = std::get_if<SelectAt>(&op)) {
      add(select->bounds);
    }
    // The extents of all other ops are those of their results.
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
  std::set<std::string> seen_;
};

/// A value as an operand: by name, or by what it is.
bool sameOperand(const Fusion& f, ValueId a, const Fusion& g, ValueId b) {
  const Value& x = f.value(a);
  const Value& y = g.value(b);
  if (x.kind != y.kind) return false;
  return x.kind == ValueKind::Literal ? x.literal == y.literal : x.name() == y.name();
}

bool sameTensor(const TensorView& a, const TensorView& b) {
  return a.name == b.name && a.dtype == b.dtype && a.logical == b.logical;
}

}  // namespace

std::vector<std::string> Fusion::symbols() const {
  SymbolList list;
  for (const Input& input : inputs_) {
    list.add(tensor(input.value).shape());
    list.add(input.layout);
  }
  for (const Expr& expr : exprs_) {
    list.add(expr.op);
    list.add(tensor(expr.output).shape());
  }
  for (const Output& output : outputs_) list.add(output.layout);
  for (const Constraint& constraint : constraints_) {
    list.add(constraint.a);
    list.add(constraint.b);
  }
  return list.take();
}

bool Fusion::operator==(const Fusion& other) const {
  const auto sameInput = [&](const Input& a, const Input& b) {
    return value(a.value).kind == other.value(b.value).kind && sameTensor(tensor(a.value), other.tensor(b.value)) &&
           a.layout == b.layout;
  };
  const auto sameExpr = [&](const Expr& a, const Expr& b) {
    return a.op == b.op && sameTensor(tensor(a.output), other.tensor(b.output)) &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                      [&](ValueId x, ValueId y) { return sameOperand(*this, x, other, y); });
  };
  const auto sameOutput = [&](const Output& a, const Output& b) {
    return a.name == b.name && sameOperand(*this, a.value, other, b.value) && a.kind == b.kind &&
           a.layout == b.layout && a.explicitLayout == b.explicitLayout;
  };
  return name_ == other.name_ &&
         std::equal(inputs_.begin(), inputs_.end(), other.inputs_.begin(), other.inputs_.end(), sameInput) &&
         std::equal(exprs_.begin(), exprs_.end(), other.exprs_.begin(), other.exprs_.end(), sameExpr) &&
         std::equal(outputs_.begin(), outputs_.end(), other.outputs_.begin(), other.outputs_.end(), sameOutput) &&
         constraints_ == other.constraints_;
}

std::string describe(const Extents& shape) {
  std::vector<std::string> texts;
  for (const Extent& extent : shape) texts.push_back(extent.text());
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace braid::ir
