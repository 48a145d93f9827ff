#include "runtime/fusion_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "braid/error.h"
#include "ir/text.h"
#include "runtime/internal_failure.h"
#include "support/run_fusion.h"

namespace braid::runtime {
namespace {

using test::expectRunsBitwise;
using test::RunOptions;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kRope = R"(
fusion rope(x: bf16[B, 16, T, 32], cos: bf16[T, 8], sin: bf16[T, 8]) {
  xr  = slice(x, start=[0, 0, 0, 0], stop=[B, 16, T, 8])
  x1  = slice(x, start=[0, 0, 0, 0], stop=[B, 16, T, 4])
  x2  = slice(x, start=[0, 0, 0, 4], stop=[B, 16, T, 8])
  rot = cat(neg(x2), x1, dim=-1)
  r   = add(mul(xr, cos), mul(rot, sin))
  t   = slice(x, start=[0, 0, 0, 8], stop=[B, 16, T, 32])
  o: bf16[B, 16, T, 32] = cat(r, t, dim=-1)
  return o
})";

/// An executor on the host with buffers of floats that tests place where they like.
class Host {
 public:
  explicit Host(std::string_view text) : executor(ir::parse(text), makeHostExecutor()) {}

  static TensorView view(float* data, std::vector<int64_t> sizes, std::vector<int64_t> strides) {
    return {data, DType::Float32, std::move(sizes), std::move(strides)};
  }
  ExecuteResult run() { return executor.execute(arguments); }
  Error failure() {
    try {
      run();
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorCode::Internal, "nothing was wrong");
  }

  FusionExecutor executor;
  ExecuteArguments arguments;
};

std::vector<float> counted(size_t size) {
  std::vector<float> result(size);
  for (size_t i = 0; i < size; ++i) result[i] = static_cast<float>(i);
  return result;
}

constexpr const char* kNegate = "fusion negate(x: f32[N]) { y = neg(x)  return y }";

TEST(FusionExecutor, RunsRopeInOneKernelBitForBit) {
  for (const int64_t tokens : {1, 3, 8, 100}) {
    const auto program = expectRunsBitwise(kRope, {{"B", 2}, {"T", tokens}});
    ASSERT_NE(program, nullptr);
    EXPECT_EQ(program->kernels(), 1);
  }
}

TEST(FusionExecutor, RunsOnStridedAndShiftedInputs) {
  constexpr const char* kText = R"(
fusion f(x: f32[A, N] strides(*, *), y: f32[N] strides(*)) {
  z = add(x, y)
  return z
})";
  for (const int64_t n : {1, 4, 7, 64}) {
    for (const std::vector<int64_t>& strides : {std::vector<int64_t>{n + 4, 1}, {1, 5}, {2 * n, 2}, {0, 1}, {n, 0}}) {
      RunOptions options;
      options.inputs["x"] = {strides, 3};
      options.inputs["y"] = {{3}, 1};
      expectRunsBitwise(kText, {{"A", 5}, {"N", n}}, options);
    }
  }
}

TEST(FusionExecutor, WritesIntoStridedBuffers) {
  constexpr const char* kText = R"(
fusion f(x: f32[A, N]) {
  y = neg(x)
  return y strides(*, *)
})";
  for (const std::vector<int64_t>& strides : {std::vector<int64_t>{}, {20, 1}, {1, 5}, {30, 2}}) {
    RunOptions options;
    options.outputs["y"] = {strides, 1};
    expectRunsBitwise(kText, {{"A", 5}, {"N", 12}}, options);
  }
}

TEST(FusionExecutor, RunsEveryDtypeThroughMovement) {
  for (const char* dtype : {"bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"}) {
    const std::string text = std::string("fusion f(x: ") + dtype + R"([N, 6]) {
  y = cat(slice(x, start=[0, 3], stop=[N, 6]), pad(slice(x, start=[0, 0], stop=[N, 3]), widths=[1, 0], value=1), dim=1)
  return y
})";
    expectRunsBitwise(text, {{"N", 33}});
  }
}

TEST(FusionExecutor, TakesHostParameters) {
  RunOptions options;
  options.scalars["s"] = ir::Scalar::real(1.001);
  expectRunsBitwise("fusion f(x: bf16[N], s: f32) { y = mul(x, s)  return y }", {{"N", 50}}, options);
  expectRunsBitwise("fusion f(x: f32[N], s: bf16) { y = mul(x, s)  return y }", {{"N", 50}}, options);
}

