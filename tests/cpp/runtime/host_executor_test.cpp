// Kernels written by hand, right and wrong: the checking executor runs the right ones and names what is wrong.

#include "runtime/host_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <numeric>

#include "braid/error.h"
#include "support/hand_rope.h"

namespace braid::runtime {
namespace {

using namespace device_lower;
using test::HandKernel;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A launch of one kernel on buffers of floats, by position in Kernel::tensors.
struct Launch {
  std::vector<std::vector<float>> buffers;
  ir::Symbols symbols = {};
  std::vector<ir::Scalar> parameters = {};
  HostOptions options = {};
  std::optional<IndexWidth> width = std::nullopt;
  int64_t shiftBytes = 0;  ///< of every pointer

  void run(const Kernel& kernel) {
    LaunchPlan plan = planLaunch(kernel, symbols);
    if (width) plan.width = *width;
    std::vector<TensorArgument> arguments;
    for (std::vector<float>& buffer : buffers) {
      const auto bytes = static_cast<int64_t>(buffer.size() * sizeof(float));
      arguments.push_back({reinterpret_cast<std::byte*>(buffer.data()) + shiftBytes, bytes - shiftBytes});
    }
    makeHostExecutor(options)->launch(kernel, plan, arguments, parameters, nullptr);
  }

  std::string failure(const Kernel& kernel) {
    try {
      run(kernel);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::CheckFailed) << error.what();
      return error.what();
    }
    return "nothing was wrong";
  }
};

std::vector<float> counted(size_t size) {
  std::vector<float> result(size);
  std::iota(result.begin(), result.end(), 1.0f);
  return result;
}

/// y[4 t … 4 t + 3] = -x[the same], with the offsets of the load and the store changed at will.
struct Negate {
  HandKernel k{"negate"};
  TensorId x, y;
  IndexExpr thread, at;

