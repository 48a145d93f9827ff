// A host application: defines the QKV split with rotary embedding, runs it as one kernel, and compares with plain
// loops.
//
// The executor runs on the host, where it checks every access of the kernel. On a GPU, pass Device::cuda(0) and tensors
// that lie there; nothing else changes.

#include <braid/braid.h>

#include <bit>
#include <cstdio>
#include <vector>

namespace {

constexpr int64_t kBatch = 2, kTokens = 96, kGroups = 4, kPerGroup = 4, kHeads = kGroups * kPerGroup;
constexpr int64_t kFeatures = 32, kRotated = 8, kPacked = (kHeads + 2 * kGroups) * kFeatures;

/// The first `kRotated` features of each head turn, the others pass.
braid::Tensor rotate(braid::Ops& op, const braid::Tensor& x, const braid::Tensor& cos, const braid::Tensor& sin,
                     const braid::Extent& batch, const braid::Extent& tokens) {
  const auto features = [&](int64_t first, int64_t last) {
    return op.slice(x, {0, 0, 0, first}, {batch, kHeads, tokens, last});
  };
  const braid::Tensor turned = op.cat({-features(kRotated / 2, kRotated), features(0, kRotated / 2)}, -1);
  return op.cat({features(0, kRotated) * cos + turned * sin, features(kRotated, kFeatures)}, -1);
}

braid::Fusion makeQkvRope() {
  braid::FusionDefinition fd("qkv_rope");
  const braid::Extent batch = fd.define_dim("B"), tokens = fd.define_dim("T");
  const braid::Tensor x = fd.define_tensor("x", {batch, tokens, kPacked}, braid::DType::BFloat16);
  const braid::Tensor cos = fd.define_tensor("cos", {tokens, kRotated}, braid::DType::BFloat16);
  const braid::Tensor sin = fd.define_tensor("sin", {tokens, kRotated}, braid::DType::BFloat16);
  braid::Ops& op = fd.ops;
  const braid::Tensor heads = op.reshape(x, {batch, tokens, kGroups, kPerGroup + 2, kFeatures});
  const auto parts = op.split(op.permute(heads, {0, 2, 3, 1, 4}), {kPerGroup, 1, 1}, 2);
  const auto repeated = [&](const braid::Tensor& each) {
    return op.reshape(op.expand(each, {batch, kGroups, kPerGroup, tokens, kFeatures}),
                      {batch, kHeads, tokens, kFeatures});
  };
  const braid::Tensor q = op.reshape(parts[0], {batch, kHeads, tokens, kFeatures});
  fd.add_output(rotate(op, q, cos, sin, batch, tokens), "q");
  fd.add_output(rotate(op, repeated(parts[1]), cos, sin, batch, tokens), "k");
  fd.add_output(repeated(parts[2]), "v");
  return fd.finish();
}

float fromBFloat16(uint16_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

/// Rounds to nearest, ties to even.
uint16_t toBFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float rounded(float value) { return fromBFloat16(toBFloat16(value)); }

struct HostTensor {
  std::vector<int64_t> sizes;
  std::vector<uint16_t> values;

  explicit HostTensor(std::vector<int64_t> shape) : sizes(std::move(shape)) {
    size_t count = 1;
    for (const int64_t size : sizes) count *= static_cast<size_t>(size);
    values.resize(count);
    for (size_t i = 0; i < count; ++i) values[i] = toBFloat16(static_cast<float>(i * 37 % 201) / 64.0f - 1.5f);
  }
  braid::TensorRef ref() { return {values.data(), braid::DType::BFloat16, sizes, {}}; }
  float at(int64_t i) const { return fromBFloat16(values[static_cast<size_t>(i)]); }
};

/// What q, k and v (which = 0, 1, 2) hold, by loops: each product and each sum rounds to bf16, as in the fusion.
int64_t differences(int which, const HostTensor& x, const HostTensor& cos, const HostTensor& sin,
                    const HostTensor& result) {
  int64_t different = 0, at = 0;
  for (int64_t b = 0; b < kBatch; ++b) {
    for (int64_t h = 0; h < kHeads; ++h) {
      for (int64_t t = 0; t < kTokens; ++t) {
        for (int64_t d = 0; d < kFeatures; ++d, ++at) {
          const int64_t slot = which == 0 ? h % kPerGroup : kPerGroup + which - 1;
          const int64_t row = (b * kTokens + t) * kPacked + (h / kPerGroup * (kPerGroup + 2) + slot) * kFeatures;
          float expected = x.at(row + d);
          if (which < 2 && d < kRotated) {
            const bool isFirstHalf = d < kRotated / 2;
            const float partner = isFirstHalf ? -x.at(row + d + kRotated / 2) : x.at(row + d - kRotated / 2);
            expected =
                rounded(rounded(expected * cos.at(t * kRotated + d)) + rounded(partner * sin.at(t * kRotated + d)));
          }
          different += toBFloat16(expected) != result.values[static_cast<size_t>(at)];
        }
      }
    }
  }
  return different;
}

}  // namespace

int main() {
  try {
    const braid::Fusion fusion = makeQkvRope();
    std::printf("%s\n", fusion.text().c_str());

    HostTensor x({kBatch, kTokens, kPacked}), cos({kTokens, kRotated}), sin({kTokens, kRotated});
    const std::vector<int64_t> shape{kBatch, kHeads, kTokens, kFeatures};
    std::vector<HostTensor> outputs(3, HostTensor(shape));

    braid::Executor executor(fusion, {.device = braid::Device::cpu(), .disabled = {}, .cacheDirectory = ""});
    const std::vector<braid::Argument> inputs{x.ref(), cos.ref(), sin.ref()};
    executor.execute(inputs, {outputs[0].ref(), outputs[1].ref(), outputs[2].ref()});

    int64_t different = 0;
    for (int which = 0; which < 3; ++which) {
      different += differences(which, x, cos, sin, outputs[static_cast<size_t>(which)]);
    }
    std::printf("%lld kernel on %s; %lld elements differ from the loops\n",
                static_cast<long long>(executor.kernels(inputs)), executor.device().c_str(),
                static_cast<long long>(different));
    return different == 0 ? 0 : 1;
  } catch (const braid::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
