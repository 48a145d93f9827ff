#include "ir/any_strides.h"

#include <algorithm>

#include "ir/builder.h"

namespace braid::ir {

Fusion withAnyStrides(const Fusion& fusion, const std::vector<std::string>& inputs) {
  FusionBuilder builder(fusion.name());
  IdMap<ValueId, ValueId> map(fusion.values().size());
  for (const Input& input : fusion.inputs()) {
    const TensorView& tensor = fusion.tensor(input.value);
    if (fusion.value(input.value).kind == ValueKind::Parameter) {
      map[input.value] = builder.addParameter(tensor.name, tensor.dtype, tensor.loc);
      continue;
    }
    Layout layout = input.layout;
    const bool isGiven = std::find(inputs.begin(), inputs.end(), tensor.name) != inputs.end();
    if (isGiven && layout.contiguous) layout = {false, std::vector<StrideSpec>(tensor.logical.size())};
    map[input.value] = builder.addInput(tensor.name, tensor.dtype, tensor.shape(), layout, tensor.loc);
  }
  for (const Expr& expr : fusion.exprs()) {
    std::vector<ValueId> operands;
    for (const ValueId operand : expr.inputs) {
      const Value& value = fusion.value(operand);
      operands.push_back(value.kind == ValueKind::Literal ? builder.literal(value.literal) : map[operand]);
    }
    map[expr.output] = builder.add(expr.op, operands, fusion.value(expr.output).name(), expr.loc);
  }
  for (const Output& output : fusion.outputs()) {
    builder.addOutput(output.name, map[output.value], output.explicitLayout ? &output.layout : nullptr);
  }
  for (const Constraint& constraint : fusion.constraints()) builder.addConstraint(constraint);
  return builder.finish();
}

}  // namespace braid::ir
