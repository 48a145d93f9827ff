#include "runtime/launch_plan.h"

#include <gtest/gtest.h>

#include <random>

#include "braid/error.h"
#include "support/hand_rope.h"

namespace braid::runtime {
namespace {

using namespace device_lower;
using test::HandKernel;

uint32_t divide(uint32_t n, const FastDivisor<uint32_t>& d) {
  const auto high = static_cast<uint32_t>(uint64_t(n) * d.multiplier >> 32);
  return static_cast<uint32_t>(high + n) >> d.shift;
}
uint64_t divide(uint64_t n, const FastDivisor<uint64_t>& d) {
  const auto high = static_cast<uint64_t>(static_cast<unsigned __int128>(n) * d.multiplier >> 64);
  return (high + n) >> d.shift;
}

/// 2^k - 2 … 2^k + 2 for every k below `bits`, and 0 … 66.
template <class Unsigned>
std::vector<Unsigned> boundaries(int bits) {
  std::vector<Unsigned> result;
  for (Unsigned n = 0; n <= 66; ++n) result.push_back(n);
  for (int k = 6; k < bits; ++k) {
    for (int delta = -2; delta <= 2; ++delta) result.push_back((Unsigned(1) << k) + static_cast<Unsigned>(delta));
  }
  for (int delta = -3; delta < 0; ++delta) result.push_back((Unsigned(1) << bits) + static_cast<Unsigned>(delta));
  return result;
}

template <class Unsigned>
void checkDivision(int bits, FastDivisor<Unsigned> (*make)(Unsigned)) {
  const std::vector<Unsigned> interesting = boundaries<Unsigned>(bits);
  const Unsigned end = Unsigned(1) << bits;
  for (const Unsigned d : interesting) {
    if (d == 0) continue;
    const FastDivisor<Unsigned> fast = make(d);
    EXPECT_EQ(fast.divisor, d);
    const auto check = [&](Unsigned n) { ASSERT_TRUE(n >= end || divide(n, fast) == n / d) << n << " / " << d; };
    for (const Unsigned n : interesting) check(n);
    // The last of one quotient and the first of the next, for small and large quotients.
    for (const Unsigned q : interesting) {
      if (q > (end - 1) / d) continue;
      check(q * d);
      check(q * d - 1);
      check(q * d + d - 1);
    }
  }
}

TEST(FastDivisor, DividesLikeDivisionAroundEveryBoundaryIn32Bits) { checkDivision<uint32_t>(31, &fastDivisor32); }
TEST(FastDivisor, DividesLikeDivisionAroundEveryBoundaryIn64Bits) { checkDivision<uint64_t>(63, &fastDivisor64); }

TEST(FastDivisor, DividesRandomNumbers) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 300000; ++i) {
    const auto d = static_cast<uint32_t>(random()) >> (1 + random() % 31);
    const auto n = static_cast<uint32_t>(random()) >> 1;
    ASSERT_EQ(divide(n, fastDivisor32(d)), d == 0 ? n : n / d) << n << " / " << d;
    const uint64_t wideD = random() >> (1 + random() % 63);
    const uint64_t wideN = random() >> 1;
    ASSERT_EQ(divide(wideN, fastDivisor64(wideD)), wideD == 0 ? wideN : wideN / wideD) << wideN << " / " << wideD;
  }
}

TEST(FastDivisor, TakesZeroForOne) {
  EXPECT_EQ(fastDivisor32(0), fastDivisor32(1));
  EXPECT_EQ(fastDivisor64(0), fastDivisor64(1));
}

TEST(FastDivisor, GivesZeroForDivisorsAboveEveryNumber) {
  EXPECT_EQ(divide(0x7fffffffu, fastDivisor32(0xffffffffu)), 0u);
  EXPECT_EQ(divide(0x7fffffffffffffffull, fastDivisor64(0xffffffffffffffffull)), 0u);
}

TEST(LaunchPlan, CountsThreadsAndBlocksOfEachPart) {
  const device_lower::Kernel kernel = test::handRope();
  const LaunchPlan plan = planLaunch(kernel, {{"T", 100}, {"G", 3}, {"unused", 5}});
  EXPECT_EQ(plan.symbols, (std::vector<int64_t>{100, 3}));
  EXPECT_EQ(plan.divisors, (std::vector<int64_t>{100}));
  EXPECT_EQ(plan.partThreads, (std::vector<int64_t>{600, 300}));
  EXPECT_EQ(plan.partBlocks, (std::vector<int64_t>{5, 3}));
  EXPECT_EQ(plan.blocks, 8);
  EXPECT_EQ(plan.width, IndexWidth::Bits32);
}

