#include "streaming_kernel.h"

#include <algorithm>

#include "runtime/nvrtc_api.h"

namespace braid::bench {

using namespace runtime;
using cuda::check;
using cuda::driver;

namespace {

constexpr int64_t kVectorBytes = 16;
constexpr unsigned kThreads = 128;

// `step` is reads for each write in 32.32 fixed point.
constexpr const char* kText = R"(
extern "C" __global__ void __launch_bounds__(128) streaming(const uint4* __restrict__ in, uint4* __restrict__ out,
                                                            unsigned reads, unsigned writes, unsigned long long step) {
  const unsigned i = blockIdx.x * 128u + threadIdx.x;
  if (i >= writes) return;
  unsigned first = (unsigned)((i * step) >> 32);
  unsigned last = (unsigned)(((i + 1ull) * step) >> 32);
  if (last == first) last = first + 1;
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (unsigned at = first; at < last && at < reads; ++at) {
    uint4 v;
    asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(in + at));
    sum.x ^= v.x; sum.y ^= v.y; sum.z ^= v.z; sum.w ^= v.w;
  }
  asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};"
               :: "l"(out + i), "r"(sum.x), "r"(sum.y), "r"(sum.z), "r"(sum.w) : "memory");
}
)";

}  // namespace

StreamingKernel::StreamingKernel(const std::string& architecture) {
  const Compilation compiled = compileCuda(kText, "streaming", architecture, Artifact::Cubin);
  check(driver().moduleLoadData(&module_, compiled.image.data()), "cuModuleLoadData");
  check(driver().moduleGetFunction(&function_, module_, "streaming"), "cuModuleGetFunction");
}

StreamingKernel::~StreamingKernel() { driver().moduleUnload(module_); }

void StreamingKernel::launch(const void* in, void* out, int64_t readBytes, int64_t writeBytes,
                             cuda::Stream stream) const {
  auto reads = static_cast<unsigned>(std::max<int64_t>(1, readBytes / kVectorBytes));
  auto writes = static_cast<unsigned>(std::max<int64_t>(1, writeBytes / kVectorBytes));
  auto step = (static_cast<unsigned long long>(reads) << 32) / writes;
  void* parameters[] = {&in, &out, &reads, &writes, &step};
  check(driver().launchKernel(function_, (writes + kThreads - 1) / kThreads, 1, 1, kThreads, 1, 1, 0, stream,
                              parameters, nullptr),
        "cuLaunchKernel");
}

}  // namespace braid::bench
