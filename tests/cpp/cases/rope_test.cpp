// Rotary embeddings, the QKV split, and layouts of heads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/host_run.h"
#include "evaluator/scalar_ops.h"
#include "support/run_fusion.h"

namespace braid::test {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using Widths = std::set<int64_t>;

// C55: NVIDIA/Fuser#3688, StableLM: 32 of 80 rotate, q k v packed in the middle.
TEST(Rope, OfPartOfAHeadKeepsWideVectors) {
  for (const auto& [b, t] : {std::pair<int64_t, int64_t>{5, 5}, {1, 1}, {2, 7}}) {
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(x: bf16[B, T, 7680], c: bf16[T, 32], s: bf16[T, 32]) {
  r = reshape(x, shape=[B, T, 32, 3, 80])
  p = permute(r, dims=[0, 2, 3, 1, 4])
  q = squeeze(slice(p, start=[0, 0, 1, 0, 0], stop=[B, 32, 2, T, 80]), dims=[2])
  a = slice(q, start=[0, 0, 0, 0], stop=[B, 32, T, 32])
  u = slice(a, start=[0, 0, 0, 0], stop=[B, 32, T, 16])
  w = slice(a, start=[0, 0, 0, 16], stop=[B, 32, T, 32])
  m = add(mul(a, c), mul(cat(neg(w), u, dim=-1), s))
  o = cat(m, slice(q, start=[0, 0, 0, 32], stop=[B, 32, T, 80]), dim=-1)
  return o
})",
                                                         {{"B", b}, {"T", t}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    EXPECT_EQ(loadBytes(*program, "x"), Widths{16});
    EXPECT_EQ(loadBytes(*program, "c"), Widths{16});
    EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
  }
}

// C57: linkedin/Liger-Kernel#342, hpcaitech/ColossalAI#6444. Strides of axes of one element may be anything.
TEST(Rope, RotatesQueriesAndKeysOfOnePackedBuffer) {
  constexpr const char* kText = R"(
fusion f(q: f32[1, 2, T, 128] strides(*, 128, 384, 1), k: f32[1, 1, T, 128] strides(*, *, 384, 1),
         c: f32[T, 128], s: f32[T, 128]) {
  qa = slice(q, start=[0, 0, 0, 0], stop=[1, 2, T, 64])
  qb = slice(q, start=[0, 0, 0, 64], stop=[1, 2, T, 128])
  ka = slice(k, start=[0, 0, 0, 0], stop=[1, 1, T, 64])
  kb = slice(k, start=[0, 0, 0, 64], stop=[1, 1, T, 128])
  qo = add(mul(q, c), mul(cat(neg(qb), qa, dim=-1), s))
  ko = add(mul(k, c), mul(cat(neg(kb), ka, dim=-1), s))
  return qo, ko
})";
  for (const int64_t t : {1, 5, 64}) {
    RunOptions options;
    options.inputs["q"].strides = {987654321987, 128, 384, 1};
    options.inputs["k"].strides = {3, 123456789123, 384, 1};
    const auto program = expectRunsWithAndWithoutMovePad(kText, {{"T", t}}, options);
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    for (const char* input : {"q", "k"}) EXPECT_EQ(loadBytes(*program, input), Widths{16});
  }
}

// C58: vllm-project/vllm#17091, vllm-project/vllm#18046: the last 64 of 192 rotate in pairs.
TEST(Rope, OfInterleavedPairsBehindAPlainPart) {
  RunOptions options;
  for (const auto& [n, h] : {std::pair<int64_t, int64_t>{1, 1}, {5, 3}}) {
    const auto program = expectRunsWithAndWithoutMovePad(R"(
fusion f(q: bf16[N, H, 192], kpe: bf16[N, 1, 64] strides(576, *, 1), c: bf16[N, 32], s: bf16[N, 32]) {
  n = slice(q, start=[0, 0, 0], stop=[N, H, 128])
  e = slice(q, start=[0, 0, 128], stop=[N, H, 192])
  v = reshape(e, shape=[N, H, 32, 2])
  x0 = squeeze(slice(v, start=[0, 0, 0, 0], stop=[N, H, 32, 1]), dims=[3])
  x1 = squeeze(slice(v, start=[0, 0, 0, 1], stop=[N, H, 32, 2]), dims=[3])
  c3 = unsqueeze(c, dim=1)
  s3 = unsqueeze(s, dim=1)
  y0 = sub(mul(x0, c3), mul(x1, s3))
  y1 = add(mul(x1, c3), mul(x0, s3))
  r = reshape(stack(y0, y1, dim=3), shape=[N, H, 64])
  o = cat(n, r, dim=-1)
  kf = add(kpe, 0.0)
  return o, kf
})",
                                                         {{"N", n}, {"H", h}}, options);
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    EXPECT_EQ(storeBytes(*program, "kf"), Widths{16});
  }
}