  explicit Negate(int64_t span, int64_t threads) {
    x = k.input("x", DType::Float32, span);
    y = k.output("y", DType::Float32, span);
    thread = k.part("y", threads);
    at = k.arena().mul(thread, 4);
  }
  RegisterId negated(IndexExpr offset) {
    const RegisterId loaded = k.load("x0", x, offset, 4);
    return k.compute("n", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 4, {loaded});
  }
};

TEST(HostExecutor, RunsSeveralBlocksTheLastOneShort) {
  Negate n(1200, 300);
  n.k.store(n.y, n.at, n.negated(n.at));
  Launch launch{{counted(1200), std::vector<float>(1200)}};
  launch.run(n.k.kernel);
  for (size_t i = 0; i < 1200; ++i) ASSERT_EQ(launch.buffers[1][i], -static_cast<float>(i + 1));
}

TEST(HostExecutor, FindsADoubleWriteByTwoThreads) {
  Negate n(1200, 300);
  auto& arena = n.k.arena();
  // Thread 299 writes where thread 0 does.
  const IndexExpr at = arena.mul(arena.mod(n.thread, n.k.constant(299)), 4);
  n.k.store(n.y, at, n.negated(n.at));
  Launch launch{{counted(1200), std::vector<float>(1200)}};
  EXPECT_THAT(launch.failure(n.k.kernel),
              AllOf(HasSubstr("writes element 0 of y, which was written before"), HasSubstr("thread 43 of block 2"),
                    HasSubstr("part y"), HasSubstr("store.stream y[")));
}

TEST(HostExecutor, FindsADoubleWriteByOneThread) {
  Negate n(4, 1);
  const RegisterId value = n.negated(n.at);
  n.k.store(n.y, n.at, value);
  n.k.store(n.y, n.at, value);
  EXPECT_THAT((Launch{{counted(4), std::vector<float>(4)}}.failure(n.k.kernel)),
              HasSubstr("writes element 0 of y, which was written before"));
}

TEST(HostExecutor, FindsAnElementThatNothingWrites) {
  Negate n(1204, 300);
  n.k.store(n.y, n.at, n.negated(n.at));
  EXPECT_THAT((Launch{{counted(1204), std::vector<float>(1204)}}.failure(n.k.kernel)),
              HasSubstr("element 1200 of y was never written"));
}

TEST(HostExecutor, KnowsTheElementsOfAnOutputWithGaps) {
  Negate n(4 * 8 - 4, 4);
  auto& arena = n.k.arena();
  n.k.kernel.tensors[1].axes = TensorAxes{{n.k.constant(4), n.k.constant(4)}, {n.k.constant(8), n.k.constant(1)}};
  n.k.store(n.y, arena.mul(n.thread, 8), n.negated(n.at));
  Launch launch{{counted(28), std::vector<float>(28, 7.0f)}};
  launch.run(n.k.kernel);
  EXPECT_EQ(launch.buffers[1][4], 7.0f);
  EXPECT_EQ(launch.buffers[1][8], -5.0f);
}

TEST(HostExecutor, FindsAWriteBetweenTheElements) {
  Negate n(4 * 8 - 4, 4);
  auto& arena = n.k.arena();
  n.k.kernel.tensors[1].axes = TensorAxes{{n.k.constant(4), n.k.constant(4)}, {n.k.constant(8), n.k.constant(1)}};
  const RegisterId value = n.negated(n.at);
  n.k.store(n.y, arena.mul(n.thread, 8), value);
  n.k.store(n.y, arena.add(arena.mul(n.thread, 8), 4), value, 0, arena.less(n.thread, n.k.constant(1)));
  EXPECT_THAT((Launch{{counted(28), std::vector<float>(28)}}.failure(n.k.kernel)),
              HasSubstr("offset 4 of y was written, between its elements"));
}

TEST(HostExecutor, FindsAReadBeyondTheTensor) {
  Negate n(1200, 300);
  n.k.store(n.y, n.at, n.negated(n.k.arena().add(n.at, 4)));
  EXPECT_THAT((Launch{{counted(1204), std::vector<float>(1200)}}.failure(n.k.kernel)),
              AllOf(HasSubstr("reads elements 1200 to 1203 of x, which has 1200"), HasSubstr("thread 43 of block 2")));
}

TEST(HostExecutor, FindsAReadBeyondTheBytesThatWereGiven) {
  Negate n(1200, 300);
  n.k.store(n.y, n.at, n.negated(n.at));
  EXPECT_THAT((Launch{{counted(1198), std::vector<float>(1200)}}.failure(n.k.kernel)),
              HasSubstr("reads elements 1196 to 1199 of x, which has 1198"));
}

TEST(HostExecutor, FindsAnAccessBeforeTheTensor) {
  Negate n(1200, 300);
  n.k.store(n.y, n.k.arena().sub(n.at, 4), n.negated(n.at));
  EXPECT_THAT((Launch{{counted(1200), std::vector<float>(1200)}}.failure(n.k.kernel)),
              HasSubstr("writes elements -4 to -1 of y"));
}

TEST(HostExecutor, FindsAnyAccessToATensorWithoutData) {
  Negate n(4, 1);
  n.k.store(n.y, n.at, n.negated(n.at));
  EXPECT_THAT((Launch{{{}, std::vector<float>(4)}}.failure(n.k.kernel)), HasSubstr("of x, which has 0"));
}

TEST(HostExecutor, FindsAVectorAtAnOddOffset) {
  Negate n(1204, 300);
  n.k.store(n.y, n.at, n.negated(n.k.arena().add(n.at, 1)));
  EXPECT_THAT((Launch{{counted(1204), std::vector<float>(1204)}}.failure(n.k.kernel)),
              HasSubstr("reads 16 bytes from element 1 of x on, at an address that is no multiple of 16"));
}

TEST(HostExecutor, LooksAtTheAddressNotOnlyTheOffset) {
  Negate n(16, 4);
  n.k.store(n.y, n.at, n.negated(n.at));
  Launch launch{{counted(18), std::vector<float>(18)}};
  launch.shiftBytes = 8;
  EXPECT_THAT(launch.failure(n.k.kernel), HasSubstr("at an address that is no multiple of 16"));
}

TEST(HostExecutor, AcceptsNarrowAccessesAtAnyElement) {
  HandKernel k("narrow");
  const TensorId x = k.input("x", DType::Float32, 9), y = k.output("y", DType::Float32, 9);
  const IndexExpr thread = k.part("y", 9);
  k.store(y, thread, k.load("x0", x, thread, 1));
  Launch launch{{counted(10), std::vector<float>(10)}};
  launch.shiftBytes = 4;
  launch.run(k.kernel);
  EXPECT_EQ(launch.buffers[1][9], 10.0f);
}

TEST(HostExecutor, FindsALaneThatIsReadBeforeItIsWritten) {
  Negate n(4, 1);
  const RegisterId half = n.k.reg("half", DType::Float32, 4);
  n.k.add(Load{half, 0, 2, n.x, n.at, {}, CacheHint::Default});
  const RegisterId sum = n.k.compute("s", ir::UnaryKind::Neg, DType::Float32, DType::Float32, 4, {half});
  n.k.store(n.y, n.at, sum);
  EXPECT_THAT((Launch{{counted(4), std::vector<float>(4)}}.failure(n.k.kernel)),
              AllOf(HasSubstr("lane 2 of half is read before it is written"), HasSubstr("thread 0 of block 0"),
                    HasSubstr("neg half")));
}

TEST(HostExecutor, FindsARegisterThatOnlySomeThreadsWrote) {
  Negate n(32, 8);
  auto& arena = n.k.arena();
  n.k.guard(arena.less(n.thread, n.k.constant(5)));
  const RegisterId value = n.negated(n.at);
  n.k.close();
  n.k.store(n.y, n.at, value);
  EXPECT_THAT((Launch{{counted(32), std::vector<float>(32)}}.failure(n.k.kernel)),
              AllOf(HasSubstr("lane 0 of n is read before it is written"), HasSubstr("thread 5 of block 0")));
}

TEST(HostExecutor, ForgetsWhatAnEarlierIterationWrote) {
  HandKernel k("stale");
  auto& arena = k.arena();
  const TensorId x = k.input("x", DType::Float32, 2), y = k.output("y", DType::Float32, 2);
  k.part("y", 1);
  const IndexExpr j = k.loop("j", 2);
  k.guard(arena.less(j, k.constant(1)));
  const RegisterId value = k.load("x0", x, j, 1);
  k.close();
  k.store(y, j, value);
  k.close();
  EXPECT_THAT((Launch{{counted(2), std::vector<float>(2)}}.failure(k.kernel)),
              HasSubstr("lane 0 of x0 is read before it is written"));
}

TEST(HostExecutor, GivesZerosWhereAPredicateIsFalse) {
  Negate n(32, 8);
  auto& arena = n.k.arena();
  const RegisterId loaded = n.k.load("x0", n.x, n.at, 4, CacheHint::Default, arena.less(n.thread, n.k.constant(2)));
  n.k.store(n.y, n.at, loaded);
  Launch launch{{counted(8), std::vector<float>(32, 9.0f)}};  // what is not read need not be there
  launch.run(n.k.kernel);
  EXPECT_EQ(launch.buffers[1][7], 8.0f);
  EXPECT_EQ(launch.buffers[1][8], 0.0f);
}

TEST(HostExecutor, FindsAnOverflowOf32Bits) {
  HandKernel k("overflow");
  auto& arena = k.arena();
  const IndexExpr n = k.size("N");
  const TensorId x = k.input("x", DType::Float32, 8), y = k.output("y", DType::Float32, 8);
  const IndexExpr thread = k.part("y", 8);
  const IndexExpr big = k.let("big", arena.mul(thread, n));
  const IndexExpr at = k.let("at", arena.floorDiv(big, n));
  k.kernel.divisors = {n};
  k.store(y, thread, k.load("x0", x, at, 1));
  Launch launch{{counted(8), std::vector<float>(8)}, {{"N", 1 << 29}}};
  launch.run(k.kernel);  // the plan takes 64 bits
  EXPECT_EQ(launch.buffers[1][7], 8.0f);
  launch.width = IndexWidth::Bits32;
  EXPECT_THAT(launch.failure(k.kernel),
              AllOf(HasSubstr("index arithmetic overflows"), HasSubstr("thread 4 of block 0"), HasSubstr("big =")));
}

TEST(HostExecutor, FindsASymbolThat32BitsDoNotHold) {
  HandKernel k("wide");
  const IndexExpr n = k.size("N");
  const TensorId y = k.output("y", DType::Float32, 1);
  k.part("y", 1);
  const RegisterId zero = k.reg("zero", DType::Float32, 1);
  k.add(Fill{zero, ir::Scalar::real(0)});
  k.store(y, k.arena().sub(n, 1ll << 32), zero);
  Launch launch{{std::vector<float>(1)}, {{"N", 1ll << 32}}};
  launch.run(k.kernel);
  launch.width = IndexWidth::Bits32;
  EXPECT_THAT(launch.failure(k.kernel), HasSubstr("N is 4294967296, which 32 bits do not hold"));
}

TEST(HostExecutor, HoldsALetAgainstItsDeclaration) {
  HandKernel k("declared");
  auto& arena = k.arena();
  const IndexExpr t = k.size("T");
  const TensorId y = k.output("y", DType::Float32, 8);
  const IndexExpr thread = k.part("y", 8);
  const IndexExpr token = arena.loopVariable("token", t);
  k.add(LetIndex{token, thread});
  const RegisterId zero = k.reg("zero", DType::Float32, 1);
  k.add(Fill{zero, ir::Scalar::real(0)});
  k.store(y, token, zero);
  Launch launch{{std::vector<float>(8)}, {{"T", 8}}};
  launch.run(k.kernel);
  launch.symbols["T"] = 6;
  EXPECT_THAT(launch.failure(k.kernel), AllOf(HasSubstr("token is 6"), HasSubstr("thread 6 of block 0")));
}

TEST(HostExecutor, RunsLoopsOfAnExtentThatThreadsDoNotShare) {
  HandKernel k("triangle");
  auto& arena = k.arena();
  // Thread t writes t + 1 elements from t (t + 1) / 2 on.
  const TensorId y = k.output("y", DType::Float32, 10);
  const IndexExpr thread = k.part("y", 4);
  const IndexExpr first = arena.floorDiv(arena.mul(thread, arena.add(thread, 1)), k.constant(2));
  const RegisterId one = k.reg("one", DType::Float32, 1);
  k.add(Fill{one, ir::Scalar::integral(1)});
  const IndexExpr j = arena.loopVariable("j", arena.add(thread, 1));
  k.add(Loop{j, arena.add(thread, 1), false, {{Store{y, arena.add(first, j), 1, one, 0, {}, CacheHint::Stream}, ""}}});
  Launch launch{{std::vector<float>(10)}};
  launch.run(k.kernel);
  EXPECT_EQ(launch.buffers[0], std::vector<float>(10, 1.0f));
}

TEST(HostExecutor, RepeatsASingleLane) {
  HandKernel k("repeat");
  auto& arena = k.arena();
  const TensorId x = k.input("x", DType::Float32, 8), s = k.input("s", DType::Float32, 1);
  const TensorId y = k.output("y", DType::Float32, 8), z = k.output("z", DType::Float32, 8);
  const IndexExpr at = arena.mul(k.part("y", 2), 4);
  const RegisterId one = k.load("s0", s, k.constant(0), 1);
  const RegisterId scaled =
      k.compute("m", ir::BinaryKind::Mul, DType::Float32, DType::Float32, 4, {k.load("x0", x, at, 4), one});
  k.store(y, at, scaled);
  k.store(z, at, one, 4);
  Launch launch{{counted(8), {3.0f}, std::vector<float>(8), std::vector<float>(8)}};
  launch.run(k.kernel);
  EXPECT_EQ(launch.buffers[2][7], 24.0f);
  EXPECT_EQ(launch.buffers[3], std::vector<float>(8, 3.0f));
}

TEST(HostExecutor, SelectsLaneByLaneAndCountsPositions) {
  HandKernel k("select");
  auto& arena = k.arena();
  const TensorId y = k.output("y", DType::Float32, 8);
  const IndexExpr at = arena.mul(k.part("y", 2), 4);
  std::vector<IndexExpr> conditions, positions;
  for (int lane = 0; lane < 4; ++lane) {
    positions.push_back(arena.add(at, lane));
    conditions.push_back(arena.less(positions.back(), k.constant(3)));
  }
  const RegisterId index = k.reg("i", DType::Float32, 4), chosen = k.reg("c", DType::Float32, 4);
  k.add(FromIndex{index, positions, ir::Scalar::integral(10), ir::Scalar::integral(2)});
  k.add(SelectLanes{chosen, conditions, index, ir::Scalar::real(-0.5)});
  k.store(y, at, chosen);
  Launch launch{{std::vector<float>(8)}};
  launch.run(k.kernel);
  EXPECT_EQ(launch.buffers[0], (std::vector<float>{10, 12, 14, -0.5f, -0.5f, -0.5f, -0.5f, -0.5f}));
}

TEST(HostExecutor, RoundsAParameterToItsDtype) {
  HandKernel k("parameter");
  const ParameterId s = k.parameter("s", DType::BFloat16);
  const TensorId y = k.output("y", DType::Float32, 1);
  k.part("y", 1);
  const RegisterId filled = k.reg("f", DType::Float32, 1);
  k.add(Fill{filled, s});
  k.store(y, k.constant(0), filled);
  Launch launch{{std::vector<float>(1)}, {}, {ir::Scalar::real(1.001)}};
  launch.run(k.kernel);
  EXPECT_EQ(launch.buffers[0][0], 1.0f);
}

TEST(HostExecutor, RunsASampleOfTheBlocks) {
  Negate n(4 * 128 * 10, 128 * 10);
  n.k.store(n.y, n.at, n.negated(n.at));
  Launch launch{{counted(5120), std::vector<float>(5120)}};
  launch.options.maxBlocksPerPart = 3;
  launch.run(n.k.kernel);
  EXPECT_EQ(launch.buffers[1][0], -1.0f);        // block 0
  EXPECT_EQ(launch.buffers[1][512], 0.0f);       // block 1
  EXPECT_EQ(launch.buffers[1][2048], -2049.0f);  // block 4
  EXPECT_EQ(launch.buffers[1][5119], -5120.0f);  // block 9
}

TEST(HostExecutor, LaunchesNothingForAnEmptyPlan) {
  const Kernel kernel = test::handRope();
  const LaunchPlan plan = planLaunch(kernel, {{"T", 0}, {"G", 2}});
  const std::vector<TensorArgument> none(kernel.tensors.size());
  makeHostExecutor()->launch(kernel, plan, none, {}, nullptr);
}

}  // namespace
}  // namespace braid::runtime
