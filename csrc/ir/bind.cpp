#include "ir/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "braid/error.h"
#include "ir/view.h"

namespace braid::ir {

namespace {

std::string listText(const std::vector<int64_t>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

class Binder {
 public:
  Binder(const Fusion& fusion, const std::map<std::string, TensorShape>& tensors, const Symbols& dims)
      : fusion_(fusion), tensors_(tensors), dims_(dims) {}

  Symbols bind() {
    checkNames();
    for (const Input& input : fusion_.inputs()) checkRankAndType(input);
    takeDims();
    forEachAxis([&](const TensorView& tensor, size_t axis, int64_t size) {
      if (const auto symbol = tensor.logical[axis].extent.asSymbol()) set(*symbol, size, place(tensor, axis));
    });
    forEachAxis([&](const TensorView& tensor, size_t axis, int64_t size) { divide(tensor, axis, size); });
    bindStrides();
    checkAllBound();
    forEachAxis([&](const TensorView& tensor, size_t axis, int64_t size) { checkExtent(tensor, axis, size); });
    for (const Input& input : fusion_.inputs()) checkStrides(input);
    for (const Constraint& constraint : fusion_.constraints()) check(constraint);
    return symbols_;
  }

 private:
  bool isTensor(const Input& input) const { return fusion_.value(input.value).kind == ValueKind::Tensor; }
  const TensorShape& shapeOf(const TensorView& tensor) const { return tensors_.at(tensor.name); }

  template <class Visit>
  void forEachAxis(const Visit& visit) const {
    for (const Input& input : fusion_.inputs()) {
      if (!isTensor(input)) continue;
      const TensorView& tensor = fusion_.tensor(input.value);
      for (size_t axis = 0; axis < tensor.logical.size(); ++axis) visit(tensor, axis, shapeOf(tensor).sizes[axis]);
    }
  }

  static std::string place(const TensorView& tensor, size_t axis) {
    return fmt::format("axis {} of {}", axis, tensor.name);
  }

  void checkNames() const {
    std::vector<std::string> names;
    for (const Input& input : fusion_.inputs()) {
      if (isTensor(input)) names.push_back(fusion_.value(input.value).name());
    }
    for (const std::string& name : names) {
      if (tensors_.contains(name)) continue;
      throw Error(ErrorCode::UnknownName,
                  fmt::format("{}: the input {} is missing", fusion_.name(), describe(fusion_, *fusion_.find(name))));
    }
    for (const auto& [name, shape] : tensors_) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      throw Error(ErrorCode::UnknownName, fmt::format("{} has no input {}", fusion_.name(), name))
          .note(fmt::format("its inputs are {}", fmt::join(names, ", ")));
    }
  }

  void checkRankAndType(const Input& input) const {
    if (!isTensor(input)) return;
    const TensorView& tensor = fusion_.tensor(input.value);
    const TensorShape& given = shapeOf(tensor);
    const std::string declared = describe(fusion_, input.value);
    if (given.dtype != tensor.dtype) {
      throw Error(ErrorCode::InvalidDType, fmt::format("{} is given as {}", declared, nameOf(given.dtype)));
    }
    if (static_cast<int64_t>(given.sizes.size()) != tensor.rank()) {
      throw Error(ErrorCode::InvalidRank, fmt::format("{} has {} axes, the argument has {}: {}", declared,
                                                      tensor.rank(), given.sizes.size(), listText(given.sizes)));
    }
    if (given.strides.size() != given.sizes.size()) {
      throw Error(ErrorCode::InvalidStrides,
                  fmt::format("{}: {} sizes and {} strides", declared, given.sizes.size(), given.strides.size()));
    }
    for (const int64_t size : given.sizes) {
      if (size >= 0) continue;
      throw Error(ErrorCode::InvalidExtent, fmt::format("{} is given with sizes {}", declared, listText(given.sizes)));
    }
  }

  void set(const std::string& symbol, int64_t value, const std::string& where) {
    const auto [it, isNew] = symbols_.emplace(symbol, value);
    if (isNew) {
      places_[symbol] = where;
      return;
    }
    if (it->second == value) return;
    throw Error(ErrorCode::ShapeMismatch,
                fmt::format("{} is {} by {} and {} by {}", symbol, it->second, places_[symbol], value, where));
  }

  void takeDims() {
    const std::vector<std::string> known = fusion_.symbols();
    for (const auto& [name, value] : dims_) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        throw Error(ErrorCode::UnknownName, fmt::format("{} has no extent {}", fusion_.name(), name))
            .note(known.empty() ? "its extents are constants"
                                : fmt::format("its extents are {}", fmt::join(known, ", ")));
      }
      if (value < 0) throw Error(ErrorCode::InvalidExtent, fmt::format("{} is given as {}", name, value));
      set(name, value, "what was given");
    }
  }

  /// An axis `G * 384` gives G.
  void divide(const TensorView& tensor, size_t axis, int64_t size) {
    const Extent& extent = tensor.logical[axis].extent;
    const std::vector<std::string> names = extent.symbols();
    if (names.size() != 1 || symbols_.contains(names[0])) return;
    const auto factor = index::exactQuotient(extent, Extent::symbol(names[0]));
    const auto number = factor ? factor->asConstant() : std::nullopt;
    if (!number || *number <= 0) return;
    if (size % *number != 0) {
      throw Error(ErrorCode::InvalidExtent, fmt::format("{} has {} elements, no multiple of {} as {} needs",
                                                        place(tensor, axis), size, *number, extent.text()));
    }
    set(names[0], size / *number, place(tensor, axis));
  }

