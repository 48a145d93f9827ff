#include "runtime/call_binding.h"

#include <fmt/format.h>

#include <algorithm>

#include "braid/error.h"
#include "evaluator/host_array.h"
#include "ir/view.h"
#include "runtime/overlap.h"

namespace braid::runtime {

namespace {

std::string listText(const std::vector<int64_t>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

bool isEmpty(const std::vector<int64_t>& sizes) { return std::find(sizes.begin(), sizes.end(), 0) != sizes.end(); }

class CallBinder {
 public:
  CallBinder(const ir::Fusion& fusion, const ExecuteArguments& arguments) : fusion_(fusion), arguments_(arguments) {}

  CallBinding run() {
    std::map<std::string, ir::TensorShape> tensors;
    for (const auto& [name, tensor] : arguments_.inputs) {
      tensors.emplace(name, ir::TensorShape{tensor.dtype, tensor.sizes, tensor.strides});
    }
    binding_.symbols = ir::bindSymbols(fusion_, tensors, arguments_.dims);
    checkScalars();
    checkOutputNames();
    for (const ir::Output& output : fusion_.outputs()) addShape(output);
    return std::move(binding_);
  }

 private:
  void checkScalars() const {
    std::vector<std::string> names;
    for (const ir::Input& input : fusion_.inputs()) {
      const ir::Value& value = fusion_.value(input.value);
      if (value.kind != ir::ValueKind::Parameter) continue;
      names.push_back(value.name());
      if (arguments_.scalars.contains(value.name())) continue;
      throw Error(ErrorCode::UnknownName, fmt::format("{}: the parameter {}: {} is missing", fusion_.name(),
                                                      value.name(), nameOf(value.dtype())));
    }
    for (const auto& [name, scalar] : arguments_.scalars) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      throw Error(ErrorCode::UnknownName, fmt::format("{} has no parameter {}", fusion_.name(), name))
          .note(names.empty() ? "it has none" : fmt::format("its parameters are {}", fmt::join(names, ", ")));
    }
  }

  void checkOutputNames() const {
    for (const auto& [name, buffer] : arguments_.outputs) {
      const bool isKnown = std::any_of(fusion_.outputs().begin(), fusion_.outputs().end(),
                                       [&](const ir::Output& output) { return output.name == name; });
      if (isKnown) continue;
      std::vector<std::string> names;
      for (const ir::Output& output : fusion_.outputs()) names.push_back(output.name);
      throw Error(ErrorCode::UnknownName, fmt::format("{} has no output {}", fusion_.name(), name))
          .note(fmt::format("its outputs are {}", fmt::join(names, ", ")));
    }
  }

  void addShape(const ir::Output& output) {
    const ir::TensorView& tensor = fusion_.tensor(output.value);
    OutputShape shape;
    shape.name = output.name;
    shape.dtype = tensor.dtype;
    for (const ir::IterDomain& axis : tensor.logical) shape.sizes.push_back(axis.extent.evaluate(binding_.symbols));
    const auto given = arguments_.outputs.find(output.name);
    const bool isGiven = given != arguments_.outputs.end();
    if (isGiven) checkBuffer(output, shape, given->second);
    binding_.isCopied.push_back(output.kind == ir::OutputKind::Alias && isGiven);
    if (output.kind == ir::OutputKind::Alias) {
      isGiven
          ? setStrides(output, shape, buffersStrides(shape, given->second, evaluator::contiguousStrides(shape.sizes)))
          : setView(output, shape);
    } else {
      const std::vector<int64_t> strides = layoutStrides(output, shape, isGiven ? &given->second : nullptr);
      if (isGiven) checkStrides(output, shape, strides, given->second);
      setStrides(output, shape, strides);
    }
    binding_.shapes.push_back(std::move(shape));
  }

  std::string described(const ir::Output& output) const {
    const ir::TensorView& tensor = fusion_.tensor(output.value);
    return fmt::format("output {}: {}{}", output.name, nameOf(tensor.dtype), ir::describe(tensor.shape()));
  }

  void checkBuffer(const ir::Output& output, const OutputShape& shape, const TensorView& buffer) const {
    if (buffer.dtype != shape.dtype) {
      throw Error(ErrorCode::InvalidDType,
                  fmt::format("{} is given a buffer of {}", described(output), nameOf(buffer.dtype)));
    }
    if (buffer.sizes != shape.sizes) {
      throw Error(ErrorCode::ShapeMismatch, fmt::format("{} has sizes {}, its buffer {}", described(output),
                                                        listText(shape.sizes), listText(buffer.sizes)));
    }
    if (buffer.strides.size() != buffer.sizes.size()) {
      throw Error(ErrorCode::InvalidStrides, fmt::format("{}: a buffer of {} sizes and {} strides", described(output),
                                                         buffer.sizes.size(), buffer.strides.size()));
    }
    for (size_t axis = 0; axis < buffer.strides.size(); ++axis) {
      if (buffer.strides[axis] >= 0 || !matters(shape, axis)) continue;
      throw Error(ErrorCode::InvalidStrides, fmt::format("{}: stride {} of its buffer is {}: strides are not negative",
                                                         described(output), axis, buffer.strides[axis]));
    }
  }

  /// Strides of axes of extent 1 and of empty tensors are ignored.
  static bool matters(const OutputShape& shape, size_t axis) { return shape.sizes[axis] != 1 && !isEmpty(shape.sizes); }

  static std::vector<int64_t> buffersStrides(const OutputShape& shape, const TensorView& buffer,
                                             std::vector<int64_t> strides) {
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      if (matters(shape, axis)) strides[axis] = buffer.strides[axis];
    }
    return strides;
  }

