#include <gtest/gtest.h>

#include "support/hand_kernel.h"

namespace braid::test {
namespace {

TEST(KernelPrinter, NamesEverythingAsTheKernelDoes) {
  HandKernel k("rope");
  const TensorId x = k.input("x", DType::BFloat16, 64);
  const TensorId q = k.output("q", DType::BFloat16, 64);
  const ParameterId s = k.parameter("s", DType::Float32);
  const IndexExpr t = k.size("T");
  const IndexExpr thread = k.part("q", t);
  const IndexExpr d = k.let("d", k.arena().mul(thread, 8));
  const RegisterId x0 = k.load("x0", x, d, 8, CacheHint::ReadOnly, k.arena().less(d, k.constant(64)));
  const RegisterId m =
      k.compute("m", ir::BinaryKind::Mul, DType::BFloat16, DType::BFloat16, 8, {x0, s}, "m = mul(x, s)");
  k.loop("j", 4);
  k.store(q, d, m);
  k.close();
  EXPECT_EQ(print(k.kernel),
            "kernel rope (128 threads a block)\n"
            "  input x: bf16, 16-byte aligned, spans 64\n"
            "  output q: bf16, 16-byte aligned, spans 64\n"
            "  parameter s: f32\n"
            "  symbols T\n"
            "  part q: q.thread < T\n"
            "    d = q.thread * 8\n"
            "    x0: bf16[8] = load.readonly x[d] if d < 64\n"
            "    m: bf16[8] = mul x0, s  # m = mul(x, s)\n"
            "    loop j < 4\n"
            "      store.stream q[d] = m[0:8]\n");
}

TEST(KernelPrinter, TellsLanesConstantsAndConditionsApart) {
  HandKernel k("lanes");
  const TensorId x = k.input("x", DType::Float32, 8);
  const TensorId q = k.output("q", DType::Float32, 8);
  const IndexExpr thread = k.part("q", 2);
  const IndexExpr first = k.arena().less(thread, k.constant(1));
  const RegisterId a = k.reg("a", DType::Float32, 2);
  k.add(Load{a, 0, 1, x, thread, {}, CacheHint::Default});
  k.add(Load{a, 1, 1, x, k.arena().add(thread, 4), {}, CacheHint::Default});
  const RegisterId b = k.reg("b", DType::Float32, 2);
  k.add(SelectLanes{b, {first, k.arena().truth(false)}, a, ir::Scalar::real(0.5)});
  const RegisterId i = k.reg("i", DType::Float32, 1);
  k.add(FromIndex{i, {thread}, ir::Scalar::integral(1), ir::Scalar::integral(2)});
  const RegisterId f = k.reg("f", DType::Float32, 2);
  k.add(Fill{f, ir::Scalar::boolean(true)});
  k.guard(first);
  k.store(q, thread, i, 2);
  k.close();
  EXPECT_EQ(print(k.kernel),
            "kernel lanes (128 threads a block)\n"
            "  input x: f32, 16-byte aligned, spans 8\n"
            "  output q: f32, 16-byte aligned, spans 8\n"
            "  part q: q.thread < 2\n"
            "    a[0:1]: f32 = load x[q.thread]\n"
            "    a[1:2]: f32 = load x[q.thread + 4]\n"
            "    b: f32[2] = select [q.thread < 1, 0] ? a : 0.5\n"
            "    i: f32[1] = index 1 + 2 * [q.thread]\n"
            "    f: f32[2] = fill true\n"
            "    if q.thread < 1\n"
            "      store.stream q[q.thread] = i x 2\n");
}

TEST(KernelStatements, VisitsOuterBeforeInner) {
  HandKernel k("nested");
  const TensorId q = k.output("q", DType::Float32, 8);
  const IndexExpr thread = k.part("q", 2);
  const RegisterId f = k.reg("f", DType::Float32, 1);
  k.add(Fill{f, ir::Scalar::integral(0)}, "fill");
  k.loop("j", 4);
  k.guard(k.arena().less(thread, k.constant(1)));
  k.store(q, thread, f);
  std::vector<size_t> kinds;
  forEachStatement(k.kernel.parts[0].body, [&](const Statement& s) { kinds.push_back(s.node.index()); });
  const auto kindOf = [](const StatementNode& node) { return node.index(); };
  EXPECT_EQ(kinds, (std::vector<size_t>{kindOf(Fill{}), kindOf(Loop{}), kindOf(Guard{}), kindOf(Store{})}));
}

}  // namespace
}  // namespace braid::test