TEST(FusionExecutor, ReturnsViewsOfInputs) {
  Host host("fusion f(x: f32[4, N]) { y = permute(slice(x, start=[1, 2], stop=[3, N]), dims=[1, 0])  return y }");
  std::vector<float> x = counted(40);
  host.arguments.inputs["x"] = Host::view(x.data(), {4, 10}, {10, 1});
  const OutputShape shape = host.executor.outputShapes(host.arguments)[0];
  EXPECT_TRUE(shape.isAlias);
  EXPECT_EQ(shape.aliasOf, "x");
  EXPECT_EQ(shape.aliasOffset, 12);
  const ExecuteResult result = host.run();
  EXPECT_EQ(result.outputs[0].data, x.data() + 12);
  EXPECT_THAT(result.outputs[0].sizes, ElementsAre(8, 2));
  EXPECT_THAT(result.outputs[0].strides, ElementsAre(1, 10));
  EXPECT_TRUE(result.memory.empty());
  EXPECT_EQ(host.executor.programFor(host.arguments)->kernels(), 0);
}

TEST(FusionExecutor, CopiesAViewIntoABufferThatIsGiven) {
  Host host("fusion f(x: f32[4, N]) { y = permute(x, dims=[1, 0])  z = neg(x)  return y, z }");
  std::vector<float> x = counted(12), y(12, -1.0f);
  host.arguments.inputs["x"] = Host::view(x.data(), {4, 3}, {3, 1});
  host.arguments.outputs["y"] = Host::view(y.data(), {3, 4}, {4, 1});
  const ExecuteResult result = host.run();
  EXPECT_EQ(result.outputs[0].data, y.data());
  EXPECT_FALSE(host.executor.outputShapes(host.arguments)[0].isAlias);
  EXPECT_THAT(y, ElementsAre(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11));
  EXPECT_EQ(static_cast<float*>(result.outputs[1].data)[5], -5.0f);
}

TEST(FusionExecutor, TakesItsOwnViewBack) {
  Host host("fusion f(x: f32[N]) { y = slice(x, start=[1], stop=[N])  return y }");
  std::vector<float> x = counted(5);
  host.arguments.inputs["x"] = Host::view(x.data(), {5}, {1});
  host.arguments.outputs["y"] = host.run().outputs[0];
  EXPECT_EQ(host.run().outputs[0].data, x.data() + 1);
  EXPECT_THAT(x, ElementsAre(0, 1, 2, 3, 4));
}

TEST(FusionExecutor, CopiesAnInputThatIsReturned) {
  Host host("fusion f(x: f32[N] strides(*)) { return x }");
  std::vector<float> x = counted(6), copy(3);
  host.arguments.inputs["x"] = Host::view(x.data(), {3}, {2});
  EXPECT_EQ(host.run().outputs[0].data, x.data());
  host.arguments.outputs["x"] = Host::view(copy.data(), {3}, {1});
  host.run();
  EXPECT_THAT(copy, ElementsAre(0, 2, 4));
}

TEST(FusionExecutor, RefusesABufferThatOverlapsAnInput) {
  Host host(kNegate);
  std::vector<float> memory = counted(20);
  host.arguments.inputs["x"] = Host::view(memory.data(), {10}, {1});
  for (const int64_t at : {0, 4, 9}) {
    host.arguments.outputs["y"] = Host::view(memory.data() + at, {10}, {1});
    const Error error = host.failure();
    EXPECT_EQ(error.code(), ErrorCode::Aliasing);
    EXPECT_THAT(error.what(), HasSubstr("the buffer of output y overlaps input x"));
  }
  EXPECT_EQ(memory, counted(20));
  host.arguments.outputs["y"] = Host::view(memory.data() + 10, {10}, {1});
  host.run();
  EXPECT_EQ(memory[19], -9.0f);
}

TEST(FusionExecutor, LetsOutputsAlternateInOneBuffer) {
  Host host(R"(fusion f(x: f32[N, 2]) { y = neg(x)  z = add(x, 1.0)  return y strides(*, *), z strides(*, *) })");
  std::vector<float> x = counted(6), memory(12);
  host.arguments.inputs["x"] = Host::view(x.data(), {3, 2}, {2, 1});
  host.arguments.outputs["y"] = Host::view(memory.data(), {3, 2}, {4, 1});
  host.arguments.outputs["z"] = Host::view(memory.data() + 2, {3, 2}, {4, 1});
  host.run();
  EXPECT_THAT(memory, ElementsAre(0, -1, 1, 2, -2, -3, 3, 4, -4, -5, 5, 6));
  host.arguments.outputs["z"] = Host::view(memory.data() + 1, {3, 2}, {4, 1});
  EXPECT_THAT(host.failure().what(), HasSubstr("the buffer of output z overlaps the one of output y"));
}

