#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "braid/error.h"
#include "ir/infer.h"
#include "ir/infer_context.h"
#include "ir/normalise.h"
#include "ir/verify.h"
#include "ir/view.h"

namespace braid::ir {

FusionBuilder::FusionBuilder(std::string name) { fusion_.name_ = std::move(name); }

ValueId FusionBuilder::append(Value value) {
  fusion_.values_.push_back(std::move(value));
  return ValueId{static_cast<uint32_t>(fusion_.values_.size() - 1)};
}

std::string FusionBuilder::unusedName(const std::string& name) const {
  if (!names_.contains(name)) return name;
  for (int number = 2;; ++number) {
    std::string candidate = fmt::format("{}_{}", name, number);
    if (!names_.contains(candidate)) return candidate;
  }
}

std::string FusionBuilder::freshName(std::string_view op) {
  int& count = counts_.try_emplace(std::string(op), 0).first->second;
  std::string name;
  do {
    name = fmt::format("{}_{}", op, ++count);
  } while (names_.contains(name));
  return name;
}

void FusionBuilder::takeName(const std::string& name, const Location& loc) {
  if (names_.insert(name).second) return;
  if (automatic_.erase(name) != 0) {
    // A name that nobody gave makes way.
    Value& holder = fusion_.values_[fusion_.find(name)->value];
    holder.tensor.name = unusedName(name);
    names_.insert(holder.tensor.name);
    automatic_.insert(holder.tensor.name);
    return;
  }
  throw definitionError(ErrorCode::InvalidArgument, fusion_, {}, loc, fmt::format("the name {} is taken", name));
}

Extents FusionBuilder::withFreshSymbols(const std::string& name, Extents shape) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis].is(-1)) shape[axis] = Extent::symbol(fmt::format("{}.size{}", name, axis));
  }
  return shape;
}

ValueId FusionBuilder::addInput(const std::string& name, DType dtype, Extents shape, Layout layout, Location loc) {
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const auto constant = shape[axis].asConstant();
    if (!constant || *constant >= -1) continue;
    throw definitionError(ErrorCode::InvalidExtent, fusion_, {}, loc,
                          fmt::format("{}: extent {} of axis {} is negative", name, *constant, axis));
  }
  if (!layout.contiguous && layout.strides.size() != shape.size()) {
    throw definitionError(ErrorCode::InvalidStrides, fusion_, {}, loc,
                          fmt::format("{} has {} axes and {} strides", name, shape.size(), layout.strides.size()));
  }
  takeName(name, loc);
  Value value;
  value.tensor.name = name;
  value.tensor.dtype = dtype;
  value.tensor.loc = std::move(loc);
  for (Extent& extent : withFreshSymbols(name, std::move(shape))) {
    value.tensor.logical.push_back({std::move(extent), IterKind::Iteration});
  }
  const ValueId id = append(std::move(value));
  fusion_.inputs_.push_back({id, std::move(layout)});
  return id;
}

ValueId FusionBuilder::addParameter(const std::string& name, DType dtype, Location loc) {
  takeName(name, loc);
  Value value;
  value.kind = ValueKind::Parameter;
  value.tensor.name = name;
  value.tensor.dtype = dtype;
  value.tensor.loc = std::move(loc);
  const ValueId id = append(std::move(value));
  fusion_.inputs_.push_back({id, {}});
  return id;
}

ValueId FusionBuilder::literal(Scalar scalar) {
  Value value;
  value.kind = ValueKind::Literal;
  value.literal = scalar;
  return append(std::move(value));
}

ValueId FusionBuilder::add(Op op, std::vector<ValueId> operands, const std::string& name, Location loc) {
  std::vector<Constraint> constraints;
  op = normaliseAttributes(fusion_, std::move(op), operands, loc, constraints);
  operands = promoteOperands(*this, op, std::move(operands), loc);
  operands = broadcastOperands(*this, op, std::move(operands), loc);
  Inferred inferred = infer(fusion_, op, operands, loc);
  for (Constraint& each : constraints) addConstraint(std::move(each));
  for (Constraint& each : inferred.constraints) addConstraint(std::move(each));

  Value value;
  value.tensor.name = name.empty() ? freshName(nameOf(op)) : name;
  takeName(value.tensor.name, loc);
  if (name.empty()) automatic_.insert(value.tensor.name);
  value.tensor.dtype = inferred.dtype;
  value.tensor.logical = std::move(inferred.logical);
  value.tensor.loc = loc;
  value.definition = ExprId{static_cast<uint32_t>(fusion_.exprs_.size())};
  const ValueId id = append(std::move(value));
  fusion_.exprs_.push_back({std::move(op), std::move(operands), id, std::move(loc)});
  return id;
}

ValueId FusionBuilder::addImplicit(Op op, std::vector<ValueId> operands, const std::string& name, Location loc) {
  const std::string unused = unusedName(name);
  const ValueId id = add(std::move(op), std::move(operands), unused, std::move(loc));
  automatic_.insert(unused);
  return id;
}

void FusionBuilder::addOutput(const std::string& name, ValueId id, const Layout* explicitLayout, Location loc) {
  const Value& value = fusion_.value(id);
  const auto refuse = [&](ErrorCode code, const std::string& message) {
    return definitionError(code, fusion_, {{id}}, loc, fmt::format("return {}: {}", name, message));
  };
  if (value.kind != ValueKind::Tensor) {
    throw refuse(ErrorCode::InvalidArgument, "only a tensor can be an output");
  }
  if (explicitLayout != nullptr && !explicitLayout->contiguous &&
      explicitLayout->strides.size() != value.tensor.logical.size()) {
    throw refuse(ErrorCode::InvalidStrides,
                 fmt::format("{} axes and {} strides", value.tensor.logical.size(), explicitLayout->strides.size()));
  }
  Output output;
  output.name = name;
  output.value = id;
  output.explicitLayout = explicitLayout != nullptr;
  if (explicitLayout != nullptr) output.layout = *explicitLayout;
  const bool isView = explicitLayout == nullptr && viewOf(fusion_, id).has_value();
  output.kind = isView ? OutputKind::Alias : OutputKind::Computed;
  for (const Output& other : fusion_.outputs_) {
    if (other.name == name) throw refuse(ErrorCode::InvalidArgument, "two outputs have that name");
  }
  addOutput(std::move(output));
}

void FusionBuilder::addOutput(Output output) { fusion_.outputs_.push_back(std::move(output)); }

void FusionBuilder::addConstraint(Constraint constraint) {
  const auto& known = fusion_.constraints_;
  if (std::find(known.begin(), known.end(), constraint) == known.end()) {
    fusion_.constraints_.push_back(std::move(constraint));
  }
}

void FusionBuilder::rename(ValueId id, const std::string& name) {
  TensorView& tensor = fusion_.values_[id.value].tensor;
  if (tensor.name == name) return;
  takeName(name, tensor.loc);
  names_.erase(tensor.name);
  automatic_.erase(tensor.name);
  tensor.name = name;
}

Fusion FusionBuilder::finish() {
  for (const std::string& symbol : fusion_.symbols()) {
    if (const auto value = fusion_.find(symbol)) {
      throw definitionError(ErrorCode::InvalidArgument, fusion_, {{*value}}, {},
                            fmt::format("{} names an extent and a value", symbol));
    }
  }
  verify(fusion_);
  return fusion_;
}

}  // namespace braid::ir
