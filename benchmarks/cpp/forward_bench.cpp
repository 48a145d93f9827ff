// Every forward workload on a GPU: time, minimum bytes, and the share of two ceilings measured beside it.
//
// Buffers rotate over more memory than the L2 cache holds; calls are captured in a graph; times are medians of event
// pairs. `--benchmark_format=json` gives everything as JSON.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/check.h"
#include "braid/error.h"
#include "device_timer.h"
#include "runtime/cuda_executor.h"
#include "runtime/fusion_executor.h"
#include "streaming_kernel.h"
#include "workloads.h"

namespace braid::bench {
namespace {

constexpr int64_t kRotateBytes = 256LL << 20;  // several times the 60 MB of L2 that an H200 has
constexpr int64_t kMaxSets = 512;

/// Makes device 0's primary context current: the timer and the streaming kernel use the driver directly, and the
/// executor takes the context that it finds.
struct CurrentContext {
  CurrentContext() {
    using namespace runtime::cuda;
    runtime::cuda::Device handle = 0;
    Context context = nullptr;
    check(driver().deviceGet(&handle, 0), "cuDeviceGet");
    check(driver().devicePrimaryCtxRetain(&context, handle), "cuDevicePrimaryCtxRetain");
    check(driver().ctxPushCurrent(context), "cuCtxPushCurrent");
  }
};

struct Device {
  CurrentContext context;
  std::shared_ptr<runtime::CudaExecutor> executor = runtime::makeCudaExecutor(0, {});
  DeviceTimer timer;
  StreamingKernel streaming{executor->architecture()};
};

Device& device() {
  static Device instance;
  return instance;
}

int64_t product(const std::vector<int64_t>& sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

std::vector<int64_t> rowMajor(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(1, sizes[i]);
  return strides;
}

/// One set of arguments with its own memory.
struct ArgumentSet {
  runtime::ExecuteArguments arguments;
  std::vector<runtime::DeviceMemory> memory;
};

struct Bytes {
  int64_t read = 0, written = 0;
  int64_t total() const { return read + written; }
};

ArgumentSet makeSet(runtime::FusionExecutor& executor, const ir::Symbols& dims, Bytes& bytes) {
  ArgumentSet set;
  set.arguments.dims = {};
  const ir::Fusion& fusion = executor.fusion();
  bytes = {};
  for (const auto& [name, sizes] : inputSizes(fusion, dims)) {
    const DType dtype = fusion.value(*fusion.find(name)).dtype();
    const int64_t size = product(sizes) * bytesOf(dtype);
    set.memory.push_back(device().executor->allocate(std::max<int64_t>(size, 16)));
    device().executor->fill(set.memory.back().get(), 0x3c, size, device().timer.stream());
    set.arguments.inputs[name] = {set.memory.back().get(), dtype, sizes, rowMajor(sizes)};
    bytes.read += size;
  }
  for (const auto& [symbol, value] : dims) {
    const std::vector<std::string> symbols = fusion.symbols();
    if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) set.arguments.dims[symbol] = value;
  }
  for (const runtime::OutputShape& output : executor.outputShapes(set.arguments)) {
    const int64_t size = product(output.sizes) * bytesOf(output.dtype);
    if (output.isAlias) {
      // What only a view shows is neither read nor written.
      bytes.read -= size;
      continue;
    }
    set.memory.push_back(device().executor->allocate(std::max<int64_t>(size, 16)));
    set.arguments.outputs[output.name] = {set.memory.back().get(), output.dtype, output.sizes, output.strides};
    bytes.written += size;
  }
  return set;
}

void runWorkload(benchmark::State& state, const Workload& workload, bool isConstant) {
  ir::Fusion fusion = loadExample(workload.name);
  if (isConstant) fusion = withConstantExtents(fusion, workload.dims);
  runtime::FusionExecutor executor(fusion, device().executor);
  Bytes bytes;
  std::vector<ArgumentSet> sets;
  sets.push_back(makeSet(executor, workload.dims, bytes));
  const int64_t count = std::clamp<int64_t>(kRotateBytes / std::max<int64_t>(1, bytes.total()) + 1, 1, kMaxSets);
  while (static_cast<int64_t>(sets.size()) < count) sets.push_back(makeSet(executor, workload.dims, bytes));

  const Timing timing = device().timer.time(count, [&](int64_t set, runtime::cuda::Stream stream) {
    sets[static_cast<size_t>(set)].arguments.stream = stream;
    executor.execute(sets[static_cast<size_t>(set)].arguments);
  });

  // The ceilings move the same bytes: a streaming kernel with the same mix, and a copy of half of them.
  const int64_t span = std::max(bytes.read, bytes.written) + 16;
  std::vector<runtime::DeviceMemory> in, out;
  for (int64_t i = 0; i < count; ++i) {
    in.push_back(device().executor->allocate(span));
    out.push_back(device().executor->allocate(span));
  }
  const auto at = [](const std::vector<runtime::DeviceMemory>& buffers, int64_t set) {
    return buffers[static_cast<size_t>(set)].get();
  };
  const Timing mix = device().timer.time(count, [&](int64_t set, runtime::cuda::Stream stream) {
    device().streaming.launch(at(in, set), at(out, set), bytes.read, bytes.written, stream);
  });
  const Timing copy = device().timer.time(count, [&](int64_t set, runtime::cuda::Stream stream) {
    const auto target = reinterpret_cast<runtime::cuda::DevicePtr>(at(out, set));
    const auto source = reinterpret_cast<runtime::cuda::DevicePtr>(at(in, set));
    runtime::cuda::check(
        runtime::cuda::driver().memcpyDtoDAsync(target, source, static_cast<size_t>(bytes.total() / 2), stream),
        "cuMemcpyDtoDAsync");
  });

  const auto program = executor.programFor(sets[0].arguments);
  int registers = 0, local = 0;
  for (const pipeline::CompiledSegment& segment : program->segments) {
    if (segment.kernel == nullptr) continue;
    const auto resources = device().executor->prepare(*segment.kernel, device_lower::IndexWidth::Bits32);
    registers = std::max(registers, resources.registers);
    local = std::max(local, resources.localBytes);
  }
  for (auto _ : state) state.SetIterationTime(timing.median * 1e-6);
  state.counters["us"] = timing.median;
  state.counters["us_min"] = timing.min;
  state.counters["us_max"] = timing.max;
  state.counters["MB"] = static_cast<double>(bytes.total()) * 1e-6;
  state.counters["GB/s"] = static_cast<double>(bytes.total()) * 1e-3 / timing.median;
  state.counters["mix_us"] = mix.median;
  state.counters["mix_share"] = mix.median / timing.median;
  state.counters["copy_us"] = copy.median;
  state.counters["copy_share"] = copy.median / timing.median;
  state.counters["registers"] = registers;
  state.counters["local_bytes"] = local;
  state.counters["launches"] = static_cast<double>(program->kernels());
}

void registerAll() {
  const auto add = [](const std::string& name, const Workload& workload, bool isConstant) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                   try {
                                     runWorkload(state, workload, isConstant);
                                   } catch (const Error& error) {
                                     state.SkipWithError(error.what());
                                   }
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  };
  for (const Workload& workload : forwardWorkloads()) {
    add(workload.name + "/symbolic", workload, false);
    add(workload.name + "/constant", workload, true);
  }
  // How cost grows with T.
  for (const char* name : {"llama3_8b", "seed_qkv_rope"}) {
    for (int64_t tokens = 1; tokens <= 32768; tokens *= 4) {
      add(fmt::format("{}/T:{}", name, tokens), {name, {{"B", 1}, {"T", tokens}}}, false);
    }
  }
}

}  // namespace
}  // namespace braid::bench

int main(int argc, char** argv) {
  std::string reason;
  if (braid::runtime::cudaDeviceCount(&reason) == 0) {
    std::fprintf(stderr, "forward_bench needs a GPU: %s\n", reason.c_str());
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  braid::bench::registerAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
