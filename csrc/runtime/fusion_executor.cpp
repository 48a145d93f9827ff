#include "runtime/fusion_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "braid/error.h"
#include "evaluator/host_array.h"
#include "ir/rewriter.h"
#include "ir/view.h"
#include "runtime/call_binding.h"
#include "runtime/internal_failure.h"
#include "runtime/overlap.h"
#include "runtime/prepared_program.h"

namespace braid::runtime {

namespace {

constexpr size_t kMaxCalls = 1024;

int64_t bytesOfSpan(DType dtype, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  return spanOf(sizes, strides) * bytesOf(dtype);
}

/// Everything that an execution's arguments say but where their data is; of that, the alignment.
class CallKey {
 public:
  explicit CallKey(const ExecuteArguments& arguments) {
    tensors(arguments.inputs);
    tensors(arguments.outputs);
    number(static_cast<int64_t>(arguments.dims.size()));
    for (const auto& [name, value] : arguments.dims) {
      text(name);
      number(value);
    }
    // Only that they are there: their values are arguments of the launch.
    for (const auto& [name, scalar] : arguments.scalars) text(name);
  }

  const std::string& get() const { return key_; }

 private:
  void number(int64_t value) { key_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(const std::string& name) {
    number(static_cast<int64_t>(name.size()));
    key_ += name;
  }
  void tensors(const std::map<std::string, TensorView>& tensors) {
    number(static_cast<int64_t>(tensors.size()));
    for (const auto& [name, tensor] : tensors) {
      text(name);
      number(static_cast<int64_t>(tensor.dtype));
      const auto address = reinterpret_cast<uintptr_t>(tensor.data);
      number(address == 0 ? -1 : static_cast<int64_t>(address % 16));
      number(static_cast<int64_t>(tensor.sizes.size()));
      for (const int64_t size : tensor.sizes) number(size);
      number(static_cast<int64_t>(tensor.strides.size()));
      for (const int64_t stride : tensor.strides) number(stride);
    }
  }

  std::string key_;
};

std::map<std::string, int64_t> alignments(const ir::Fusion& fusion, const ir::Fusion& variant,
                                          const ExecuteArguments& arguments) {
  std::map<std::string, int64_t> result;
  for (const auto& [name, tensor] : arguments.inputs) result[name] = pointerAlignment("input " + name, tensor);
  for (size_t i = 0; i < fusion.outputs().size(); ++i) {
    const auto given = arguments.outputs.find(fusion.outputs()[i].name);
    if (given == arguments.outputs.end()) continue;
    result[variant.outputs()[i].name] = pointerAlignment("the buffer of output " + given->first, given->second);
  }
  return result;
}

bool namesAnInput(const ir::Fusion& fusion, const std::string& name) {
  return std::any_of(fusion.inputs().begin(), fusion.inputs().end(),
                     [&](const ir::Input& input) { return fusion.value(input.value).name() == name; });
}

ir::Layout anyStrides(size_t rank) { return {false, std::vector<ir::StrideSpec>(rank)}; }

}  // namespace

/// What executions with equal shapes, strides and alignments share.
struct FusionExecutor::Call {
  CallBinding binding;
  std::shared_ptr<const PreparedProgram> program;
  std::vector<LaunchPlan> plans;     ///< of program->kernels
  std::vector<std::string> inputs;   ///< names in the fusion's order; "" for a parameter
  std::vector<int64_t> inputBytes;   ///< spans
  std::vector<int64_t> outputBytes;  ///< spans
  std::vector<int64_t> intermediateBytes;
};

namespace {

Error overlapError(const std::string& output, const std::string& other) {
  return Error(ErrorCode::Aliasing, fmt::format("the buffer of output {} overlaps {}", output, other))
      .note("every output needs memory of its own; elements of two outputs may alternate in one buffer");
}

}  // namespace

FusionExecutor::FusionExecutor(ir::Fusion fusion, std::shared_ptr<KernelExecutor> executor,
                               pipeline::CompileOptions options)
    : fusion_(std::move(fusion)), executor_(std::move(executor)), options_(std::move(options)) {}

std::vector<OutputShape> FusionExecutor::outputShapes(const ExecuteArguments& arguments) const {
  return bindCall(fusion_, arguments).shapes;
}

std::shared_ptr<const pipeline::CompiledProgram> FusionExecutor::programFor(const ExecuteArguments& arguments) {
  return callFor(arguments)->program->compiled;
}

const ir::Fusion& FusionExecutor::variantFor(const std::vector<bool>& delivery) {
  const auto known = variants_.find(delivery);
  if (known != variants_.end()) return known->second;
  bool isChanged = false;
  for (size_t i = 0; i < delivery.size(); ++i) {
    const ir::Output& output = fusion_.outputs()[i];
    const bool isComputed = output.kind == ir::OutputKind::Computed;
    isChanged = isChanged || delivery[i] || (isComputed && namesAnInput(fusion_, output.name));
  }
  if (!isChanged) return variants_.emplace(delivery, fusion_).first->second;
  ir::Rewriter rewriter(fusion_);
  for (const ir::Expr& expr : fusion_.exprs()) rewriter.copy(expr);
  for (size_t i = 0; i < delivery.size(); ++i) {
    ir::Output output = fusion_.outputs()[i];
    if (delivery[i]) {
      output.kind = ir::OutputKind::Computed;
      output.explicitLayout = true;
      output.layout = anyStrides(fusion_.tensor(output.value).logical.size());
    }
    // An output that is an input has a stride and an alignment of its own.
    if (output.kind == ir::OutputKind::Computed && namesAnInput(fusion_, output.name)) output.name += ".copy";
    rewriter.deliver(i, std::move(output));
  }
  return variants_.emplace(delivery, rewriter.finish()).first->second;
}

std::shared_ptr<const PreparedProgram> FusionExecutor::programFor(const ir::Fusion& variant,
                                                                  const std::vector<bool>& delivery,
                                                                  const ir::Symbols& symbols,
                                                                  const ExecuteArguments& arguments) {
  const scheduler::Facts facts = scheduler::factsOf(variant, symbols, alignments(fusion_, variant, arguments));
  std::string key;
  for (const bool isCopied : delivery) key += isCopied ? 'c' : '-';
  key += facts.text();
  std::shared_ptr<const PreparedProgram>& program = programs_[key];
  if (program == nullptr) {
    try {
      auto compiled = std::make_shared<pipeline::CompiledProgram>(pipeline::compile(variant, facts, options_));
      compiled->source = fusion_;
      program = std::make_shared<const PreparedProgram>(prepareProgram(std::move(compiled)));
    } catch (Error& error) {
      if (error.code() == ErrorCode::Internal) noteReproduction(error, variant, facts, symbols);
      throw;
    }
  }
  return program;
}

std::shared_ptr<const FusionExecutor::Call> FusionExecutor::makeCall(const ExecuteArguments& arguments) {
  auto call = std::make_shared<Call>();
  call->binding = bindCall(fusion_, arguments);
  const std::vector<bool>& delivery = call->binding.isCopied;
  const ir::Fusion& variant = variantFor(delivery);
  ir::Symbols symbols = call->binding.symbols;
  for (size_t i = 0; i < variant.outputs().size(); ++i) {
    const ir::Output& output = variant.outputs()[i];
    const OutputShape& shape = call->binding.shapes[i];
    for (size_t axis = 0; axis < output.layout.strides.size(); ++axis) {
      if (!output.layout.strides[axis].value) symbols[ir::strideSymbol(output.name, axis)] = shape.strides[axis];
    }
    call->outputBytes.push_back(bytesOfSpan(shape.dtype, shape.sizes, shape.strides));
  }
  for (const ir::Input& input : fusion_.inputs()) {
    const auto given = arguments.inputs.find(fusion_.value(input.value).name());
    const bool isTensor = given != arguments.inputs.end();
    call->inputs.push_back(isTensor ? given->first : "");
    call->inputBytes.push_back(isTensor ? bytesOfSpan(given->second.dtype, given->second.sizes, given->second.strides)
                                        : 0);
  }
  call->program = programFor(variant, delivery, symbols, arguments);
  const ir::Fusion& compiled = call->program->compiled->fusion;
  for (const ir::ValueId value : call->program->intermediates) {
    int64_t bytes = bytesOf(compiled.tensor(value).dtype);
    for (const ir::IterDomain& axis : compiled.tensor(value).logical) bytes *= axis.extent.evaluate(symbols);
    call->intermediateBytes.push_back(bytes);
  }
  for (const PreparedKernel& kernel : call->program->kernels) call->plans.push_back(kernel.planner.plan(symbols));
  return call;
}

std::shared_ptr<const FusionExecutor::Call> FusionExecutor::callFor(const ExecuteArguments& arguments) {
  const CallKey key(arguments);
  const std::lock_guard lock(mutex_);
  if (const auto known = calls_.find(key.get()); known != calls_.end()) return known->second;
  std::shared_ptr<const Call> call = makeCall(arguments);
  if (calls_.size() >= kMaxCalls) calls_.clear();
  calls_.emplace(key.get(), call);
  return call;
}

/// One execution whose arguments are bound: finds its memory, checks it, launches.
class FusionExecutor::Execution {
 public:
  Execution(KernelExecutor& device, const Call& call, const ExecuteArguments& arguments)
      : device_(device), call_(call), arguments_(arguments) {
    for (const std::string& name : call.inputs) {
      inputs_.push_back(name.empty() ? nullptr : &arguments.inputs.at(name));
    }
    for (const OutputShape& shape : call.binding.shapes) {
      const auto given = arguments.outputs.find(shape.name);
      outputs_.push_back(given == arguments.outputs.end() ? nullptr : bytesAt(given->second.data));
    }
  }

