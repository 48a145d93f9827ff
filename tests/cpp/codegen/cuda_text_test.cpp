#include "codegen/cuda_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/hand_rope.h"

namespace braid::test {
namespace {

using codegen::cudaText;
using codegen::fingerprintOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// What stands between the thread's guard and its end, without indentation.
std::string bodyOf(const Kernel& kernel, IndexWidth width = IndexWidth::Bits32) {
  verify(kernel);
  const std::string text = cudaText(kernel, width);
  size_t at = text.find("extern \"C\"");
  at = text.find("\n  if (", at) + 1;
  at = text.find('\n', at) + 1;
  std::string body;
  while (!text.substr(at).starts_with("  }\n")) {
    const size_t end = text.find('\n', at);
    const size_t begin = text.find_first_not_of(' ', at);
    body += text.substr(begin, end - begin) + "\n";
    at = end + 1;
  }
  return body;
}

/// One part of 64 threads, eight elements each.
struct Sample : HandKernel {
  explicit Sample(DType type) : HandKernel("sample") {
    x = input("x", type);
    y = input("y", type);
    q = output("q", type);
    thread = part("q", 64);
    offset = arena().mul(thread, 8);
  }
  TensorId x, y, q;
  IndexExpr thread, offset;
};

TEST(CudaText, IsTheWholeTranslationUnit) {
  HandKernel k("copy.rows");
  const TensorId x = k.input("x", DType::Float32);
  const TensorId q = k.output("q", DType::Float32);
  k.kernel.header = {"fusion copy(x: f32[T, 4])\nsecond line"};
  const IndexExpr t = k.size("T");
  const IndexExpr thread = k.part("q", t);
  k.store(q, k.arena().mul(thread, 4), k.load("a", x, k.arena().mul(thread, 4), 4));
  EXPECT_EQ(cudaText(k.kernel, IndexWidth::Bits32),
            R"(// fusion copy(x: f32[T, 4])
// second line
// 128 threads a block, 32 bits of index arithmetic

#define DEVICE static __device__ __forceinline__
DEVICE void load16_stream(void* lanes, const void* p) { const uint4 v = __ldcs((const uint4*)p); memcpy(lanes, &v, 16); }
DEVICE void store16_stream(void* p, const void* lanes) { uint4 v; memcpy(&v, lanes, 16); __stcs((uint4*)p, v); }

extern "C" __global__ void __launch_bounds__(128) copy_rows(
    const float* __restrict__ x_ptr,
    float* __restrict__ q_ptr,
    int T) {
  const int q_thread = (int)(blockIdx.x * 128u + threadIdx.x);
  if ((unsigned)q_thread < (unsigned)(T)) {
    float a[4];
    load16_stream(a, x_ptr + q_thread * 4);
    store16_stream(q_ptr + q_thread * 4, a);
  }
}
)");
  EXPECT_EQ(codegen::entryName(k.kernel), "copy_rows");
}

TEST(CudaText, IsTheSameForTheSameKernel) {
  EXPECT_EQ(cudaText(handRope(), IndexWidth::Bits32), cudaText(handRope(), IndexWidth::Bits32));
  EXPECT_EQ(cudaText(handRope(), IndexWidth::Bits64), cudaText(handRope(), IndexWidth::Bits64));
  EXPECT_NE(cudaText(handRope(), IndexWidth::Bits32), cudaText(handRope(), IndexWidth::Bits64));
}

TEST(CudaText, HasAFingerprintThatChangesWithTheKernel) {
  Kernel rope = handRope();
  const std::string fingerprint = fingerprintOf(rope);
  EXPECT_EQ(fingerprint.size(), 32u);
  EXPECT_EQ(fingerprint, fingerprintOf(handRope()));
  rope.blockThreads = 64;
  EXPECT_NE(fingerprint, fingerprintOf(rope));
}

TEST(CudaText, CountsThreadsOfAPartFromItsFirstBlock) {
  const std::string text = cudaText(handRope(), IndexWidth::Bits32);
  EXPECT_THAT(text, HasSubstr("  if (blockIdx.x < q_end) {  // part q\n"
                              "    const int q_thread = (int)(blockIdx.x * 128u + threadIdx.x);\n"));
  EXPECT_THAT(text, HasSubstr("  } else {  // part v\n"
                              "    const int v_thread = (int)((blockIdx.x - q_end) * 128u + threadIdx.x);\n"
                              "    if ((unsigned)v_thread < (unsigned)(T * G)) {\n"));
  EXPECT_THAT(cudaText(handRope(), IndexWidth::Bits64),
              HasSubstr("    const long long v_thread = (long long)(blockIdx.x - q_end) * 128 + threadIdx.x;\n"
                        "    if (v_thread < T * G) {\n"));
}

TEST(CudaText, ListsArgumentsInTheOrderOfTheKernel) {
  HandKernel k("arguments");
  k.input("x", DType::BFloat16);
  k.output("q", DType::Bool);
  k.parameter("s", DType::Float16);
  const IndexExpr t = k.size("T");
  k.kernel.divisors = {t, k.arena().add(t, 1)};
  k.part("a", t);
  k.part("b", t);
  k.part("c", t);
  EXPECT_THAT(cudaText(k.kernel, IndexWidth::Bits64), HasSubstr("arguments(\n"
                                                                "    const unsigned short* __restrict__ x_ptr,\n"
                                                                "    unsigned char* __restrict__ q_ptr,\n"
                                                                "    unsigned short s,\n"
                                                                "    long long T,\n"
                                                                "    Divisor T_div,\n"
                                                                "    Divisor size_div,\n"
                                                                "    unsigned a_end,\n"
                                                                "    unsigned b_end) {\n"));
}

TEST(CudaText, KeepsTheUsersNamesApart) {
  HandKernel k("exp");
  const TensorId x = k.input("x", DType::Float32);
  const TensorId q = k.output("x_ptr", DType::Float32);
  const IndexExpr thread = k.part("q", 4);
  const RegisterId a = k.load("for", x, thread, 1);
  const RegisterId b = k.compute("q.pad", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 1, {a});
  const RegisterId c = k.compute("q_pad", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 1, {b});
  const RegisterId d = k.compute("expf", ir::UnaryKind::Exp, DType::Float32, DType::Float32, 1, {c});
  k.store(q, thread, d);
  EXPECT_EQ(codegen::entryName(k.kernel), "exp_kernel");
  EXPECT_EQ(bodyOf(k.kernel),
            "float for_2;\n"
            "load4_stream(&for_2, x_ptr + q_thread);\n"
            "float q_pad;\n"
            "q_pad = -for_2;\n"
            "float q_pad_2;\n"
            "q_pad_2 = -q_pad;\n"
            "float expf_2;\n"
            "expf_2 = expf(q_pad_2);\n"
            "store4_stream(x_ptr_ptr + q_thread, &expf_2);\n");
}

TEST(CudaText, KeepsCommentsInsideTheirLine) {
  Sample k(DType::Float32);
  const RegisterId a = k.load("a", k.x, k.offset, 1);
  k.compute("b", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 1, {a}, "ends in a \\\n*/ next");
  k.compute("c", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 1, {a}, "ends in a \\\n*/ next");
  EXPECT_EQ(bodyOf(k.kernel),
            "float a;\n"
            "load4_stream(&a, x_ptr + q_thread * 8);\n"
            "// ends in a \\ .\n"
            "// */ next\n"
            "float b;\n"
            "b = -a;\n"
            "float c;\n"
            "c = -a;\n");
}

TEST(CudaText, LoadsChunksIntoTheirLanes) {
  Sample k(DType::BFloat16);
  const RegisterId a = k.reg("a", DType::BFloat16, 8);
  const IndexExpr inside = k.arena().less(k.thread, k.constant(3));
  k.add(Load{a, 0, 4, k.x, k.offset, {}, CacheHint::ReadOnly});
  k.add(Load{a, 4, 2, k.x, k.offset, inside, CacheHint::Stream});
  k.add(Load{a, 6, 1, k.x, k.offset, {}, CacheHint::Default});
  k.add(Load{a, 7, 1, k.x, k.offset, {}, CacheHint::Default});
  k.add(Store{k.q, k.offset, 2, a, 6, inside, CacheHint::Default});
  EXPECT_EQ(bodyOf(k.kernel),
            "unsigned a[4] = {};\n"
            "load8_readonly(a, x_ptr + q_thread * 8);\n"
            "if (q_thread < 3) load4_stream(a + 2, x_ptr + q_thread * 8);\n"
            "load2((unsigned short*)a + 6, x_ptr + q_thread * 8);\n"
            "load2((unsigned short*)a + 7, x_ptr + q_thread * 8);\n"
            "if (q_thread < 3) store4(q_ptr + q_thread * 8, a + 3);\n");
}

TEST(CudaText, DeclaresARegisterWhereAllItsLoadsSeeIt) {
  Sample k(DType::Float32);
  const RegisterId a = k.reg("a", DType::Float32, 2);
  const IndexExpr inside = k.arena().less(k.thread, k.constant(3));
  k.guard(inside);
  k.add(Load{a, 0, 1, k.x, k.offset, {}, CacheHint::Default});
  k.close();
  k.add(Load{a, 1, 1, k.x, k.offset, {}, CacheHint::Default});
  EXPECT_EQ(bodyOf(k.kernel),
            "float a[2];\n"
            "if (q_thread < 3) {\n"
            "load4(a, x_ptr + q_thread * 8);\n"
            "}\n"
            "load4(a + 1, x_ptr + q_thread * 8);\n");
}

TEST(CudaText, MovesHalvesWithoutConvertingThem) {
  Sample k(DType::Float16);
  const IndexExpr early = k.arena().less(k.thread, k.constant(3));
  const IndexExpr late = k.arena().less(k.thread, k.constant(5));
  const RegisterId a = k.load("a", k.x, k.offset, 4);
  const RegisterId one = k.load("one", k.y, k.offset, 1);
  const auto select = [&](const char* name, std::vector<IndexExpr> conditions, Operand yes, Operand no) {
    const RegisterId dst = k.reg(name, DType::Float16, 4);
    k.add(SelectLanes{dst, std::move(conditions), yes, no});
    return dst;
  };
  const auto yes = k.arena().truth(true);
  select("b", {early}, a, ir::Scalar::real(-0.0));
  select("c", {early, early, yes, late}, a, one);
  select("d", {yes, yes, early, early}, one, a);
  const RegisterId narrow = k.reg("narrow", DType::Float16, 1);
  k.add(SelectLanes{narrow, {early}, one, ir::Scalar::integral(1)});
  k.store(k.q, k.offset, narrow, 4);
  const std::string body = bodyOf(k.kernel);
  EXPECT_THAT(body, HasSubstr("for (int w = 0; w < 2; ++w) b[w] = q_thread < 3 ? a[w] : 0x80008000u;\n"));
  EXPECT_THAT(body, HasSubstr("c[0] = q_thread < 3 ? a[0] : both(one);\n"
                              "c[1] = select_halves(true, q_thread < 5, a[1], both(one));\n"));
  EXPECT_THAT(body, HasSubstr("d[0] = both(one);\n"
                              "d[1] = q_thread < 3 ? both(one) : a[1];\n"));
  EXPECT_THAT(body, HasSubstr("narrow = q_thread < 3 ? one : 0x3c003c00u;\n"
                              "{\n"
                              "unsigned wide[2];\n"
                              "#pragma unroll\n"
                              "for (int i = 0; i < 2; ++i) wide[i] = both(narrow);\n"
                              "store8_stream(q_ptr + q_thread * 8, wide);\n"
                              "}\n"));
  EXPECT_THAT(cudaText(k.kernel, IndexWidth::Bits32), Not(HasSubstr("cvt")));
}

TEST(CudaText, ComputesHalvesInFloatAndRoundsOnce) {
  Sample k(DType::BFloat16);
  const RegisterId a = k.load("a", k.x, k.offset, 8);
  const RegisterId one = k.load("one", k.y, k.offset, 1);
  const DType half = DType::BFloat16;
  k.compute("b", ir::BinaryKind::Div, half, half, 8, {a, one});
  k.compute("c", ir::UnaryKind::Exp, half, half, 1, {one});
  k.compute("d", ir::BinaryKind::Lt, half, DType::Bool, 8, {a, ir::Scalar::real(0.1)});
  k.compute("e", CastOp{half}, half, DType::Float32, 8, {a});
  const std::string body = bodyOf(k.kernel);
  EXPECT_THAT(body, HasSubstr("for (int w = 0; w < 4; ++w) b[w] = pack_bf16(lo_bf16(a[w]) / lo_bf16(one), "
                              "hi_bf16(a[w]) / lo_bf16(one));\n"));
  EXPECT_THAT(body, HasSubstr("c = pack_bf16(expf(lo_bf16(one)), 0.0f);\n"));
  EXPECT_THAT(body, HasSubstr("for (int i = 0; i < 8; ++i) d[i] = lane_bf16(a, i) < 0.1f;\n"));
  EXPECT_THAT(body, HasSubstr("for (int i = 0; i < 8; ++i) e[i] = lane_bf16(a, i);\n"));
}

TEST(CudaText, MultipliesHalvesAsTheyAreOnlyByWhatTheyCanHold) {
  Sample k(DType::BFloat16);
  const ParameterId s = k.parameter("s", DType::Float32);
  const DType half = DType::BFloat16;
  const RegisterId a = k.load("a", k.x, k.offset, 2);
  k.compute("exact", ir::BinaryKind::Mul, half, half, 2, {a, ir::Scalar::real(0.5)});
  k.compute("inexact", ir::BinaryKind::Mul, half, half, 2, {a, ir::Scalar::real(0.1)});
  k.compute("scaled", ir::BinaryKind::Mul, half, half, 2, {a, s});
  const std::string body = bodyOf(k.kernel);
  EXPECT_THAT(body, HasSubstr("exact[0] = mul_bf16(a[0], 0x3f003f00u);\n"));
  EXPECT_THAT(body, HasSubstr("inexact[0] = pack_bf16(lo_bf16(a[0]) * 0.1f, hi_bf16(a[0]) * 0.1f);\n"));
  EXPECT_THAT(body, HasSubstr("scaled[0] = pack_bf16(lo_bf16(a[0]) * s, hi_bf16(a[0]) * s);\n"));
}

TEST(CudaText, WrapsIntegers) {
  Sample k(DType::Int32);
  const RegisterId a = k.load("a", k.x, k.offset, 1);
  k.compute("b", ir::BinaryKind::Mul, DType::Int32, DType::Int32, 1, {a, ir::Scalar::integral(-3)});
  EXPECT_THAT(bodyOf(k.kernel), HasSubstr("b = (int)((unsigned int)a * (unsigned int)(-3));\n"));
}

TEST(CudaText, StartsASequenceWhereItSays) {
  Sample k(DType::Int32);
  const RegisterId a = k.reg("a", DType::Int32, 2);
  k.add(FromIndex{a, {k.thread, k.arena().add(k.thread, 1)}, ir::Scalar::integral(5), ir::Scalar::integral(-1)});
  const RegisterId b = k.reg("b", DType::Float32, 1);
  k.add(FromIndex{b, {k.thread}, ir::Scalar::integral(0), ir::Scalar::integral(1)});
  EXPECT_EQ(bodyOf(k.kernel),
            "int a[2];\n"
            "a[0] = (int)(long long)((unsigned long long)5LL + (unsigned long long)(-1LL) * "
            "(unsigned long long)(q_thread));\n"
            "a[1] = (int)(long long)((unsigned long long)5LL + (unsigned long long)(-1LL) * "
            "(unsigned long long)(q_thread + 1));\n"
            "float b;\n"
            "b = (float)(double)(q_thread);\n");
}

TEST(CudaText, UnrollsOnlyTheLoopsThatSaySo) {
  Sample k(DType::Float32);
  k.loop("i", 4, true);
  k.close();
  k.loop("i2", 4);
  k.close();
  EXPECT_EQ(bodyOf(k.kernel),
            "#pragma unroll\n"
            "for (int i_2 = 0; i_2 < 4; ++i_2) {\n"
            "}\n"
            "#pragma unroll 1\n"
            "for (int i2 = 0; i2 < 4; ++i2) {\n"
            "}\n");
}

}  // namespace
}  // namespace braid::test
