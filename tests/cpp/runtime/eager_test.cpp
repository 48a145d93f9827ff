// Every fixture on the executors: the compiled kernels give what PyTorch eager gave.

#include <gtest/gtest.h>

#include "runtime/fusion_executor.h"
#include "runtime/nvrtc_api.h"
#include "support/fixture.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

class EagerKernel : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(EagerKernel, GivesTheSame) {
  const Fixture fixture = readFixture(GetParam());
  expectAsEager(fixture, runOn(runtime::makeHostExecutor(), fixture.fusion, fixture.arguments));
  if (runtime::cudaDeviceCount() == 0 || !runtime::nvrtcAvailable()) return;
  // CUDA's functions of f32 and f64 have errors of 1 to 4 ulps (tables of the CUDA programming guide).
  expectAsEager(fixture, runOn(runtime::makeCudaExecutor(0), fixture.fusion, fixture.arguments), 4);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, EagerKernel, ::testing::ValuesIn(fixtureFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace braid::test