  ExecuteResult run() {
    checkOverlaps();
    place();
    launchAll();
    return std::move(result_);
  }

 private:
  static std::byte* bytesAt(void* data) { return static_cast<std::byte*>(data); }
  bool isGiven(size_t output) const { return arguments_.outputs.contains(call_.binding.shapes[output].name); }

  Footprint outputFootprint(size_t i) const {
    const OutputShape& shape = call_.binding.shapes[i];
    return {reinterpret_cast<uintptr_t>(outputs_[i]), bytesOf(shape.dtype), &shape.sizes, &shape.strides,
            call_.outputBytes[i]};
  }

  void checkOverlaps() const {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!isGiven(i)) continue;
      const Footprint output = outputFootprint(i);
      for (size_t j = 0; j < inputs_.size(); ++j) {
        if (inputs_[j] == nullptr) continue;
        const TensorView& input = *inputs_[j];
        const Footprint other{reinterpret_cast<uintptr_t>(input.data), bytesOf(input.dtype), &input.sizes,
                              &input.strides, call_.inputBytes[j]};
        if (overlap(output, other)) throw overlapError(call_.binding.shapes[i].name, "input " + call_.inputs[j]);
      }
      for (size_t j = 0; j < i; ++j) {
        if (!isGiven(j) || !overlap(output, outputFootprint(j))) continue;
        throw overlapError(call_.binding.shapes[i].name, "the one of output " + call_.binding.shapes[j].name);
      }
    }
  }

