#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "base/overloaded.h"
#include "ir/text.h"

namespace braid::ir {

std::string print(const Scalar& scalar) {
  if (scalar.kind == Scalar::Kind::Bool) return scalar.integer != 0 ? "true" : "false";
  if (scalar.kind == Scalar::Kind::Int) return std::to_string(scalar.integer);
  const double value = scalar.floating;
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  if (std::isnan(value)) {
    const uint64_t bits = std::bit_cast<uint64_t>(value) & ~(uint64_t(1) << 63);
    return sign + (bits == 0x7ff8000000000000 ? "nan" : fmt::format("nan(0x{:x})", bits));
  }
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

namespace {

std::string text(const Extents& list) { return describe(list); }
std::string text(const Extent& extent) { return extent.text(); }
std::string text(const std::vector<int64_t>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }
std::string text(int64_t number) { return std::to_string(number); }
std::string text(const Scalar& scalar) { return print(scalar); }
std::string text(DType type) { return std::string(nameOf(type)); }

/// Defaults are not printed.
bool isDefault(const Op& op, std::string_view field) {
  if (const auto* slice = std::get_if<Slice>(&op)) return field == "step" && slice->step.empty();
  if (const auto* pad = std::get_if<Pad>(&op)) return field == "value" && pad->value == Scalar::integral(0);
  if (const auto* iota = std::get_if<Iota>(&op)) {
    return (field == "start" && iota->start == Scalar::integral(0)) ||
           (field == "step" && iota->step == Scalar::integral(1));
  }
  return false;
}

std::string operandText(const Fusion& fusion, ValueId id) {
  const Value& value = fusion.value(id);
  return value.kind == ValueKind::Literal ? print(value.literal) : value.name();
}

/// Keywords of operands that are written as attributes: clamp(x, min=a, max=b).
std::string operandKeyword(const Op& op, size_t operand) {
  const auto* ternary = std::get_if<Ternary>(&op);
  if (ternary == nullptr) return "";
  if (ternary->kind == TernaryKind::Clamp) return operand == 1 ? "min=" : operand == 2 ? "max=" : "";
  return ternary->kind == TernaryKind::Addcmul && operand == 3 ? "value=" : "";
}

template <class T>
void printFields(const Op& op, const T& attributes, std::vector<std::string>& arguments) {
  std::apply(
      [&](const auto&... field) {
        const auto one = [&](const auto& each) {
          if (!isDefault(op, each.name)) {
            arguments.push_back(fmt::format("{}={}", each.name, text(attributes.*each.member)));
          }
        };
        (one(field), ...);
      },
      T::kFields);
}

std::string layoutText(const Layout& layout) {
  if (layout.contiguous) return "strides(contiguous)";
  std::vector<std::string> parts;
  for (const StrideSpec& stride : layout.strides) parts.push_back(stride.value ? stride.value->text() : "*");
  return fmt::format("strides({})", fmt::join(parts, ", "));
}

std::string typeText(const TensorView& tensor) {
  return fmt::format("{}{}", nameOf(tensor.dtype), describe(tensor.shape()));
}

std::string inputText(const Fusion& fusion, const Input& input) {
  const Value& value = fusion.value(input.value);
  if (value.kind == ValueKind::Parameter) return fmt::format("{}: {}", value.name(), nameOf(value.dtype()));
  const std::string type = fmt::format("{}: {}", value.name(), typeText(value.tensor));
  return input.layout.contiguous ? type : fmt::format("{} {}", type, layoutText(input.layout));
}

std::string outputText(const Fusion& fusion, const Output& output) {
  const std::string& value = fusion.value(output.value).name();
  std::string result = output.name == value ? value : fmt::format("{} = {}", output.name, value);
  if (output.explicitLayout) result += " " + layoutText(output.layout);
  return result;
}

std::string constraintText(const Constraint& constraint) {
  const auto relation = [&] {
    switch (constraint.kind) {
      case Constraint::Kind::Equal:
        return "==";
      case Constraint::Kind::LessEqual:
        return "<=";
      case Constraint::Kind::Less:
        return "<";
    }
    return "";
  };
  return fmt::format("{} {} {}", constraint.a.text(), relation(), constraint.b.text());
}

template <class List, class ToText>
std::string joined(const List& list, const ToText& toText) {
  std::string result;
  for (const auto& each : list) result += (result.empty() ? "" : ", ") + toText(each);
  return result;
}

}  // namespace

std::string printExpr(const Fusion& fusion, const Expr& expr) {
  std::vector<std::string> arguments;
  for (size_t k = 0; k < expr.inputs.size(); ++k) {
    arguments.push_back(operandKeyword(expr.op, k) + operandText(fusion, expr.inputs[k]));
  }
  std::visit(overloaded{
                 [](const Unary&) {},
                 [](const Binary&) {},
                 [](const Ternary&) {},
                 [&](const Reduce& op) { arguments.push_back(fmt::format("dims={}", text(op.dims))); },
                 [&](const auto& op) { printFields(expr.op, op, arguments); },
             },
             expr.op);
  return fmt::format("{}({})", nameOf(expr.op), fmt::join(arguments, ", "));
}

std::string print(const Fusion& fusion, const PrintOptions& options) {
  std::string result =
      fmt::format("fusion {}{}({})", options.version ? "v1 " : "", fusion.name(),
                  joined(fusion.inputs(), [&](const Input& input) { return inputText(fusion, input); }));
  if (!fusion.constraints().empty()) {
    result += fmt::format(" where {}", joined(fusion.constraints(), constraintText));
  }
  result += " {\n";
  for (const Expr& expr : fusion.exprs()) {
    const TensorView& value = fusion.tensor(expr.output);
    result += fmt::format("  {}: {} = {}", value.name, typeText(value), printExpr(fusion, expr));
    if (options.locations && !expr.loc.text().empty()) result += fmt::format("  # {}", expr.loc.text());
    result += "\n";
  }
  return result + fmt::format("  return {}\n}}\n", joined(fusion.outputs(), [&](const Output& output) {
                                return outputText(fusion, output);
                              }));
}

std::string describe(const Fusion& fusion, ValueId id) {
  const Value& value = fusion.value(id);
  switch (value.kind) {
    case ValueKind::Literal:
      return print(value.literal);
    case ValueKind::Parameter:
      return fmt::format("{}: {}", value.name(), nameOf(value.dtype()));
    case ValueKind::Tensor:
      return fmt::format("{}: {}", value.name(), typeText(value.tensor));
  }
  return "";
}

}  // namespace braid::ir