TEST(FusionExecutor, RefusesABufferWithTwoElementsAtOneAddress) {
  Host host("fusion f(x: f32[4, 4]) { y = neg(x)  return y strides(*, *) }");
  std::vector<float> x = counted(16), y(16);
  host.arguments.inputs["x"] = Host::view(x.data(), {4, 4}, {4, 1});
  for (const std::vector<int64_t>& strides : {std::vector<int64_t>{0, 1}, {3, 1}, {1, 1}}) {
    host.arguments.outputs["y"] = Host::view(y.data(), {4, 4}, strides);
    const Error error = host.failure();
    EXPECT_EQ(error.code(), ErrorCode::InvalidStrides);
    EXPECT_THAT(error.what(), HasSubstr("has two elements at one address"));
  }
}

TEST(FusionExecutor, LaunchesNothingForEmptyOutputs) {
  Host host(kNegate);
  host.arguments.inputs["x"] = Host::view(nullptr, {0}, {1});
  host.arguments.outputs["y"] = Host::view(nullptr, {0}, {1});
  EXPECT_THAT(host.run().outputs[0].sizes, ElementsAre(0));
  for (const int64_t n : {0, 1}) {
    expectRunsBitwise("fusion f(x: f32[N, 3], y: f32[M, 3]) { z = cat(x, y, dim=0)  return z }", {{"N", n}, {"M", 4}});
    expectRunsBitwise("fusion f(x: f32[N, 3]) { z = pad(x, widths=[0, 0, 0, 2], value=1.5)  w = neg(x)  return z, w }",
                      {{"N", n}});
  }
}

TEST(FusionExecutor, ReusesAProgramWhereFactsAreEqual) {
  Host host(kNegate);
  std::vector<float> x = counted(100);
  const auto programAt = [&](int64_t n) {
    host.arguments.inputs["x"] = Host::view(x.data(), {n}, {1});
    host.run();
    return host.executor.programFor(host.arguments);
  };
  const auto sixteen = programAt(16);
  EXPECT_EQ(programAt(16), sixteen);
  EXPECT_EQ(programAt(48), sixteen);
  EXPECT_NE(programAt(50), sixteen);
  EXPECT_EQ(programAt(64), sixteen);
}

TEST(FusionExecutor, KnowsHowPointersAreAligned) {
  Host host(kNegate);
  std::vector<float> x = counted(32);
  host.arguments.inputs["x"] = Host::view(x.data() + 1, {16}, {1});
  const ExecuteResult result = host.run();
  EXPECT_EQ(static_cast<float*>(result.outputs[0].data)[15], -16.0f);
  EXPECT_EQ(host.executor.programFor(host.arguments)->facts.alignment.at("x"), 4);
}