  std::byte* allocate(int64_t bytes) {
    result_.memory.push_back(device_.allocate(bytes));
    return bytesAt(result_.memory.back().get());
  }

  /// Memory for what the caller gave none, and the outputs as the caller gets them.
  void place() {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const OutputShape& shape = call_.binding.shapes[i];
      if (shape.isAlias) {
        const TensorView& input = arguments_.inputs.at(shape.aliasOf);
        outputs_[i] = bytesAt(input.data);
        if (shape.aliasOffset != 0) outputs_[i] += shape.aliasOffset * bytesOf(shape.dtype);
      } else if (!isGiven(i)) {
        outputs_[i] = allocate(call_.outputBytes[i]);
      }
      result_.outputs.push_back({outputs_[i], shape.dtype, shape.sizes, shape.strides});
    }
    for (const int64_t bytes : call_.intermediateBytes) intermediates_.push_back(allocate(bytes));
  }

  TensorArgument argument(const TensorSource& source) const {
    switch (source.kind) {
      case TensorSource::Kind::Input:
        return {inputs_[source.index]->data, call_.inputBytes[source.index]};
      case TensorSource::Kind::Output:
        return {outputs_[source.index], call_.outputBytes[source.index]};
      case TensorSource::Kind::Intermediate:
        return {intermediates_[source.index], call_.intermediateBytes[source.index]};
    }
    return {};
  }

  void launchAll() {
    for (size_t i = 0; i < call_.plans.size(); ++i) {
      if (call_.plans[i].blocks == 0) continue;
      const PreparedKernel& kernel = call_.program->kernels[i];
      std::vector<TensorArgument> tensors;
      for (const TensorSource& source : kernel.tensors) tensors.push_back(argument(source));
      std::vector<ir::Scalar> parameters;
      for (const std::string& name : kernel.parameters) parameters.push_back(arguments_.scalars.at(name));
      device_.launch(*kernel.kernel, call_.plans[i], tensors, parameters, arguments_.stream);
    }
  }

  KernelExecutor& device_;
  const Call& call_;
  const ExecuteArguments& arguments_;
  std::vector<const TensorView*> inputs_;  ///< in the fusion's order; null for a parameter
  std::vector<std::byte*> outputs_, intermediates_;
  ExecuteResult result_;
};

std::optional<ExecuteArguments> FusionExecutor::withoutViews(const ExecuteArguments& arguments) const {
  ExecuteArguments views = arguments;
  for (const ir::Output& output : fusion_.outputs()) {
    if (output.kind == ir::OutputKind::Alias) views.outputs.erase(output.name);
  }
  std::optional<ExecuteArguments> fewer;
  for (const OutputShape& shape : outputShapes(views)) {
    const auto given = arguments.outputs.find(shape.name);
    if (!shape.isAlias || given == arguments.outputs.end()) continue;
    const auto address = reinterpret_cast<uintptr_t>(arguments.inputs.at(shape.aliasOf).data) +
                         static_cast<uintptr_t>(shape.aliasOffset * bytesOf(shape.dtype));
    if (reinterpret_cast<uintptr_t>(given->second.data) != address || given->second.strides != shape.strides) continue;
    if (!fewer) fewer = arguments;
    fewer->outputs.erase(shape.name);
  }
  return fewer;
}

ExecuteResult FusionExecutor::execute(const ExecuteArguments& arguments) {
  std::shared_ptr<const Call> call = callFor(arguments);
  // A buffer that is the view itself needs no copy: the results of an earlier execution may be given back.
  const std::vector<bool>& isCopied = call->binding.isCopied;
  if (std::find(isCopied.begin(), isCopied.end(), true) != isCopied.end()) {
    if (const auto fewer = withoutViews(arguments)) return execute(*fewer);
  }
  return Execution(*executor_, *call, arguments).run();
}

}  // namespace braid::runtime
