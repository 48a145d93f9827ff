// What a program costs on the host before its first launch, and what each later launch costs there.

#include <benchmark/benchmark.h>

#include "codegen/cuda_text.h"
#include "ir/text.h"
#include "pipeline/compile.h"
#include "runtime/launch_plan.h"
#include "runtime/nvrtc_api.h"
#include "workloads.h"

namespace braid::bench {
namespace {

void parse(benchmark::State& state, const Workload& workload) {
  const std::string text = ir::print(loadExample(workload.name));
  for (auto _ : state) benchmark::DoNotOptimize(ir::parse(text));
}

void compile(benchmark::State& state, const Workload& workload) {
  const ir::Fusion fusion = loadExample(workload.name);
  const scheduler::Facts facts = scheduler::factsOf(fusion, workload.dims, {});
  for (auto _ : state) benchmark::DoNotOptimize(pipeline::compile(fusion, facts));
}

void nvrtc(benchmark::State& state, const Workload& workload) {
  if (!runtime::nvrtcAvailable()) {
    state.SkipWithError("NVRTC is not here");
    return;
  }
  const ir::Fusion fusion = loadExample(workload.name);
  const auto program = pipeline::compile(fusion, scheduler::factsOf(fusion, workload.dims, {}));
  for (auto _ : state) {
    for (const auto& segment : program.segments) {
      if (segment.kernel == nullptr) continue;
      const std::string text = codegen::cudaText(*segment.kernel, device_lower::IndexWidth::Bits32);
      benchmark::DoNotOptimize(runtime::compileCuda(text, segment.kernel->name, "sm_90", runtime::Artifact::Cubin));
    }
  }
}

void plan(benchmark::State& state, const Workload& workload) {
  const ir::Fusion fusion = loadExample(workload.name);
  const auto program = pipeline::compile(fusion, scheduler::factsOf(fusion, workload.dims, {}));
  for (auto _ : state) {
    for (const auto& segment : program.segments) {
      if (segment.kernel != nullptr) benchmark::DoNotOptimize(runtime::planLaunch(*segment.kernel, workload.dims));
    }
  }
}

void registerAll() {
  const std::pair<const char*, void (*)(benchmark::State&, const Workload&)> stages[] = {
      {"parse", parse}, {"compile", compile}, {"nvrtc", nvrtc}, {"plan_launch", plan}};
  for (const auto& [stage, run] : stages) {
    for (const Workload& workload : forwardWorkloads()) {
      benchmark::RegisterBenchmark((std::string(stage) + "/" + workload.name).c_str(), [run = run, workload](
                                                                                           benchmark::State& state) {
        run(state, workload);
      })->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace
}  // namespace braid::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  braid::bench::registerAll();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