TEST(FusionExecutor, RunsFromManyThreads) {
  Host host(kRope);
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&host, &failures, i] {
      const int64_t tokens = 4 + i % 2;
      std::vector<uint16_t> x(static_cast<size_t>(2 * 16 * tokens * 32), 0x3f80),
          table(static_cast<size_t>(tokens * 8));
      ExecuteArguments arguments;
      arguments.inputs["x"] = {x.data(), DType::BFloat16, {2, 16, tokens, 32}, {16 * tokens * 32, tokens * 32, 32, 1}};
      arguments.inputs["cos"] = arguments.inputs["sin"] = {table.data(), DType::BFloat16, {tokens, 8}, {8, 1}};
      for (int n = 0; n < 5; ++n) {
        const ExecuteResult result = host.executor.execute(arguments);
        const auto* o = static_cast<const uint16_t*>(result.outputs[0].data);
        if (o[0] != 0 || o[8] != 0x3f80) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

struct BadCall {
  const char* what;
  std::function<void(ExecuteArguments&)> spoil;
  ErrorCode code;
  const char* message;
};

class BadArguments : public ::testing::TestWithParam<BadCall> {};

TEST_P(BadArguments, AreRefusedBeforeAnyLaunch) {
  Host host("fusion f(x: f32[N], s: f32) { y = mul(x, s)  return y }");
  std::vector<float> x = counted(8), y(8, 7.0f);
  host.arguments.inputs["x"] = Host::view(x.data(), {8}, {1});
  host.arguments.outputs["y"] = Host::view(y.data(), {8}, {1});
  host.arguments.scalars["s"] = ir::Scalar::real(2);
  GetParam().spoil(host.arguments);
  const Error error = host.failure();
  EXPECT_EQ(error.code(), GetParam().code) << error.what();
  EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  EXPECT_EQ(y, std::vector<float>(8, 7.0f));
}

INSTANTIATE_TEST_SUITE_P(
    FusionExecutor, BadArguments,
    ::testing::Values(
        BadCall{"missing_input", [](auto& a) { a.inputs.clear(); }, ErrorCode::UnknownName,
                "the input x: f32[N] is missing"},
        BadCall{"unknown_input", [](auto& a) { a.inputs["z"] = a.inputs["x"]; }, ErrorCode::UnknownName,
                "f has no input z"},
        BadCall{"missing_parameter", [](auto& a) { a.scalars.clear(); }, ErrorCode::UnknownName,
                "the parameter s: f32 is missing"},
        BadCall{"unknown_parameter", [](auto& a) { a.scalars["r"] = ir::Scalar::real(1); }, ErrorCode::UnknownName,
                "f has no parameter r"},
        BadCall{"unknown_output", [](auto& a) { a.outputs["q"] = a.outputs["y"]; }, ErrorCode::UnknownName,
                "f has no output q"},
        BadCall{"unknown_dim", [](auto& a) { a.dims["M"] = 1; }, ErrorCode::UnknownName, "f has no extent M"},
        BadCall{"contradicting_dim", [](auto& a) { a.dims["N"] = 9; }, ErrorCode::ShapeMismatch, "N is 9"},
        BadCall{"wrong_dtype", [](auto& a) { a.inputs["x"].dtype = DType::Int32; }, ErrorCode::InvalidDType,
                "is given as i32"},
        BadCall{"wrong_output_dtype", [](auto& a) { a.outputs["y"].dtype = DType::Float64; }, ErrorCode::InvalidDType,
                "output y: f32[N] is given a buffer of f64"},
        BadCall{"wrong_output_sizes", [](auto& a) { a.outputs["y"].sizes = {4}; }, ErrorCode::ShapeMismatch,
                "output y: f32[N] has sizes [8], its buffer [4]"},
        BadCall{"wrong_output_strides", [](auto& a) { a.outputs["y"].strides = {2}; }, ErrorCode::InvalidStrides,
                "output y: f32[N] has strides [1], its buffer [2]"},
        BadCall{"too_few_output_strides", [](auto& a) { a.outputs["y"].strides = {}; }, ErrorCode::InvalidStrides,
                "a buffer of 1 sizes and 0 strides"},
        BadCall{"negative_output_stride", [](auto& a) { a.outputs["y"].strides = {-1}; }, ErrorCode::InvalidStrides,
                "strides are not negative"},
        BadCall{"wrong_strides", [](auto& a) { a.inputs["x"].strides = {2}; }, ErrorCode::InvalidStrides,
                "x has strides [2]"},
        BadCall{"null_input", [](auto& a) { a.inputs["x"].data = nullptr; }, ErrorCode::InvalidArgument,
                "input x of sizes [8] has no data"},
        BadCall{"null_output", [](auto& a) { a.outputs["y"].data = nullptr; }, ErrorCode::InvalidArgument,
                "the buffer of output y of sizes [8] has no data"},
        BadCall{"crooked_input", [](auto& a) { a.inputs["x"].data = static_cast<std::byte*>(a.inputs["x"].data) + 2; },
                ErrorCode::InvalidArgument, "no multiple of 4"}),
    [](const auto& info) { return std::string(info.param.what); });

TEST(FusionExecutor, WritesAFileThatReproducesAnInternalFailure) {
  const ir::Fusion fusion = ir::parse(kNegate);
  const scheduler::Facts facts;
  Error error(ErrorCode::Internal, "internal error: nothing but a test");
  noteReproduction(error, fusion, facts, {{"N", 4}});
  ASSERT_EQ(error.notes().size(), 1u);
  const std::string path = error.notes()[0].substr(0, error.notes()[0].find(' '));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), AllOf(HasSubstr("# internal error: nothing but a test"), HasSubstr("--dim N=4"),
                                HasSubstr("fusion v1 negate")));
  EXPECT_EQ(ir::parse(text.str()), fusion);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace braid::runtime