// C58: −0.0 + 0.0 is +0.0, so adding nothing is no copy.
TEST(Rope, AddingZeroIsArithmetic) {
  RunOptions options;
  options.arrays.emplace("x", arrayOf<uint16_t>(DType::BFloat16, {2}, {0x8000, 0x3f80}));
  options.expected.emplace("o", arrayOf<uint16_t>(DType::BFloat16, {2}, {0, 0x3f80}));
  expectRunsBitwise("fusion f(x: bf16[2]) { o = add(x, 0.0)  return o }", {}, options);
}

uint16_t bfloat16(float value) { return evaluator::floatToHalf(value, DType::BFloat16); }
float rounded(float value) { return evaluator::halfToFloat(bfloat16(value), DType::BFloat16); }

// C60: pytorch/pytorch#182225, pytorch/pytorch#183122, pytorch/torchtitan#2575. One rounding after each op, no FMA.
TEST(Rope, RoundsEveryHalfOpOnce) {
  constexpr int64_t kCount = 64;
  std::vector<uint16_t> q(kCount), r(kCount), c(kCount), s(kCount), each(kCount), once(kCount);
  int64_t differ = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const auto draw = [&](int salt) {
      return rounded(0.37f + 0.013f * static_cast<float>((static_cast<int>(i) * salt) % 89));
    };
    const float fq = draw(7), fr = draw(31), fc = draw(13), fs = draw(53);
    q[i] = bfloat16(fq), r[i] = bfloat16(fr), c[i] = bfloat16(fc), s[i] = bfloat16(fs);
    each[i] = bfloat16(rounded(fq * fc) + rounded(fr * fs));
    const float a = fq * fc, b = fr * fs;
    once[i] = bfloat16(a + b);
    differ += each[i] != once[i];
  }
  EXPECT_GT(differ, 0) << "the data tells the two apart";
  RunOptions options;
  const auto give = [&](const char* name, const std::vector<uint16_t>& values) {
    options.arrays.emplace(name, arrayOf(DType::BFloat16, {kCount}, values));
  };
  give("q", q), give("r", r), give("c", c), give("s", s);
  options.expected.emplace("o", arrayOf(DType::BFloat16, {kCount}, each));
  expectRunsBitwise(R"(
fusion f(q: bf16[64], r: bf16[64], c: bf16[64], s: bf16[64]) {
  o = add(mul(q, c), mul(r, s))
  return o
})",
                    {}, options);
  options.expected.at("o") = arrayOf(DType::BFloat16, {kCount}, once);
  expectRunsBitwise(R"(
fusion f(q: bf16[64], r: bf16[64], c: bf16[64], s: bf16[64]) {
  a = mul(cast(q, dtype=f32), cast(c, dtype=f32))
  b = mul(cast(r, dtype=f32), cast(s, dtype=f32))
  o = cast(add(a, b), dtype=bf16)
  return o
})",
                    {}, options);
}

// C62: NVIDIA/Fuser#3505, pytorch/torchtitan#3714.
TEST(Rope, ReturnsTheKeysBothAsAViewAndRepeated) {
  constexpr const char* kText = R"(
fusion f(x: bf16[1, T, 512]) {
  k = permute(reshape(x, shape=[1, T, 8, 64]), dims=[0, 2, 1, 3])
  b = broadcast_in_dim(k, shape=[1, 8, 4, T, 64], dims=[0, 1, 3, 4])
  o = reshape(b, shape=[1, 32, T, 64])
  return k, o
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {{"T", 5}});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  EXPECT_EQ(loadCount(*program, "x"), 1) << "each vector is read once and stored four times";
  EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
  const auto shapes = HostRun(kText, {{"T", 5}}).shapes();
  EXPECT_TRUE(shapes[0].isAlias);
  EXPECT_THAT(shapes[0].strides, ElementsAre(_, 64, 512, 1)) << "an axis of one element may have any stride";
  EXPECT_FALSE(shapes[1].isAlias);
}