TEST(LaunchPlan, LaunchesNothingForAnEmptyExtent) {
  EXPECT_EQ(planLaunch(test::handRope(), {{"T", 0}, {"G", 3}}).blocks, 0);
}

// q holds 16 G T elements; the last vector begins at 16 G T - 8.
TEST(LaunchPlan, Takes64BitsWhenAnOffsetNeedsThem) {
  const device_lower::Kernel kernel = test::handRope();
  EXPECT_EQ(planLaunch(kernel, {{"T", 1 << 20}, {"G", 127}}).width, IndexWidth::Bits32);
  EXPECT_EQ(planLaunch(kernel, {{"T", 1 << 20}, {"G", 129}}).width, IndexWidth::Bits64);
}

TEST(LaunchPlan, DecidesExactlyAt2To31) {
  HandKernel k("copy");
  const IndexExpr n = k.size("N");
  const TensorId x = k.input("x", DType::Float32), y = k.output("y", DType::Float32);
  const IndexExpr thread = k.part("y", 4);
  const IndexExpr at = k.arena().mul(thread, n);
  k.store(y, at, k.load("x0", x, at, 1));
  // The last offset is 3 N.
  EXPECT_EQ(planLaunch(k.kernel, {{"N", INT32_MAX / 3}}).width, IndexWidth::Bits32);
  EXPECT_EQ(planLaunch(k.kernel, {{"N", INT32_MAX / 3 + 1}}).width, IndexWidth::Bits64);
}

TEST(LaunchPlan, CountsIntermediateValuesThatCancel) {
  HandKernel k("cancel");
  auto& arena = k.arena();
  const IndexExpr n = k.size("N");
  const TensorId x = k.input("x", DType::Float32), y = k.output("y", DType::Float32);
  const IndexExpr thread = k.part("y", 8);
  const IndexExpr big = k.let("big", arena.mul(thread, n));
  const IndexExpr small = arena.mod(big, k.constant(16));
  k.store(y, small, k.load("x0", x, small, 1));
  EXPECT_EQ(planLaunch(k.kernel, {{"N", 1000}}).width, IndexWidth::Bits32);
  EXPECT_EQ(planLaunch(k.kernel, {{"N", 1ll << 29}}).width, IndexWidth::Bits64);
}

TEST(LaunchPlan, UsesWhatALetIsDeclaredToBe) {
  HandKernel k("declared");
  auto& arena = k.arena();
  const IndexExpr t = k.size("T"), s = k.size("S");
  k.kernel.divisors = {t};
  const TensorId y = k.output("y", DType::Float32);
  const IndexExpr thread = k.part("y", arena.mul(s, t));
  const IndexExpr token = arena.loopVariable("t", t);
  k.add(device_lower::LetIndex{token, arena.mod(thread, t)});
  const RegisterId zero = k.reg("zero", DType::Float32, 1);
  k.add(device_lower::Fill{zero, ir::Scalar::real(0)});
  k.store(y, arena.mul(token, 1 << 20), zero);
  // Below 2^10 tokens of 2^20 elements; the threads are many more.
  EXPECT_EQ(planLaunch(k.kernel, {{"T", 1 << 10}, {"S", 1 << 10}}).width, IndexWidth::Bits32);
  EXPECT_EQ(planLaunch(k.kernel, {{"T", 1 << 11}, {"S", 1 << 10}}).width, IndexWidth::Bits32);
  EXPECT_EQ(planLaunch(k.kernel, {{"T", (1 << 11) + 1}, {"S", 1 << 10}}).width, IndexWidth::Bits64);
}

TEST(LaunchPlan, CountsSymbolsThatAreTooLarge) {
  EXPECT_EQ(planLaunch(test::handRope(), {{"T", 1ll << 32}, {"G", 1}}).width, IndexWidth::Bits64);
}

TEST(LaunchPlan, RefusesMoreBlocksThanAGridHas) {
  try {
    planLaunch(test::handRope(), {{"T", 1ll << 40}, {"G", 1}});
    FAIL() << "2^34 blocks were planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidExtent);
    EXPECT_NE(std::string(error.what()).find("2^31 - 1 blocks"), std::string::npos) << error.what();
  }
}

TEST(LaunchPlan, OnePlannerServesEveryShape) {
  const LaunchPlanner planner(test::handRope());
  for (const int64_t tokens : {1, 2, 63, 64, 65}) {
    const LaunchPlan plan = planner.plan({{"T", tokens}, {"G", 2}});
    EXPECT_EQ(plan.partThreads, (std::vector<int64_t>{4 * tokens, 2 * tokens}));
  }
}

}  // namespace
}  // namespace braid::runtime
