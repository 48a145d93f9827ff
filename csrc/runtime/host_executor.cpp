#include "runtime/host_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"
#include "braid/error.h"
#include "runtime/host_block.h"
#include "runtime/host_program.h"

namespace braid::runtime {

using device_lower::Kernel;
using index::IndexExpr;

namespace {

/// As the CUDA driver aligns its allocations.
constexpr std::align_val_t kAllocationAlignment{256};

/// An axis of a tensor with its values.
struct Axis {
  int64_t size, stride;
};

std::vector<int64_t> valuesOf(const Kernel& kernel, const std::vector<IndexExpr>& exprs, const LaunchPlan& plan) {
  return index::FlatProgram(*kernel.arena, exprs, kernel.symbols).evaluate(plan.symbols);
}

std::vector<HostTensor> tensorsOf(const Kernel& kernel, const LaunchPlan& plan,
                                  std::span<const TensorArgument> arguments) {
  std::vector<IndexExpr> spans;
  for (const device_lower::TensorParam& param : kernel.tensors) spans.push_back(param.spanElements);
  const std::vector<int64_t> span = valuesOf(kernel, spans, plan);
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < kernel.tensors.size(); ++i) {
    HostTensor& tensor = tensors.emplace_back();
    tensor.param = &kernel.tensors[i];
    tensor.data = static_cast<std::byte*>(arguments[i].data);
    tensor.elements = std::max<int64_t>(0, std::min(span[i], arguments[i].bytes / tensor.param->elementBytes()));
    if (tensor.param->isOutput) tensor.written.resize(static_cast<size_t>(tensor.elements));
  }
  return tensors;
}

/// Calls visit(offset) for every element.
template <class Visit>
void forEachElement(std::span<const Axis> axes, int64_t offset, const Visit& visit) {
  if (axes.empty()) return visit(offset);
  for (int64_t i = 0; i < axes[0].size; ++i) forEachElement(axes.subspan(1), offset + i * axes[0].stride, visit);
}

/// Every element of the output was written, and nothing between them.
void checkWrittenWhole(const Kernel& kernel, const LaunchPlan& plan, HostTensor& tensor) {
  constexpr uint8_t kWritten = 1, kElement = 2;
  const std::string& name = tensor.param->name;
  std::vector<Axis> axes{{static_cast<int64_t>(tensor.written.size()), 1}};
  if (tensor.param->axes) {
    const std::vector<int64_t> sizes = valuesOf(kernel, tensor.param->axes->sizes, plan);
    const std::vector<int64_t> strides = valuesOf(kernel, tensor.param->axes->strides, plan);
    axes.clear();
    for (size_t i = 0; i < sizes.size(); ++i) axes.push_back({sizes[i], strides[i]});
  }
  const bool isEmpty = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.size == 0; });
  if (!isEmpty) {
    forEachElement(axes, 0, [&](int64_t offset) {
      const bool isInside = offset >= 0 && offset < static_cast<int64_t>(tensor.written.size());
      if (isInside && (tensor.written[static_cast<size_t>(offset)] & kWritten) != 0) {
        tensor.written[static_cast<size_t>(offset)] |= kElement;
        return;
      }
      throw Error(ErrorCode::CheckFailed,
                  fmt::format("{}: element {} of {} was never written", kernel.name, offset, name));
    });
  }
  const auto gap = std::find(tensor.written.begin(), tensor.written.end(), kWritten);
  if (gap == tensor.written.end()) return;
  throw Error(ErrorCode::CheckFailed, fmt::format("{}: offset {} of {} was written, between its elements", kernel.name,
                                                  gap - tensor.written.begin(), name));
}

class HostExecutor final : public KernelExecutor {
 public:
  explicit HostExecutor(const HostOptions& options) : options_(options) {}

  std::string describe() const override { return "cpu"; }

  void launch(const Kernel& kernel, const LaunchPlan& plan, std::span<const TensorArgument> arguments,
              std::span<const ir::Scalar> parameters, void*) override {
    BRAID_CHECK(arguments.size() == kernel.tensors.size() && parameters.size() == kernel.parameters.size(),
                "kernel {} takes {} tensors and {} parameters, given {} and {}", kernel.name, kernel.tensors.size(),
                kernel.parameters.size(), arguments.size(), parameters.size());
    BRAID_CHECK(plan.symbols.size() == kernel.symbols.size() && plan.partBlocks.size() == kernel.parts.size(),
                "the launch plan is not one of kernel {}", kernel.name);
    std::vector<HostTensor> tensors = tensorsOf(kernel, plan, arguments);
    const bool all = plan.blocks == 0 || runBlocks(kernel, plan, tensors, parameters);
    if (!all) return;
    for (HostTensor& tensor : tensors) {
      if (tensor.param->isOutput) checkWrittenWhole(kernel, plan, tensor);
    }
  }

  DeviceMemory allocate(int64_t bytes) override {
    void* memory = ::operator new(static_cast<size_t>(std::max<int64_t>(bytes, 1)), kAllocationAlignment);
    return {memory, [](void* freed) { ::operator delete(freed, kAllocationAlignment); }};
  }
  void copyFromHost(void* target, const void* source, int64_t bytes, void*) override {
    if (bytes > 0) std::memcpy(target, source, static_cast<size_t>(bytes));
  }
  void copyToHost(void* target, const void* source, int64_t bytes, void*) override {
    if (bytes > 0) std::memcpy(target, source, static_cast<size_t>(bytes));
  }
  void fill(void* target, unsigned char value, int64_t bytes, void*) override {
    if (bytes > 0) std::memset(target, value, static_cast<size_t>(bytes));
  }
  void synchronize(void*) override {}

 private:
  /// False if some blocks were left out.
  bool runBlocks(const Kernel& kernel, const LaunchPlan& plan, std::vector<HostTensor>& tensors,
                 std::span<const ir::Scalar> parameters) const {
    const HostProgram program = makeHostProgram(kernel);
    HostBlock block(program, plan, tensors, parameters);
    bool all = true;
    int64_t firstBlock = 0;
    for (size_t part = 0; part < kernel.parts.size(); ++part) {
      const int64_t blocks = plan.partBlocks[part];
      const int64_t limit = options_.maxBlocksPerPart;
      const int64_t count = limit > 0 ? std::min(blocks, limit) : blocks;
      all = all && count == blocks;
      for (int64_t i = 0; i < count; ++i) {
        // Evenly spread, the first and the last among them.
        const int64_t number = count == blocks ? i : count == 1 ? blocks - 1 : i * (blocks - 1) / (count - 1);
        block.run(part, number, firstBlock);
      }
      firstBlock += blocks;
    }
    return all;
  }

  HostOptions options_;
};

}  // namespace

std::unique_ptr<KernelExecutor> makeHostExecutor(const HostOptions& options) {
  return std::make_unique<HostExecutor>(options);
}

std::unique_ptr<KernelExecutor> makeHostExecutor() { return makeHostExecutor(HostOptions{}); }

}  // namespace braid::runtime