TEST(Rope, CopiesTheKeysWhereALayoutIsAskedFor) {
  constexpr const char* kText = R"(
fusion f(x: bf16[1, T, 512]) {
  k = permute(reshape(x, shape=[1, T, 8, 64]), dims=[0, 2, 1, 3])
  return k strides(contiguous)
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {{"T", 5}});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  const auto shapes = HostRun(kText, {{"T", 5}}).shapes();
  EXPECT_FALSE(shapes[0].isAlias);
  EXPECT_THAT(shapes[0].strides, ElementsAre(2560, 320, 64, 1));
}

// C63: ROCm/apex#334, NVIDIA/TransformerEngine#455, NVIDIA/TransformerEngine#517.
TEST(Rope, ReadsATensorWhoseInnermostStrideIsNotOne) {
  constexpr const char* kText = R"(
fusion f(x: bf16[T, B, H, 64] strides(*, *, 1, H), g: bf16[T, B, H, 64] strides(0, 0, 0, 0), f: f32[T, 64]) {
  c = cast(cos(f), dtype=bf16)
  c4 = broadcast_in_dim(c, shape=[T, B, H, 64], dims=[0, 3])
  a = mul(x, c4)
  o = mul(a, g)
  return o
})";
  for (const int64_t h : {1, 5, 8}) {
    const auto program = expectRunsWithAndWithoutMovePad(kText, {{"T", 3}, {"B", 2}, {"H", h}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
    EXPECT_EQ(loadBytes(*program, "g"), Widths{2});
    if (h > 1) {
      EXPECT_EQ(loadBytes(*program, "x"), Widths{2});
    }
    EXPECT_EQ(storeBytes(*program, "o"), Widths{16});
  }
}

// C64: nvFuser's tests QKVSplitBackprop, Issue1452, DuplicateOutputs, SourceIsBothInputAndOutput. The sum is left out.
// A view of a computed output is a copy of it: aliases are of inputs alone.
TEST(Rope, ReturnsAValueTwiceAndAnInputAsItself) {
  constexpr const char* kText = R"(
fusion f(dq: f32[2, 16, 24], dk: f32[2, 16, 24], dv: f32[2, 16, 24]) {
  c = cat(dq, dk, dv, dim=-1)
  v = reshape(c, shape=[32, 72])
  p = permute(v, dims=[1, 0])
  return v, p, p, dq
})";
  const auto program = expectRunsWithAndWithoutMovePad(kText, {});
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->kernels(), 1);
  HostRun run(kText, {});
  const auto result = run.run();
  ASSERT_EQ(result.outputs.size(), 4u);
  EXPECT_EQ(result.outputs[3].data, run.input("dq").data);
  EXPECT_NE(result.outputs[1].data, result.outputs[2].data);
}

// C65: nvFuser's tests View_NoAliasForIncompliantLayout, SliceToSizeOne.
TEST(Rope, WritesAnOutputInTheLayoutThatItDeclares) {
  constexpr const char* kText = R"(
fusion f(x: f32[2, 3, 4]) {
  v = reshape(x, shape=[2, 12])
  a = slice(x, start=[0, 0, 0], stop=[2, 3, 1])
  return v strides(1, 2), a
})";
  expectRunsWithAndWithoutMovePad(kText, {});
  const auto shapes = HostRun(kText, {}).shapes();
  EXPECT_FALSE(shapes[0].isAlias);
  EXPECT_THAT(shapes[0].strides, ElementsAre(1, 2));
  EXPECT_TRUE(shapes[1].isAlias);
  EXPECT_EQ(shapes[1].strides[0], 12);
  EXPECT_EQ(shapes[1].strides[1], 4);
}

}  // namespace
}  // namespace braid::test
