#pragma once
// A kernel as the lowering makes them: partial RoPE of bf16[T, 16], half-split, beside a copy, in two parts.

#include "support/hand_kernel.h"

namespace braid::test {

inline Kernel handRope() {
  HandKernel k("rope");
  auto& arena = k.arena();
  const IndexExpr t = k.size("T");
  const IndexExpr g = k.size("G");
  k.kernel.divisors = {t};
  const TensorId x = k.input("x", DType::BFloat16);
  const TensorId cosine = k.input("cos", DType::BFloat16);
  const TensorId sine = k.input("sin", DType::BFloat16);
  const TensorId q = k.output("q", DType::BFloat16);
  const TensorId v = k.output("v", DType::BFloat16);
  k.kernel.header = {"fusion rope(x: bf16[G, T, 16], cos: bf16[T, 16], sin: bf16[T, 16])", "schedule: q: (G T 2)/8"};

  const IndexExpr thread = k.part("q", arena.mul(arena.mul(g, t), 2));
  const IndexExpr d = k.let("d", arena.mul(arena.mod(thread, k.constant(2)), 8));
  const IndexExpr row = k.let("row", arena.floorDiv(thread, k.constant(2)));
  const IndexExpr token = k.let("t", arena.mod(row, t));
  const IndexExpr first = k.let("first", arena.less(d, k.constant(8)));
  const IndexExpr own = k.let("own", arena.add(arena.mul(row, 16), d));
  const IndexExpr partner = arena.select(first, arena.add(own, 8), arena.sub(own, 8));
  const RegisterId a = k.load("x0", x, own, 8);
  const RegisterId b = k.load("x1", x, partner, 8);
  const RegisterId n = k.compute("n2", ir::UnaryKind::Neg, DType::BFloat16, DType::BFloat16, 8, {b}, "n2 = neg(x2)");
  const RegisterId rot = k.reg("rot", DType::BFloat16, 8);
  k.add(SelectLanes{rot, {first}, n, b}, "rot = cat(n2, x1, dim=-1)");
  const IndexExpr table = arena.add(arena.mul(token, 16), d);
  const RegisterId c = k.load("cos", cosine, table, 8, CacheHint::ReadOnly);
  const RegisterId s = k.load("sin", sine, table, 8, CacheHint::ReadOnly);
  const RegisterId m =
      k.compute("a", ir::BinaryKind::Mul, DType::BFloat16, DType::BFloat16, 8, {a, c}, "a = mul(x, cos)");
  const RegisterId o =
      k.compute("b", ir::BinaryKind::Mul, DType::BFloat16, DType::BFloat16, 8, {rot, s}, "b = mul(rot, sin)");
  const RegisterId r =
      k.compute("q", ir::BinaryKind::Add, DType::BFloat16, DType::BFloat16, 8, {m, o}, "q = add(a, b)");
  k.store(q, own, r);

  const IndexExpr other = k.part("v", arena.mul(g, t));
  const RegisterId copied = k.load("v0", x, arena.mul(other, 16), 8);
  const IndexExpr j = k.loop("j", 2);
  k.store(v, arena.add(arena.mul(other, 16), arena.mul(j, 8)), copied);
  k.close();
  return k.kernel;
}

}  // namespace braid::test
