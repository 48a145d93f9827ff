#include "ir/rewriter.h"

#include <fmt/format.h>

#include "base/check.h"
#include "ir/text.h"

namespace braid::ir {

namespace {

/// Copies what the outputs need, in order.
Fusion withoutDeadCode(const Fusion& fusion) {
  IdMap<ValueId, char> needed(fusion.values().size(), 0);
  for (const Output& output : fusion.outputs()) needed[output.value] = 1;
  for (size_t i = fusion.exprs().size(); i-- > 0;) {
    const Expr& expr = fusion.exprs()[i];
    if (!needed[expr.output]) continue;
    for (const ValueId operand : expr.inputs) needed[operand] = 1;
  }
  FusionBuilder builder(fusion.name());
  IdMap<ValueId, ValueId> map(fusion.values().size());
  for (const Input& input : fusion.inputs()) {
    const TensorView& tensor = fusion.tensor(input.value);
    map[input.value] = fusion.value(input.value).kind == ValueKind::Parameter
                           ? builder.addParameter(tensor.name, tensor.dtype, tensor.loc)
                           : builder.addInput(tensor.name, tensor.dtype, tensor.shape(), input.layout, tensor.loc);
  }
  for (const Expr& expr : fusion.exprs()) {
    if (!needed[expr.output]) continue;
    std::vector<ValueId> operands;
    for (const ValueId operand : expr.inputs) {
      const Value& value = fusion.value(operand);
      if (value.kind == ValueKind::Literal && !map[operand].valid()) map[operand] = builder.literal(value.literal);
      operands.push_back(map[operand]);
    }
    map[expr.output] = builder.add(expr.op, std::move(operands), fusion.tensor(expr.output).name, expr.loc);
  }
  for (Output output : fusion.outputs()) {
    output.value = map[output.value];
    builder.addOutput(std::move(output));
  }
  for (const Constraint& constraint : fusion.constraints()) builder.addConstraint(constraint);
  return builder.finish();
}

}  // namespace

Rewriter::Rewriter(const Fusion& old)
    : old_(old), builder_(old.name()), map_(old.values().size()), outputs_(old.outputs()) {
  for (const Constraint& constraint : old.constraints()) builder_.addConstraint(constraint);
  for (const Value& value : old.values()) {
    if (value.kind != ValueKind::Literal) oldNames_.insert(value.name());
  }
  for (const Input& input : old.inputs()) {
    const TensorView& tensor = old.tensor(input.value);
    map_[input.value] = old.value(input.value).kind == ValueKind::Parameter
                            ? builder_.addParameter(tensor.name, tensor.dtype, tensor.loc)
                            : builder_.addInput(tensor.name, tensor.dtype, tensor.shape(), input.layout, tensor.loc);
    named_.insert(map_[input.value]);
  }
  for (uint32_t i = 0; i < old.values().size(); ++i) {
    const Value& value = old.values()[i];
    if (value.kind == ValueKind::Literal) map_[ValueId{i}] = builder_.literal(value.literal);
  }
}

ValueId Rewriter::map(ValueId old) const {
  BRAID_CHECK(map_[old].valid(), "{} has no place in the new fusion yet", describe(old_, old));
  return map_[old];
}

ValueId Rewriter::copy(const Expr& old) {
  std::vector<ValueId> operands;
  for (const ValueId operand : old.inputs) operands.push_back(map(operand));
  const size_t before = builder_.fusion().exprs().size();
  const ValueId result = builder_.add(old.op, std::move(operands), old_.tensor(old.output).name, old.loc);
  BRAID_CHECK(builder_.fusion().exprs().size() == before + 1, "copying {} inserted a cast or a broadcast",
              printExpr(old_, old));
  map_[old.output] = result;
  named_.insert(result);
  return result;
}

ValueId Rewriter::add(Op op, std::vector<ValueId> operands, const std::string& name, const Location& loc) {
  std::string unused = name;
  for (int number = 2; oldNames_.contains(unused) || builder_.unusedName(unused) != unused; ++number) {
    unused = fmt::format("{}_{}", name, number);
  }
  const size_t before = builder_.fusion().exprs().size();
  const ValueId result = builder_.add(std::move(op), std::move(operands), unused, loc);
  BRAID_CHECK(builder_.fusion().exprs().size() == before + 1, "adding {} inserted a cast or a broadcast", unused);
  return result;
}

ValueId Rewriter::literal(Scalar value) { return builder_.literal(value); }

void Rewriter::replace(ValueId old, ValueId replacement) {
  map_[old] = replacement;
  if (!builder_.fusion().definition(replacement) || !named_.insert(replacement).second) return;
  const std::string& name = old_.value(old).name();
  if (builder_.unusedName(name) == name) builder_.rename(replacement, name);
}

void Rewriter::deliver(size_t output, Output how) {
  how.value = outputs_[output].value;
  outputs_[output] = std::move(how);
}

Fusion Rewriter::finish() {
  for (Output output : outputs_) {
    output.value = map(output.value);
    builder_.addOutput(std::move(output));
  }
  return withoutDeadCode(builder_.fusion());
}

}  // namespace braid::ir
