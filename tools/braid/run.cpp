// braid run: executes a fusion on drawn or given inputs and, if asked, checks it against the reference evaluator.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "arguments.h"
#include "arrays.h"
#include "braid/error.h"
#include "commands.h"
#include "evaluator/evaluate.h"
#include "evaluator/scalar_ops.h"
#include "ir/cursor.h"
#include "report.h"
#include "runtime/compare.h"
#include "runtime/compare_scaled.h"
#include "runtime/cuda_executor.h"
#include "runtime/fusion_executor.h"

namespace braid::tool {

namespace {

constexpr double kMaxUlps = 4;  // of the largest value, for programs with sin, exp and the like on a GPU

struct RunArguments : Arguments {
  std::string device = "auto", inputs, outputs;
  std::vector<std::string> scalars;
  uint64_t seed = 0;
  bool check = false, json = false, special = false;
};

std::shared_ptr<runtime::KernelExecutor> makeExecutor(const std::string& device) {
  const bool isCuda = device == "cuda" || device.starts_with("cuda:");
  if (device == "cpu" || (device == "auto" && runtime::cudaDeviceCount() == 0)) return runtime::makeHostExecutor();
  if (!isCuda && device != "auto") {
    throw Error(ErrorCode::InvalidArgument, fmt::format("--device {}: expected auto, cpu, cuda or cuda:N", device));
  }
  const std::string ordinal = isCuda && device.size() > 5 ? device.substr(5) : "0";
  if (ordinal.empty() || !std::all_of(ordinal.begin(), ordinal.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    throw Error(ErrorCode::InvalidArgument, fmt::format("--device {}: expected cuda:N", device));
  }
  return runtime::makeCudaExecutor(std::stoi(ordinal));
}

ir::Scalar scalarOf(const std::string& text, const std::string& option) {
  ir::Cursor cursor(text, option);
  if (!cursor.seesScalar()) cursor.failHere("expected a number, true or false");
  const ir::Scalar scalar = cursor.scalar();
  if (!cursor.atEnd()) cursor.failHere("expected the end of the number");
  return scalar;
}

class Run {
 public:
  explicit Run(const RunArguments& options)
      : options_(options),
        fusion_(loadFusion(options)),
        dims_(dimsOf(options, fusion_)),
        placements_(placementsOf(options, fusion_)),
        device_(makeExecutor(options.device)),
        executor_(fusion_, device_, compileOptionsOf(options)) {}

  int run() {
    takeScalars();
    options_.inputs.empty() ? drawInputs() : readInputs();
    host_.dims = dims_;
    evaluator::bindSymbols(fusion_, host_);  // every mistake is found before anything is copied
    runtime::ExecuteArguments arguments;
    arguments.dims = dims_;
    arguments.scalars = host_.scalars;
    std::vector<DeviceArray> memory;
    for (const auto& [name, array] : host_.tensors) {
      memory.push_back(upload(*device_, array));
      arguments.inputs[name] = memory.back().view;
    }
    const runtime::ExecuteResult result = executor_.execute(arguments);
    device_->synchronize(nullptr);
    for (const runtime::TensorView& output : result.outputs) results_.push_back(download(*device_, output));
    program_ = executor_.programFor(arguments);
    if (options_.check) check();
    if (!options_.outputs.empty()) writeOutputs();
    options_.json ? printJson() : printTable();
    return allEqual() ? 0 : 1;
  }

 private:
  void takeScalars() {
    for (const std::string& each : options_.scalars) {
      const auto [name, value] = nameAndValue(each, "--set");
      const auto id = fusion_.find(name);
      if (!id || fusion_.value(*id).kind != ir::ValueKind::Parameter) {
        throw Error(ErrorCode::UnknownName,
                    fmt::format("--set {}: {} has no parameter {}", each, fusion_.name(), name));
      }
      host_.scalars[name] = scalarOf(value, "--set " + name);
    }
  }

  bool isTensor(const ir::Input& input) const { return fusion_.value(input.value).kind == ir::ValueKind::Tensor; }

  void drawInputs() {
    for (const ir::Input& input : fusion_.inputs()) {
      const std::string& name = fusion_.value(input.value).name();
      const DType dtype = fusion_.value(input.value).dtype();
      if (!isTensor(input)) {
        if (!host_.scalars.contains(name)) host_.scalars[name] = ir::Scalar::real(0.5);
        continue;
      }
      checkDims(fusion_.tensor(input.value));
      const auto sizes = runtime::inputSizes(fusion_, input, dims_);
      const auto strides = runtime::inputStrides(fusion_, input, dims_, placements_[name]);
      host_.tensors[name] = runtime::drawInput(dtype, sizes, strides, placements_[name].offset,
                                               runtime::inputSeed(options_.seed, name), options_.special);
    }
  }

  void checkDims(const ir::TensorView& tensor) const {
    for (const ir::Extent& extent : tensor.shape()) {
      for (const std::string& symbol : extent.symbols()) {
        if (dims_.contains(symbol)) continue;
        throw Error(ErrorCode::UnknownName, fmt::format("{}: the extent {} is not known", fusion_.name(), symbol))
            .note(fmt::format("give it, for example --dim {}=16", symbol));
      }
    }
  }

  void readInputs() {
    const auto file = runtime::readSafetensors(options_.inputs);
    std::vector<std::string> names;
    for (const auto& [name, tensor] : file) names.push_back(name);
    for (const ir::Input& input : fusion_.inputs()) {
      const ir::Value& value = fusion_.value(input.value);
      const auto it = file.find(value.name());
      if (it == file.end()) {
        if (!isTensor(input) && host_.scalars.contains(value.name())) continue;
        const std::string close = ir::nearest(value.name(), names);
        throw Error(ErrorCode::UnknownName,
                    fmt::format("{} has no tensor {}", options_.inputs, ir::describe(fusion_, input.value)))
            .note(close.empty() ? fmt::format("it has {}", fmt::join(names, ", "))
                                : fmt::format("it has {}; is {} meant?", fmt::join(names, ", "), close));
      }
      take(input, it->second);
    }
    for (const std::string& name : names) {
      const auto id = fusion_.find(name);
      if (id && fusion_.isInput(*id)) continue;
      throw Error(ErrorCode::UnknownName, fmt::format("{}: {} has no input {}", options_.inputs, fusion_.name(), name));
    }
  }

  void take(const ir::Input& input, const runtime::FileTensor& tensor) {
    const ir::Value& value = fusion_.value(input.value);
    if (tensor.dtype != value.dtype()) {
      throw Error(ErrorCode::InvalidDType, fmt::format("{} is {} in {}", ir::describe(fusion_, input.value),
                                                       nameOf(tensor.dtype), options_.inputs));
    }
    if (isTensor(input)) {
      const auto& placement = placements_[value.name()];
      std::vector<int64_t> strides = placement.strides;
      host_.tensors[value.name()] = placed(tensor, strides, placement.offset);
      return;
    }
    if (!tensor.sizes.empty()) {
      throw Error(ErrorCode::InvalidRank,
                  fmt::format("{} has {} axes in {}, a parameter has none", ir::describe(fusion_, input.value),
                              tensor.sizes.size(), options_.inputs));
    }
    double real = 0;
    evaluator::applyCast(tensor.dtype, DType::Float64, {tensor.bytes.data(), true, {}},
                         reinterpret_cast<std::byte*>(&real), 1);
    int64_t integer = 0;
    evaluator::applyCast(tensor.dtype, DType::Int64, {tensor.bytes.data(), true, {}},
                         reinterpret_cast<std::byte*>(&integer), 1);
    host_.scalars[value.name()] = isFloating(tensor.dtype) ? ir::Scalar::real(real) : ir::Scalar::integral(integer);
  }

  void check() {
    const bool bitwise = device_->describe() == "cpu" || !runtime::roundsInexactly(fusion_);
    comparison_ = bitwise ? "bitwise" : "ulp";
    const std::vector<evaluator::HostArray> expected = evaluator::evaluate(fusion_, host_);
    for (size_t i = 0; i < expected.size(); ++i) {
      const runtime::NanRule rule = runtime::nanRuleOf(fusion_, fusion_.outputs()[i]);
      exact_.push_back(runtime::compareBitwise(results_[i], expected[i], rule));
      checked_.push_back(bitwise ? exact_.back() : runtime::compareScaled(results_[i], expected[i], kMaxUlps));
      if (checked_.back().equal) continue;
      fmt::print(stderr, "{}: {}\n", fusion_.outputs()[i].name,
                 runtime::describe(checked_.back(), results_[i], expected[i]));
    }
  }

  bool allEqual() const {
    return std::all_of(checked_.begin(), checked_.end(), [](const auto& each) { return each.equal; });
  }

  void writeOutputs() const {
    std::map<std::string, runtime::FileTensor> file;
    for (size_t i = 0; i < results_.size(); ++i) file[fusion_.outputs()[i].name] = fileTensorOf(results_[i]);
    runtime::writeSafetensors(options_.outputs, file);
  }

  void printJson() const {
    nlohmann::ordered_json json;
    json["fusion"] = fusion_.name();
    json["device"] = device_->describe();
    json["kernels"] = program_->kernels();
    json["noop_outputs"] = program_->noopOutputs();
    json["segments"] = program_->segments.size();
    json["checked"] = options_.check;
    if (options_.check) {
      const auto sum = [](double most, const runtime::Comparison& each) { return std::max(most, each.maxAbsDiff); };
      double most = 0;
      for (const auto& each : exact_) most = sum(most, each);
      json["comparison"] = comparison_;
      json["equal"] = allEqual();
      json["bitwise_equal"] = std::all_of(exact_.begin(), exact_.end(), [](const auto& each) { return each.equal; });
      json["max_abs_diff"] = std::isfinite(most) ? nlohmann::ordered_json(most) : nlohmann::ordered_json("inf");
    } else {
      json["bitwise_equal"] = nullptr;
      json["max_abs_diff"] = nullptr;
    }
    json["outputs"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < results_.size(); ++i) {
      json["outputs"].push_back({{"name", fusion_.outputs()[i].name},
                                 {"dtype", nameOf(results_[i].dtype())},
                                 {"shape", results_[i].sizes()},
                                 {"strides", results_[i].strides()}});
    }
    fmt::print("{}\n", json.dump(2));
  }

  void printTable() const {
    std::string sizes;
    for (const auto& [name, value] : dims_) sizes += fmt::format(" {}={}", name, value);
    fmt::print("{} {}   {} kernel{}, {} alias{}   {}\n", fusion_.name(), sizes, program_->kernels(),
               program_->kernels() == 1 ? "" : "s", program_->noopOutputs(), program_->noopOutputs() == 1 ? "" : "es",
               device_->describe());
    fmt::print("  {:<12}{:<7}{:<22}{:<16}{}\n", "output", "dtype", "shape", "stores",
               !options_.check            ? ""
               : comparison_ == "bitwise" ? "bitwise equal to eager semantics"
                                          : "within 4 ulp of eager semantics");
    for (size_t i = 0; i < results_.size(); ++i) {
      const ir::Output& output = fusion_.outputs()[i];
      fmt::print("  {:<12}{:<7}{:<22}{:<16}{}\n", output.name, nameOf(results_[i].dtype()),
                 fmt::format("[{}]", fmt::join(results_[i].sizes(), ", ")),
                 output.kind == ir::OutputKind::Alias ? "a view" : storeWidths(*program_, output.name),
                 !options_.check     ? ""
                 : checked_[i].equal ? "yes"
                                     : "NO");
    }
    fmt::print("  kernels {}, executor {}, loads {}, stores {}{}\n", program_->kernels(), device_->describe(),
               accessWidths(*program_, false), accessWidths(*program_, true), verdict());
  }

  std::string verdict() const {
    if (!options_.check) return "";
    return fmt::format(", {} {}", comparison_ == "bitwise" ? "bitwise equal" : "equal within 4 ulp",
                       allEqual() ? "yes" : "NO");
  }

  const RunArguments& options_;
  ir::Fusion fusion_;
  ir::Symbols dims_;
  std::map<std::string, runtime::InputPlacement> placements_;
  std::shared_ptr<runtime::KernelExecutor> device_;
  runtime::FusionExecutor executor_;
  evaluator::Arguments host_;
  std::vector<evaluator::HostArray> results_;
  std::shared_ptr<const pipeline::CompiledProgram> program_;
  std::string comparison_;
  std::vector<runtime::Comparison> exact_, checked_;
};

}  // namespace

void addRun(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "execute a fusion, and check it against eager semantics");
  addFusion(*command, *options);
  addPlacement(*command, *options);
  addCompileOptions(*command, *options);
  command->add_option("--device", options->device, "auto, cpu, cuda or cuda:N")->capture_default_str();
  command->add_option("--inputs", options->inputs, "a safetensors file with the inputs")->option_text("FILE");
  command->add_option("--outputs", options->outputs, "where the outputs go, as safetensors")->option_text("FILE");
  command->add_option("--set", options->scalars, "the value of a host parameter")->option_text("s=0.5 ...");
  command->add_option("--seed", options->seed, "of the inputs that are drawn")->capture_default_str();
  command->add_flag("--special", options->special, "mix in ±0, ±Inf, NaN, denormals, extreme integers");
  command->add_flag("--check", options->check, "compare with the reference evaluator");
  command->add_flag("--json", options->json, "one JSON object");
  command->footer(
      "Examples:\n  braid run examples/seed_qkv_rope.fusion --dim B=2 --dim T=1024 --check\n"
      "  braid run examples/swin_roll.fusion --dim B=1 --device cpu --check --json");
  command->callback([=, &action] { action = [=] { return Run(*options).run(); }; });
}

}  // namespace braid::tool
