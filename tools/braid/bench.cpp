// braid bench: how long a fusion takes on a GPU beside a copy of as many bytes; without one, what planning it costs.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "arguments.h"
#include "braid/error.h"
#include "codegen/cuda_text.h"
#include "commands.h"
#include "device_timer.h"
#include "report.h"
#include "runtime/cuda_executor.h"
#include "runtime/fusion_executor.h"
#include "runtime/nvrtc_api.h"

namespace braid::tool {

namespace {

constexpr int64_t kRotateBytes = 256LL << 20;  // more than the L2 cache of any GPU of today
constexpr int64_t kMaxSets = 256;

struct BenchArguments : Arguments {
  bool json = false;
};

double millisecondsOf(const std::function<void()>& body) {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    samples.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

nlohmann::ordered_json planning(const ir::Fusion& fusion, const BenchArguments& options) {
  nlohmann::ordered_json result;
  const scheduler::Facts facts = factsOf(options, fusion);
  const pipeline::CompileOptions compile = compileOptionsOf(options);
  result["plan_ms"] = millisecondsOf([&] { pipeline::compile(fusion, facts, compile); });
  if (!runtime::nvrtcAvailable()) return result;
  const auto program = pipeline::compile(fusion, facts, compile);
  result["nvrtc_ms"] = millisecondsOf([&] {
    for (const auto& segment : program.segments) {
      if (segment.kernel == nullptr) continue;
      const std::string text = codegen::cudaText(*segment.kernel, device_lower::IndexWidth::Bits32);
      runtime::compileCuda(text, codegen::entryName(*segment.kernel), "sm_90", runtime::Artifact::Cubin);
    }
  });
  return result;
}

/// Makes device 0's primary context current; the executor takes the context that it finds.
void makeContextCurrent() {
  using namespace runtime::cuda;
  runtime::cuda::Device device = 0;
  Context context = nullptr;
  check(driver().deviceGet(&device, 0), "cuDeviceGet");
  check(driver().devicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(driver().ctxPushCurrent(context), "cuCtxPushCurrent");
}

int64_t bytesOfTensor(const std::vector<int64_t>& sizes, DType dtype) {
  int64_t bytes = bytesOf(dtype);
  for (const int64_t size : sizes) bytes *= size;
  return bytes;
}

class GpuBench {
 public:
  GpuBench(const ir::Fusion& fusion, const BenchArguments& options)
      : fusion_(fusion),
        dims_(dimsOf(options, fusion)),
        placements_(placementsOf(options, fusion)),
        device_(runtime::makeCudaExecutor(0, {})),
        executor_(fusion, device_, compileOptionsOf(options)) {}

  nlohmann::ordered_json run() {
    addSet();
    const int64_t count = std::clamp<int64_t>(kRotateBytes / std::max<int64_t>(1, bytes_) + 1, 1, kMaxSets);
    while (static_cast<int64_t>(sets_.size()) < count) addSet();
    const bench::Timing timing = timer_.time(count, [&](int64_t set, runtime::cuda::Stream stream) {
      sets_[static_cast<size_t>(set)].stream = stream;
      executor_.execute(sets_[static_cast<size_t>(set)]);
    });
    const bench::Timing copy = timeCopy(count);
    nlohmann::ordered_json result;
    result["device"] = device_->describe();
    result["kernels"] = executor_.programFor(sets_[0])->kernels();
    result["median_us"] = timing.median;
    result["min_us"] = timing.min;
    result["max_us"] = timing.max;
    result["bytes"] = bytes_;
    result["gb_per_s"] = static_cast<double>(bytes_) * 1e-3 / timing.median;
    result["copy_us"] = copy.median;
    result["share_of_copy"] = copy.median / timing.median;
    return result;
  }

 private:
  void addSet() {
    runtime::ExecuteArguments arguments;
    bytes_ = 0;
    for (const ir::Input& input : fusion_.inputs()) {
      const ir::Value& value = fusion_.value(input.value);
      if (value.kind != ir::ValueKind::Tensor) {
        arguments.scalars[value.name()] = ir::Scalar::real(0.5);
        continue;
      }
      const auto sizes = runtime::inputSizes(fusion_, input, dims_);
      const auto& placement = placements_[value.name()];
      const auto strides = runtime::inputStrides(fusion_, input, dims_, placement);
      int64_t span = placement.offset + 1;
      for (size_t i = 0; i < sizes.size(); ++i) span += (sizes[i] - 1) * strides[i];
      auto* data = allocate(std::max<int64_t>(1, span) * bytesOf(value.dtype()));
      arguments.inputs[value.name()] = {data + placement.offset * bytesOf(value.dtype()), value.dtype(), sizes,
                                        strides};
      bytes_ += bytesOfTensor(sizes, value.dtype());
    }
    for (const runtime::OutputShape& output : executor_.outputShapes(arguments)) {
      const int64_t bytes = bytesOfTensor(output.sizes, output.dtype);
      bytes_ += output.isAlias ? -bytes : bytes;  // what only a view shows is not read
      if (output.isAlias) continue;
      arguments.outputs[output.name] = {allocate(std::max<int64_t>(16, bytes)), output.dtype, output.sizes,
                                        output.strides};
    }
    sets_.push_back(std::move(arguments));
  }

  std::byte* allocate(int64_t bytes) {
    memory_.push_back(device_->allocate(bytes));
    device_->fill(memory_.back().get(), 0x3c, bytes, timer_.stream());
    return static_cast<std::byte*>(memory_.back().get());
  }

  bench::Timing timeCopy(int64_t count) {
    std::vector<std::byte*> buffers;
    for (int64_t i = 0; i < 2 * count; ++i) buffers.push_back(allocate(bytes_ / 2 + 16));
    return timer_.time(count, [&](int64_t set, runtime::cuda::Stream stream) {
      const auto target = reinterpret_cast<runtime::cuda::DevicePtr>(buffers[static_cast<size_t>(2 * set)]);
      const auto source = reinterpret_cast<runtime::cuda::DevicePtr>(buffers[static_cast<size_t>(2 * set + 1)]);
      runtime::cuda::check(
          runtime::cuda::driver().memcpyDtoDAsync(target, source, static_cast<size_t>(bytes_ / 2), stream),
          "cuMemcpyDtoDAsync");
    });
  }

  const ir::Fusion& fusion_;
  ir::Symbols dims_;
  std::map<std::string, runtime::InputPlacement> placements_;
  std::shared_ptr<runtime::CudaExecutor> device_;
  runtime::FusionExecutor executor_;
  bench::DeviceTimer timer_;
  std::vector<runtime::DeviceMemory> memory_;
  std::vector<runtime::ExecuteArguments> sets_;
  int64_t bytes_ = 0;
};

int bench(const BenchArguments& options) {
  const ir::Fusion fusion = loadFusion(options);
  nlohmann::ordered_json result{{"fusion", fusion.name()}};
  result.update(planning(fusion, options));
  std::string reason;
  if (runtime::cudaDeviceCount(&reason) > 0) {
    makeContextCurrent();
    result.update(GpuBench(fusion, options).run());
  } else {
    result["device"] = "none: " + reason;
  }
  if (options.json) {
    fmt::print("{}\n", result.dump(2));
    return 0;
  }
  for (const auto& [key, value] : result.items())
    fmt::print("{:<16}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  return 0;
}

}  // namespace

void addBench(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchArguments>();
  CLI::App* command = app.add_subcommand("bench", "measure a fusion on a GPU, beside a copy of as many bytes");
  addFusion(*command, *options);
  addPlacement(*command, *options);
  addCompileOptions(*command, *options);
  command->add_flag("--json", options->json, "one JSON object");
  command->footer(
      "Examples:\n  braid bench examples/llama3_8b.fusion --dim B=2 --dim T=8192\n"
      "  braid bench examples/seed_rope_one.fusion --dim B=2 --dim T=1024 --json");
  command->callback([=, &action] { action = [=] { return bench(*options); }; });
}

}  // namespace braid::tool
