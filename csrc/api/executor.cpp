#include "braid/executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/nodes.h"
#include "runtime/cuda_executor.h"
#include "runtime/fusion_executor.h"

namespace braid {

namespace {

std::shared_ptr<runtime::KernelExecutor> makeKernelExecutor(const Options& options) {
  if (!options.device.isCuda()) return runtime::makeHostExecutor();
  return runtime::makeCudaExecutor(options.device.ordinal(), {options.cacheDirectory});
}

std::vector<int64_t> rowMajor(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(1, sizes[i]);
  return strides;
}

runtime::TensorView viewOf(const TensorRef& tensor) {
  return {tensor.data, tensor.dtype, tensor.sizes, tensor.strides.empty() ? rowMajor(tensor.sizes) : tensor.strides};
}

/// One more than the largest offset of an element.
int64_t spanOf(const runtime::OutputShape& shape) {
  int64_t span = 1;
  for (size_t i = 0; i < shape.sizes.size(); ++i) {
    if (shape.sizes[i] == 0) return 0;
    span += (shape.sizes[i] - 1) * shape.strides[i];
  }
  return span;
}

}  // namespace

int Device::cudaCount() { return runtime::cudaDeviceCount(); }

struct Executor::Impl {
  Impl(const Fusion& fusion, const Options& given)
      : options(given), executor(detail::FusionNode::of(fusion), makeKernelExecutor(given), compileOptions(given)) {}

  static pipeline::CompileOptions compileOptions(const Options& given) {
    pipeline::CompileOptions options;
    options.disabled = given.disabled;
    return options;
  }

  const ir::Fusion& fusion() const { return executor.fusion(); }

  void expectDevice(const TensorRef& tensor, const std::string& name) const {
    if (tensor.device == options.device) return;
    const auto text = [](Device device) { return device.isCuda() ? fmt::format("cuda:{}", device.ordinal()) : "cpu"; };
    throw Error(ErrorCode::InvalidArgument,
                fmt::format("{} lies on {}, the fusion runs on {}", name, text(tensor.device), text(options.device)));
  }

  runtime::ExecuteArguments arguments(const std::vector<Argument>& inputs, void* stream, const Dims& dims) const {
    if (inputs.size() != fusion().inputs().size()) {
      throw Error(ErrorCode::InvalidArgument,
                  fmt::format("{} takes {} inputs, not {}", fusion().name(), fusion().inputs().size(), inputs.size()));
    }
    runtime::ExecuteArguments result;
    result.stream = stream;
    result.dims = dims;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const ir::Value& value = fusion().value(fusion().inputs()[i].value);
      const bool isParameter = value.kind == ir::ValueKind::Parameter;
      if (isParameter != std::holds_alternative<Scalar>(inputs[i])) {
        throw Error(ErrorCode::InvalidArgument,
                    fmt::format("{} takes a {}", value.name(), isParameter ? "number" : "tensor"));
      }
      if (isParameter) {
        result.scalars[value.name()] = detail::scalarOf(std::get<Scalar>(inputs[i]));
        continue;
      }
      const auto& tensor = std::get<TensorRef>(inputs[i]);
      expectDevice(tensor, value.name());
      result.inputs[value.name()] = viewOf(tensor);
    }
    return result;
  }

  Options options;
  runtime::FusionExecutor executor;
};

Executor::Executor(const Fusion& fusion, const Options& options) : impl_(std::make_unique<Impl>(fusion, options)) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

void Executor::execute(const std::vector<Argument>& inputs, const std::vector<TensorRef>& outputs, void* stream,
                       const Dims& dims) {
  runtime::ExecuteArguments arguments = impl_->arguments(inputs, stream, dims);
  const auto& declared = impl_->fusion().outputs();
  if (outputs.size() != declared.size()) {
    throw Error(ErrorCode::InvalidArgument,
                fmt::format("{} has {} outputs, not {}", impl_->fusion().name(), declared.size(), outputs.size()));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    impl_->expectDevice(outputs[i], declared[i].name);
    arguments.outputs[declared[i].name] = viewOf(outputs[i]);
  }
  impl_->executor.execute(arguments);
}

std::vector<TensorRef> Executor::execute(const std::vector<Argument>& inputs, void* stream, const Allocator& allocator,
                                         const Dims& dims) {
  runtime::ExecuteArguments arguments = impl_->arguments(inputs, stream, dims);
  for (const runtime::OutputShape& shape : impl_->executor.outputShapes(arguments)) {
    if (shape.isAlias) continue;
    const int64_t bytes = spanOf(shape) * bytesOf(shape.dtype);
    void* data = bytes == 0 ? nullptr : allocator(bytes);
    if (bytes != 0 && data == nullptr) {
      throw Error(ErrorCode::InvalidArgument,
                  fmt::format("the allocator gave no memory for the {} bytes of {}", bytes, shape.name));
    }
    arguments.outputs[shape.name] = {data, shape.dtype, shape.sizes, shape.strides};
  }
  std::vector<TensorRef> results;
  for (const runtime::TensorView& each : impl_->executor.execute(arguments).outputs) {
    results.push_back({each.data, each.dtype, each.sizes, each.strides, impl_->options.device});
  }
  return results;
}

int64_t Executor::kernels(const std::vector<Argument>& inputs, const Dims& dims) {
  return impl_->executor.programFor(impl_->arguments(inputs, nullptr, dims))->kernels();
}

std::string Executor::device() const { return impl_->executor.device().describe(); }

}  // namespace braid