  bool stridesMatter(const TensorShape& shape, size_t axis) const {
    const bool isEmpty = std::find(shape.sizes.begin(), shape.sizes.end(), 0) != shape.sizes.end();
    return !isEmpty && shape.sizes[axis] != 1;
  }

  void bindStrides() {
    // Where strides do not matter, those of a row-major tensor stand in.
    for (const Input& input : fusion_.inputs()) {
      if (!isTensor(input) || input.layout.contiguous) continue;
      const TensorView& tensor = fusion_.tensor(input.value);
      const TensorShape& shape = shapeOf(tensor);
      int64_t running = 1;
      for (size_t axis = shape.sizes.size(); axis-- > 0;) {
        const auto& spec = input.layout.strides[axis].value;
        const bool matters = stridesMatter(shape, axis);
        const int64_t stride = matters ? shape.strides[axis] : running;
        if (stride < 0) {
          throw Error(ErrorCode::InvalidStrides,
                      fmt::format("stride {} of {} is {}: strides are not negative", axis, tensor.name, stride));
        }
        if (!spec) set(strideSymbol(tensor.name, axis), stride, fmt::format("stride {} of {}", axis, tensor.name));
        if (spec && matters && spec->asSymbol()) {
          set(*spec->asSymbol(), stride, fmt::format("stride {} of {}", axis, tensor.name));
        }
        running *= std::max<int64_t>(1, shape.sizes[axis]);
      }
    }
    // A stride name that no axis binds, since all of its axes have extent 1, may be anything.
    for (const Input& input : fusion_.inputs()) {
      for (const StrideSpec& spec : input.layout.strides) {
        const auto symbol = spec.value ? spec.value->asSymbol() : std::nullopt;
        if (symbol && !symbols_.contains(*symbol)) symbols_.emplace(*symbol, 1);
      }
    }
  }

  void checkAllBound() const {
    for (const std::string& symbol : fusion_.symbols()) {
      if (symbols_.contains(symbol)) continue;
      throw Error(ErrorCode::UnknownName, fmt::format("{}: the extent {} is not known", fusion_.name(), symbol))
          .note(fmt::format("no axis of an input is {} alone; give it in dims (--dim {}=…)", symbol, symbol));
    }
  }

  void checkExtent(const TensorView& tensor, size_t axis, int64_t size) const {
    const Extent& extent = tensor.logical[axis].extent;
    const int64_t expected = extent.evaluate(symbols_);
    if (expected == size) return;
    const std::string meaning = extent.isConstant() ? "" : fmt::format(" ({})", extent.text());
    throw Error(ErrorCode::ShapeMismatch,
                fmt::format("{} has {} elements, not {}{}", place(tensor, axis), size, expected, meaning))
        .note(describe(fusion_, *fusion_.find(tensor.name)));
  }

  void checkStrides(const Input& input) const {
    if (!isTensor(input)) return;
    const TensorView& tensor = fusion_.tensor(input.value);
    const TensorShape& shape = shapeOf(tensor);
    const std::vector<Extent> declared = inputStrides(fusion_, input);
    for (size_t axis = 0; axis < declared.size(); ++axis) {
      if (!stridesMatter(shape, axis)) continue;
      const int64_t expected = declared[axis].evaluate(symbols_);
      if (expected == shape.strides[axis]) continue;
      throw Error(ErrorCode::InvalidStrides, fmt::format("{} has strides {}; stride {} must be {}", tensor.name,
                                                         listText(shape.strides), axis, expected))
          .note(input.layout.contiguous
                    ? fmt::format("{} is declared contiguous; declare strides(…, *) to take any", tensor.name)
                    : describe(fusion_, input.value));
    }
  }

  void check(const Constraint& constraint) const {
    const int64_t a = constraint.a.evaluate(symbols_), b = constraint.b.evaluate(symbols_);
    const auto holds = [&] {
      switch (constraint.kind) {
        case Constraint::Kind::Equal:
          return a == b;
        case Constraint::Kind::LessEqual:
          return a <= b;
        case Constraint::Kind::Less:
          return a < b;
      }
      return false;
    };
    if (holds()) return;
    const auto relation = constraint.kind == Constraint::Kind::Equal       ? "=="
                          : constraint.kind == Constraint::Kind::LessEqual ? "<="
                                                                           : "<";
    // A side that is a number says what it is.
    std::vector<std::string> values;
    if (!constraint.a.isConstant()) values.push_back(fmt::format("{} is {}", constraint.a.text(), a));
    if (!constraint.b.isConstant()) values.push_back(fmt::format("{} is {}", constraint.b.text(), b));
    Error error(ErrorCode::ConstraintFailed, fmt::format("{} {} {} must hold, but {}", constraint.a.text(), relation,
                                                         constraint.b.text(), fmt::join(values, " and ")));
    if (!constraint.origin.empty()) error.note(constraint.origin);
    std::set<std::string> symbols;
    for (const Extent* side : {&constraint.a, &constraint.b}) {
      for (const std::string& symbol : side->symbols()) symbols.insert(symbol);
    }
    for (const std::string& symbol : symbols) {
      const auto it = places_.find(symbol);
      const std::string where = it == places_.end() ? "" : fmt::format(" by {}", it->second);
      error.note(fmt::format("{} is {}{}", symbol, symbols_.at(symbol), where));
    }
    throw error;
  }

  const Fusion& fusion_;
  const std::map<std::string, TensorShape>& tensors_;
  const Symbols& dims_;
  Symbols symbols_;
  std::map<std::string, std::string> places_;  ///< what bound a symbol
};

}  // namespace

Symbols bindSymbols(const Fusion& fusion, const std::map<std::string, TensorShape>& tensors, const Symbols& dims) {
  return Binder(fusion, tensors, dims).bind();
}

}  // namespace braid::ir