  void setView(const ir::Output& output, OutputShape& shape) {
    const auto view = ir::viewOf(fusion_, output.value);
    shape.isAlias = true;
    shape.aliasOf = fusion_.value(view->input).name();
    shape.aliasOffset = isEmpty(shape.sizes) ? 0 : view->offset.evaluate(binding_.symbols);
    for (const ir::Extent& stride : view->strides) shape.strides.push_back(stride.evaluate(binding_.symbols));
  }

  /// What the declaration asks for. A `*` is the buffer's stride; without a buffer the axes of `*` are packed around
  /// those that are declared, innermost first: contiguous if all are `*`.
  std::vector<int64_t> layoutStrides(const ir::Output& output, const OutputShape& shape, const TensorView* buffer) {
    std::vector<int64_t> strides(shape.sizes.size(), 0);
    const auto declared = [&](size_t axis) {
      return output.layout.contiguous ? std::nullopt : output.layout.strides[axis].value;
    };
    int64_t packed = 1;
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      const auto stride = declared(axis);
      if (!stride) continue;
      strides[axis] = stride->evaluate(binding_.symbols);
      if (shape.sizes[axis] > 1) packed += (shape.sizes[axis] - 1) * strides[axis];
    }
    for (size_t axis = strides.size(); axis-- > 0;) {
      if (declared(axis)) continue;
      const bool isGiven = buffer != nullptr && !output.layout.contiguous && matters(shape, axis);
      strides[axis] = isGiven ? buffer->strides[axis] : packed;
      packed *= std::max<int64_t>(1, shape.sizes[axis]);
    }
    return strides;
  }

  void checkStrides(const ir::Output& output, const OutputShape& shape, const std::vector<int64_t>& expected,
                    const TensorView& buffer) const {
    for (size_t axis = 0; axis < expected.size(); ++axis) {
      if (!matters(shape, axis) || buffer.strides[axis] == expected[axis]) continue;
      Error error(ErrorCode::InvalidStrides, fmt::format("{} has strides {}, its buffer {}", described(output),
                                                         listText(expected), listText(buffer.strides)));
      if (output.layout.contiguous) {
        error.note(fmt::format("{} is contiguous; `return {} strides(…)` with a * for each axis takes any buffer",
                               output.name, output.name));
      }
      throw error;
    }
  }

  void setStrides(const ir::Output& output, OutputShape& shape, const std::vector<int64_t>& strides) const {
    shape.strides = strides;
    const bool isNegative = std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride < 0; });
    const bool counts = !isEmpty(shape.sizes);
    if (!counts || (!isNegative && !overlapsItself(shape.sizes, strides))) return;
    throw Error(ErrorCode::InvalidStrides, fmt::format("{} of sizes {} with strides {} has two elements at one address",
                                                       described(output), listText(shape.sizes), listText(strides)));
  }

  const ir::Fusion& fusion_;
  const ExecuteArguments& arguments_;
  CallBinding binding_;
};

}  // namespace

CallBinding bindCall(const ir::Fusion& fusion, const ExecuteArguments& arguments) {
  return CallBinder(fusion, arguments).run();
}

int64_t pointerAlignment(const std::string& name, const TensorView& tensor) {
  constexpr int64_t kMost = 16;
  if (isEmpty(tensor.sizes)) return kMost;
  const auto address = reinterpret_cast<uintptr_t>(tensor.data);
  if (address == 0) {
    throw Error(ErrorCode::InvalidArgument, fmt::format("{} of sizes {} has no data", name, listText(tensor.sizes)));
  }
  int64_t alignment = 1;
  while (alignment < kMost && address % static_cast<uintptr_t>(alignment * 2) == 0) alignment *= 2;
  if (alignment >= bytesOf(tensor.dtype)) return alignment;
  throw Error(ErrorCode::InvalidArgument, fmt::format("{} is {}, its data begins at {:#x}, no multiple of {}", name,
                                                      nameOf(tensor.dtype), address, bytesOf(tensor.dtype)));
}

}  // namespace braid::runtime
