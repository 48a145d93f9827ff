#include "ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "ir/infer.h"
#include "ir/text.h"
#include "ir/view.h"

namespace braid::ir {

namespace {

void verifyNames(const Fusion& fusion) {
  std::set<std::string> names;
  for (const Value& value : fusion.values()) {
    if (value.kind == ValueKind::Literal) continue;
    BRAID_CHECK(!value.name().empty(), "a value of {} has no name", fusion.name());
    BRAID_CHECK(names.insert(value.name()).second, "two values of {} are named {}", fusion.name(), value.name());
  }
}

void verifyExpr(const Fusion& fusion, ExprId id, const IdMap<ValueId, char>& defined) {
  const Expr& expr = fusion.expr(id);
  const auto what = [&] { return fmt::format("{}: {}", fusion.name(), printExpr(fusion, expr)); };
  BRAID_CHECK(fusion.value(expr.output).definition == id, "{} is not what defines its result", what());
  for (const ValueId operand : expr.inputs) {
    BRAID_CHECK(defined[operand] != 0, "{} reads {} before it is defined", what(), describe(fusion, operand));
  }
  const Inferred inferred = infer(fusion, expr.op, expr.inputs, expr.loc);
  const TensorView& result = fusion.tensor(expr.output);
  BRAID_CHECK(inferred.dtype == result.dtype, "{} gives {}, its result is {}", what(), nameOf(inferred.dtype),
              describe(fusion, expr.output));
  BRAID_CHECK(inferred.logical == result.logical, "{} does not give the axes of {}", what(),
              describe(fusion, expr.output));
  const auto& known = fusion.constraints();
  for (const Constraint& each : inferred.constraints) {
    BRAID_CHECK(std::find(known.begin(), known.end(), each) != known.end(), "{} needs {} and {} to agree", what(),
                each.a.text(), each.b.text());
  }
}

void verifyOutputs(const Fusion& fusion, const IdMap<ValueId, char>& defined) {
  std::set<std::string> names;
  for (const Output& output : fusion.outputs()) {
    BRAID_CHECK(names.insert(output.name).second, "two outputs of {} are named {}", fusion.name(), output.name);
    BRAID_CHECK(fusion.value(output.value).kind == ValueKind::Tensor && defined[output.value] != 0,
                "output {} of {} is not defined", output.name, fusion.name());
    BRAID_CHECK(output.layout.contiguous || output.layout.strides.size() == fusion.tensor(output.value).logical.size(),
                "output {} of {} has a layout of another rank", output.name, fusion.name());
    BRAID_CHECK(output.kind == OutputKind::Computed || viewOf(fusion, output.value).has_value(),
                "output {} of {} is an alias but no view of an input", output.name, fusion.name());
  }
}

}  // namespace

void verify(const Fusion& fusion) {
  verifyNames(fusion);
  IdMap<ValueId, char> defined(fusion.values().size(), 0);
  for (uint32_t i = 0; i < fusion.values().size(); ++i) {
    defined[ValueId{i}] = fusion.values()[i].definition.valid() ? 0 : 1;
  }
  for (uint32_t i = 0; i < fusion.exprs().size(); ++i) {
    verifyExpr(fusion, ExprId{i}, defined);
    defined[fusion.exprs()[i].output] = 1;
  }
  verifyOutputs(fusion, defined);
}

}  // namespace braid::ir
