// Text → Fusion, by recursive descent; docs/text_form.md has the grammar. Attributes are read by the type of the field
// that they fill, so an op needs no code here.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "braid/error.h"
#include "index/text.h"
#include "ir/builder.h"
#include "ir/cursor.h"
#include "ir/sugar.h"
#include "ir/text.h"

namespace braid::ir {

namespace {

constexpr int kMaxDepth = 200;  // of nested calls

void read(Cursor& cursor, Extents& value) { value = cursor.extents(); }
void read(Cursor& cursor, Extent& value) { value = cursor.extent(); }
void read(Cursor& cursor, std::vector<int64_t>& value) { value = cursor.integers(); }
void read(Cursor& cursor, int64_t& value) { value = cursor.integer(); }
void read(Cursor& cursor, DType& value) { value = cursor.dtype(); }
void read(Cursor& cursor, Scalar& value) {
  if (!cursor.seesScalar()) cursor.failHere("expected a number, true or false");
  value = cursor.scalar();
}

bool isOptional(std::string_view op, std::string_view field) {
  static const std::set<std::pair<std::string_view, std::string_view>> kOptional = {
      {"slice", "step"}, {"pad", "value"}, {"iota", "start"}, {"iota", "step"}, {"iota", "dtype"}, {"full", "dtype"}};
  return kOptional.contains({op, field});
}

DType typeOfNumber(const Scalar& number) {
  switch (number.kind) {
    case Scalar::Kind::Bool:
      return DType::Bool;
    case Scalar::Kind::Int:
      return DType::Int64;
    case Scalar::Kind::Float:
      return DType::Float32;
  }
  return DType::Float32;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : cursor_(text, file), builder_("") {}

  Fusion parse() {
    cursor_.expect("fusion", "at the start");
    cursor_.accept("v1");
    builder_ = FusionBuilder(cursor_.name("the fusion's name"));
    cursor_.expect("(", "and the parameters");
    if (!cursor_.sees(")")) {
      do {
        parameter();
      } while (cursor_.accept(","));
    }
    cursor_.expect(")", "or ',' after a parameter");
    if (cursor_.accept("where")) {
      do {
        constraint();
      } while (cursor_.accept(","));
    }
    cursor_.expect("{", "and the statements");
    while (!cursor_.sees("return")) statement();
    cursor_.expect("return", "");
    do {
      output();
    } while (cursor_.accept(","));
    cursor_.expect("}", "or ',' after an output");
    if (!cursor_.atEnd()) cursor_.failHere("expected the end");
    return builder_.finish();
  }

 private:
  void parameter() {
    const Location loc = cursor_.location();
    const std::string name = cursor_.name("a parameter");
    checkUnreserved(name);
    cursor_.expect(":", "and the parameter's type");
    const DType type = cursor_.dtype();
    if (!cursor_.sees("[")) {
      builder_.addParameter(name, type, loc);
      return;
    }
    Extents shape = cursor_.extents();
    Layout layout;
    if (cursor_.sees("strides")) layout = strides();
    builder_.addInput(name, type, std::move(shape), std::move(layout), loc);
  }

  void checkUnreserved(const std::string& name) {
    static const std::set<std::string> kReserved = {"true", "false", "inf", "nan", "return", "where"};
    if (kReserved.contains(name))
      cursor_.failHere(fmt::format("'{}' cannot name a value: expected another name", name));
  }

  Layout strides() {
    cursor_.expect("strides", "");
    cursor_.expect("(", "and the strides");
    Layout layout;
    if (cursor_.accept("contiguous")) {
      cursor_.expect(")", "after contiguous");
      return layout;
    }
    layout.contiguous = false;
    while (!cursor_.accept(")")) {
      if (!layout.strides.empty()) cursor_.expect(",", "or ')' after a stride");
      StrideSpec spec;
      if (!cursor_.accept("*")) spec.value = cursor_.extent();
      layout.strides.push_back(std::move(spec));
    }
    return layout;
  }

  void constraint() {
    Constraint constraint{Constraint::Kind::Equal, cursor_.extent(), 0, "where"};
    const auto is = [&](std::string_view token) { return cursor_.accept(token); };
    bool swapped = false;
    if (is("==")) {
      constraint.kind = Constraint::Kind::Equal;
    } else if (is("<=")) {
      constraint.kind = Constraint::Kind::LessEqual;
    } else if (is("<")) {
      constraint.kind = Constraint::Kind::Less;
    } else if (is(">=")) {
      constraint.kind = Constraint::Kind::LessEqual;
      swapped = true;
    } else if (is(">")) {
      constraint.kind = Constraint::Kind::Less;
      swapped = true;
    } else {
      cursor_.failHere("expected ==, <=, <, >= or > in a constraint");
    }
    constraint.b = cursor_.extent();
    if (swapped) std::swap(constraint.a, constraint.b);
    builder_.addConstraint(std::move(constraint));
  }

  void statement() {
    const Location loc = cursor_.location();
    std::vector<std::string> names;
    do {
      names.push_back(cursor_.name("a statement or 'return'"));
      checkUnreserved(names.back());
    } while (cursor_.accept(","));
    std::optional<std::pair<DType, Extents>> type;
    const size_t typeAt = cursor_.position();
    if (cursor_.accept(":")) {
      type.emplace(cursor_.dtype(), Extents{});
      if (!cursor_.sees("[")) cursor_.failHere("expected '[' and the extents of the result");
      type->second = cursor_.extents();
    }
    cursor_.expect("=", "and an operation");
    const size_t at = cursor_.position();
    const std::string op = cursor_.name("an operation");
    if (!cursor_.sees("(")) cursor_.fail(at, fmt::format("expected an operation; set({}) copies a value", op));
    const std::vector<ValueId> results = call(op, at, names, loc);
    if (results.size() != names.size()) {
      cursor_.fail(at, fmt::format("expected {} name{} before '=': {} gives as many results", results.size(),
                                   results.size() == 1 ? "" : "s", op));
    }
    if (type) checkType(results[0], *type, typeAt);
  }

  void checkType(ValueId value, const std::pair<DType, Extents>& type, size_t at) {
    const TensorView& tensor = builder_.fusion().tensor(value);
    const Extents shape = tensor.shape();
    const bool fits = tensor.dtype == type.first &&
                      std::equal(shape.begin(), shape.end(), type.second.begin(), type.second.end(), index::mustEqual);
    if (fits) return;
    cursor_.fail(at, fmt::format("expected the result's type, which is {}{}, not {}{}", nameOf(tensor.dtype),
                                 describe(shape), nameOf(type.first), describe(type.second)));
  }

  ValueId operand() {
    if (cursor_.seesScalar()) return builder_.literal(cursor_.scalar());
    const Location loc = cursor_.location();
    const size_t at = cursor_.position();
    const std::string name = cursor_.name("an operand");
    if (cursor_.sees("(")) {
      const std::vector<ValueId> results = call(name, at, {}, loc);
      if (results.size() != 1) cursor_.fail(at, fmt::format("expected one value, {} gives {}", name, results.size()));
      return results[0];
    }
    return find(name, at);
  }

  ValueId find(const std::string& name, size_t at) {
    if (const auto value = builder_.fusion().find(name)) return *value;
    std::vector<std::string> names;
    for (const Value& value : builder_.fusion().values()) names.push_back(value.name());
    const std::string close = nearest(name, names);
    cursor_.fail(at, fmt::format("expected the name of a value, {} is none{}", name,
                                 close.empty() ? "" : fmt::format("; did you mean {}?", close)));
  }

  // Calls. `at` is where the op's name stands.
  std::vector<ValueId> call(const std::string& op, size_t at, const std::vector<std::string>& names,
                            const Location& loc) {
    if (++depth_ > kMaxDepth) cursor_.fail(at, "expected less nesting");
    cursor_.expect("(", "and operands");
    std::optional<std::vector<ValueId>> results = scalarCall(op, names, loc);
    if (!results) results = attributeCall<Op>(op, at, names, loc);
    if (!results) results = attributeCall<Sugar>(op, at, names, loc);
    if (!results) failUnknownOp(op, at);
    --depth_;
    return *results;
  }

  [[noreturn]] void failUnknownOp(const std::string& op, size_t at) {
    std::vector<std::string> names;
    const auto append = [&](const auto& list) {
      for (const std::string_view name : list) names.emplace_back(name);
    };
    append(kUnaryNames);
    append(kBinaryNames);
    append(kTernaryNames);
    append(kReduceNames);
    collectNames<Op>(names);
    collectNames<Sugar>(names);
    const std::string close = nearest(op, names);
    cursor_.fail(at, fmt::format("expected an operation, '{}' is none{}", op,
                                 close.empty() ? "" : fmt::format("; did you mean {}?", close)));
  }

  template <class Variant, size_t I = 0>
  static void collectNames(std::vector<std::string>& names) {
    if constexpr (I < std::variant_size_v<Variant>) {
      using T = std::variant_alternative_t<I, Variant>;
      if constexpr (requires { T::kFields; }) names.emplace_back(T::kName);
      collectNames<Variant, I + 1>(names);
    }
  }

  /// Unary, binary, ternary and reduction ops: their operands may carry keywords.
  std::optional<std::vector<ValueId>> scalarCall(const std::string& op, const std::vector<std::string>& names,
                                                 const Location& loc) {
    const auto kindOf = [&](const auto& list) -> std::optional<size_t> {
      const auto it = std::find(std::begin(list), std::end(list), op);
      return it == std::end(list) ? std::nullopt : std::optional(static_cast<size_t>(it - std::begin(list)));
    };
    const auto result = [&](Op basic, std::vector<ValueId> operands) {
      return std::optional(std::vector{builder_.add(std::move(basic), std::move(operands), oneName(names), loc)});
    };
    if (const auto kind = kindOf(kUnaryNames)) return result(Unary{static_cast<UnaryKind>(*kind)}, operands(op, {}));
    if (const auto kind = kindOf(kBinaryNames)) return result(Binary{static_cast<BinaryKind>(*kind)}, operands(op, {}));
    if (const auto kind = kindOf(kTernaryNames)) return ternary(static_cast<TernaryKind>(*kind), names, loc);
    if (const auto kind = kindOf(kReduceNames)) {
      Reduce reduce{static_cast<ReduceKind>(*kind), {}, false};
      std::vector<ValueId> operands;
      arguments(op, operands, {"dims", "keepdim"}, [&](const std::string& key) {
        if (key == "dims") reduce.dims = cursor_.integers();
        if (key == "keepdim") reduce.keepdim = cursor_.boolean();
      });
      return result(reduce, std::move(operands));
    }
    return std::nullopt;
  }

  static std::string oneName(const std::vector<std::string>& names) { return names.size() == 1 ? names[0] : ""; }

  std::vector<ValueId> operands(const std::string& op, const std::vector<std::string>& keywords) {
    std::vector<ValueId> result;
    arguments(op, result, keywords, [](const std::string&) {});
    return result;
  }

  std::optional<std::vector<ValueId>> ternary(TernaryKind kind, const std::vector<std::string>& names,
                                              const Location& loc) {
    std::vector<std::string> keywords;
    if (kind == TernaryKind::Clamp) keywords = {"min", "max"};
    if (kind == TernaryKind::Addcmul) keywords = {"value"};
    std::map<std::string, ValueId> given;
    std::vector<ValueId> operands;
    arguments(std::string(nameOf(kind)), operands, keywords, [&](const std::string& key) { given[key] = operand(); });
    Op op = Ternary{kind};
    if (kind == TernaryKind::Clamp && operands.size() == 1 && given.size() == 1) {
      // One bound is the maximum or the minimum with it.
      op = Binary{given.contains("min") ? BinaryKind::Maximum : BinaryKind::Minimum};
    }
    for (const std::string& key : keywords) {
      if (given.contains(key)) operands.push_back(given[key]);
    }
    if (kind == TernaryKind::Addcmul && operands.size() == 3) operands.push_back(builder_.literal(Scalar::integral(1)));
    return std::vector{builder_.add(std::move(op), std::move(operands), oneName(names), loc)};
  }

  template <class Variant, size_t I = 0>
  std::optional<std::vector<ValueId>> attributeCall(const std::string& op, size_t at,
                                                    const std::vector<std::string>& names, const Location& loc) {
    if constexpr (I == std::variant_size_v<Variant>) {
      return std::nullopt;
    } else {
      using T = std::variant_alternative_t<I, Variant>;
      if constexpr (requires { T::kFields; }) {
        if (op == T::kName) {
          auto [attributes, values] = readCall<T>(at);
          return define(std::move(attributes), std::move(values), names, loc);
        }
      }
      return attributeCall<Variant, I + 1>(op, at, names, loc);
    }
  }

  std::vector<ValueId> define(Op op, std::vector<ValueId> operands, const std::vector<std::string>& names,
                              const Location& loc) {
    return {builder_.add(std::move(op), std::move(operands), oneName(names), loc)};
  }
  std::vector<ValueId> define(Sugar op, const std::vector<ValueId>& operands, const std::vector<std::string>& names,
                              const Location& loc) {
    return addSugar(builder_, op, operands, names, loc);
  }

  template <class T>
  std::pair<T, std::vector<ValueId>> readCall(size_t at) {
    T attributes{};
    if constexpr (std::is_same_v<T, Iota>) attributes.step = Scalar::integral(1);
    std::vector<std::string> keys;
    std::apply([&](const auto&... field) { (keys.emplace_back(field.name), ...); }, T::kFields);
    std::set<std::string> seen;
    std::vector<ValueId> operands;
    const bool hasDims = std::find(keys.begin(), keys.end(), "dims") != keys.end();
    std::vector<std::string> accepted = keys;
    if (hasDims) accepted.emplace_back("dim");
    arguments(std::string(T::kName), operands, accepted, [&](const std::string& written) {
      const std::string key = hasDims && written == "dim" ? "dims" : written;
      seen.insert(key);
      std::apply(
          [&](const auto&... field) { ((field.name == key ? read(cursor_, attributes.*field.member) : void()), ...); },
          T::kFields);
    });
    for (const std::string& key : keys) {
      if (!seen.contains(key) && !isOptional(T::kName, key)) {
        cursor_.fail(at, fmt::format("expected {}= in {}", key, T::kName));
      }
    }
    if constexpr (std::is_same_v<T, Full>) {
      if (!seen.contains("dtype")) attributes.dtype = typeOfNumber(attributes.value);
    }
    if constexpr (std::is_same_v<T, Iota>) {
      const bool isFloat = attributes.start.kind == Scalar::Kind::Float || attributes.step.kind == Scalar::Kind::Float;
      if (!seen.contains("dtype")) attributes.dtype = isFloat ? DType::Float32 : DType::Int64;
    }
    return {std::move(attributes), std::move(operands)};
  }

  /// Reads up to the closing parenthesis: operands, then `key=value` for the accepted keys.
  template <class OnAttribute>
  void arguments(const std::string& op, std::vector<ValueId>& operands, const std::vector<std::string>& accepted,
                 const OnAttribute& onAttribute) {
    std::set<std::string> seen;
    while (!cursor_.accept(")")) {
      if (!operands.empty() || !seen.empty()) {
        cursor_.expect(",", fmt::format("or ')' after an argument of {}", op));
      }
      const size_t at = cursor_.position();
      const auto key = attributeKey();
      if (!key) {
        if (!seen.empty()) cursor_.failHere("expected an attribute: operands come first");
        operands.push_back(operand());
        continue;
      }
      if (std::find(accepted.begin(), accepted.end(), *key) == accepted.end()) {
        const std::string close = nearest(*key, accepted);
        cursor_.fail(
            at, fmt::format("expected {} in {}, found '{}'{}",
                            accepted.empty() ? "no attribute" : fmt::format("one of {}", fmt::join(accepted, ", ")), op,
                            *key, close.empty() ? "" : fmt::format("; did you mean {}?", close)));
      }
      if (!seen.insert(*key).second) cursor_.fail(at, fmt::format("expected {} once", *key));
      onAttribute(*key);
    }
  }

  /// `name =`, if that is what comes next.
  std::optional<std::string> attributeKey() {
    if (!cursor_.seesName()) return std::nullopt;
    Cursor ahead = cursor_;
    std::string key = ahead.name("an attribute");
    if (ahead.sees("==") || !ahead.accept("=")) return std::nullopt;
    cursor_ = ahead;
    return key;
  }

  void output() {
    const Location loc = cursor_.location();
    size_t at = cursor_.position();
    std::string name = cursor_.name("an output");
    std::optional<ValueId> value;
    if (cursor_.accept("=")) {
      value = operand();
    } else {
      value = find(name, at);
      name = unusedOutputName(name);
    }
    if (cursor_.sees("strides")) {
      const Layout layout = strides();
      builder_.addOutput(name, *value, &layout, loc);
    } else {
      builder_.addOutput(name, *value, nullptr, loc);
    }
  }

  /// A value that is returned twice under its own name: the second output is name_2.
  std::string unusedOutputName(const std::string& name) const {
    const auto taken = [&](const std::string& candidate) {
      const auto& outputs = builder_.fusion().outputs();
      return std::any_of(outputs.begin(), outputs.end(), [&](const Output& each) { return each.name == candidate; });
    };
    std::string candidate = name;
    for (int number = 2; taken(candidate); ++number) candidate = fmt::format("{}_{}", name, number);
    return candidate;
  }

  Cursor cursor_;
  FusionBuilder builder_;
  int depth_ = 0;
};

}  // namespace

Fusion parse(std::string_view text, std::string_view file) { return Parser(text, file).parse(); }

}  // namespace braid::ir
