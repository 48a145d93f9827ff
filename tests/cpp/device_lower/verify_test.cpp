#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "braid/error.h"
#include "support/hand_kernel.h"

namespace braid::test {
namespace {

using ::testing::HasSubstr;

std::string failure(const Kernel& kernel) {
  try {
    verify(kernel);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Internal);
    return error.what();
  }
  return "verified";
}

/// One part, an input x and an output q of f32, both wide.
struct Sample : HandKernel {
  Sample() : HandKernel("sample") {
    x = input("x", DType::Float32, 64);
    q = output("q", DType::Float32, 64);
    thread = part("q", 4);
    offset = arena().mul(thread, 4);
  }
  TensorId x, q;
  IndexExpr thread, offset;
};

TEST(KernelVerifier, AcceptsLoadComputeStore) {
  Sample k;
  const RegisterId a = k.load("a", k.x, k.offset, 4);
  k.store(k.q, k.offset, k.compute("b", ir::UnaryKind::Exp, DType::Float32, DType::Float32, 4, {a}));
  EXPECT_EQ(failure(k.kernel), "verified");
}

TEST(KernelVerifier, FindsALaneReadBeforeItIsWritten) {
  Sample k;
  const RegisterId a = k.reg("a", DType::Float32, 4);
  k.add(Load{a, 0, 2, k.x, k.offset, {}, CacheHint::Default});
  k.store(k.q, k.offset, a);
  EXPECT_THAT(failure(k.kernel), HasSubstr("lane 2 of a is read before it is written"));
}

TEST(KernelVerifier, LetsLoadsFillARegisterInChunks) {
  Sample k;
  const RegisterId a = k.reg("a", DType::Float32, 4);
  k.add(Load{a, 0, 2, k.x, k.offset, {}, CacheHint::Default});
  k.add(Load{a, 2, 2, k.x, k.offset, {}, CacheHint::Default});
  k.store(k.q, k.offset, a);
  EXPECT_EQ(failure(k.kernel), "verified");
}

TEST(KernelVerifier, FindsASecondAssignment) {
  Sample k;
  const RegisterId a = k.load("a", k.x, k.offset, 4);
  k.add(Load{a, 3, 1, k.x, k.offset, {}, CacheHint::Default});
  EXPECT_THAT(failure(k.kernel), HasSubstr("lane 3 of a is assigned twice"));
}

TEST(KernelVerifier, FindsAUseBehindTheGuardThatDefines) {
  Sample k;
  k.guard(k.arena().less(k.thread, k.constant(2)));
  const RegisterId a = k.load("a", k.x, k.offset, 4);
  k.close();
  k.store(k.q, k.offset, a);
  EXPECT_THAT(failure(k.kernel), HasSubstr("lane 0 of a is read before it is written"));
}

TEST(KernelVerifier, FindsALoopVariableOutsideItsLoop) {
  Sample k;
  const IndexExpr j = k.loop("j", 4);
  k.close();
  k.load("a", k.x, k.arena().mul(j, 4), 4);
  EXPECT_THAT(failure(k.kernel), HasSubstr("mentions j, which is not bound here"));
}

TEST(KernelVerifier, FindsAWrongNumberOfBytes) {
  Sample k;
  k.load("a", k.x, k.offset, 3);
  EXPECT_THAT(failure(k.kernel), HasSubstr("access to x of 3 elements, 12 bytes"));
}

TEST(KernelVerifier, FindsAnAccessWiderThanThePointerIsAligned) {
  Sample k;
  k.kernel.tensors[k.x.value].alignmentBytes = 8;
  k.load("a", k.x, k.offset, 4);
  EXPECT_THAT(failure(k.kernel), HasSubstr("access to x of 16 bytes, aligned to 8"));
}

TEST(KernelVerifier, FindsADivisorThatIsNotListed) {
  Sample k;
  const IndexExpr t = k.size("T");
  k.let("row", k.arena().floorDiv(k.thread, t));
  EXPECT_THAT(failure(k.kernel), HasSubstr("divides by T, which is not listed"));
  k.kernel.divisors.push_back(t);
  EXPECT_EQ(failure(k.kernel), "verified");
}

TEST(KernelVerifier, FindsAPredicateThatIsANumber) {
  Sample k;
  k.load("a", k.x, k.offset, 4, CacheHint::Stream, k.thread);
  EXPECT_THAT(failure(k.kernel), HasSubstr("predicate of an access to x is no condition: q.thread"));
}

TEST(KernelVerifier, AcceptsANamedPredicate) {
  Sample k;
  const IndexExpr inside = k.let("inside", k.arena().less(k.thread, k.constant(2)));
  k.load("a", k.x, k.offset, 4, CacheHint::Stream, inside);
  EXPECT_EQ(failure(k.kernel), "verified");
}

TEST(KernelVerifier, FindsOperandsThatDoNotFit) {
  Sample lanes;
  const RegisterId a = lanes.load("a", lanes.x, lanes.offset, 2);
  lanes.compute("b", ir::UnaryKind::Exp, DType::Float32, DType::Float32, 4, {a});
  EXPECT_THAT(failure(lanes.kernel), HasSubstr("b has 4 lanes, its operand a has 2"));
  Sample types;
  const RegisterId c = types.load("c", types.x, types.offset, 4);
  types.compute("d", ir::BinaryKind::Lt, DType::Float32, DType::Float32, 4, {c, c});
  EXPECT_THAT(failure(types.kernel), HasSubstr("d is f32, its op gives bool"));
  Sample ops;
  const RegisterId e = ops.load("e", ops.x, ops.offset, 4);
  ops.compute("f", ir::BinaryKind::LShift, DType::Float32, DType::Float32, 4, {e, e});
  EXPECT_THAT(failure(ops.kernel), HasSubstr("f: the op does not take f32"));
}

TEST(KernelVerifier, FindsAccessesInTheWrongDirection) {
  Sample reads;
  reads.load("a", reads.q, reads.offset, 4);
  EXPECT_THAT(failure(reads.kernel), HasSubstr("load from output q"));
  Sample writes;
  writes.store(writes.x, writes.offset, writes.load("a", writes.x, writes.offset, 4));
  EXPECT_THAT(failure(writes.kernel), HasSubstr("store to input x"));
}

}  // namespace
}  // namespace braid::test
