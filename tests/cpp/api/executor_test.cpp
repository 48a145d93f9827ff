// Running fusions through the public interface, on the host.

#include <braid/braid.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace braid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TensorRef ref(std::vector<float>& values, std::vector<int64_t> sizes, std::vector<int64_t> strides = {}) {
  return {values.data(), DType::Float32, std::move(sizes), std::move(strides)};
}

constexpr const char* kScale =
    "fusion scale(x: f32[T, 2], s: f32) { y = mul(x, s) h = slice(x, start=[0, 1], stop=[T, 2]) return y, h }";

TEST(Executor, ComputesIntoTheBuffersItIsGiven) {
  Executor executor(Fusion::parse("fusion f(x: f32[T, 2], s: f32) { y = mul(x, s) return y }"));
  std::vector<float> x = {1, 2, 3, 4, 5, 6}, y(6);
  executor.execute({ref(x, {3, 2}), 0.5}, {ref(y, {3, 2})});
  EXPECT_THAT(y, ElementsAre(0.5f, 1, 1.5f, 2, 2.5f, 3));
  EXPECT_EQ(executor.kernels({ref(x, {3, 2}), 0.5}), 1);
  EXPECT_EQ(executor.device(), "cpu");
}

TEST(Executor, AllocatesThroughTheCaller) {
  Executor executor(Fusion::parse(kScale));
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<std::vector<std::byte>> memory;
  const Allocator allocator = [&](int64_t bytes) {
    memory.emplace_back(static_cast<size_t>(bytes) + 16);
    const auto address = reinterpret_cast<uintptr_t>(memory.back().data());
    return memory.back().data() + (16 - address % 16) % 16;
  };
  const std::vector<TensorRef> outputs = executor.execute({ref(x, {2, 2}), 2.0}, nullptr, allocator);
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(memory.size(), 1u) << "a view needs no memory";
  EXPECT_EQ(static_cast<float*>(outputs[0].data)[3], 8);
  EXPECT_EQ(outputs[1].data, x.data() + 1);
  EXPECT_THAT(outputs[1].sizes, ElementsAre(2, 1));
  EXPECT_EQ(outputs[1].strides[0], 2);
}

TEST(Executor, CopiesAViewIntoABufferThatIsGiven) {
  Executor executor(Fusion::parse(kScale));
  std::vector<float> x = {1, 2, 3, 4}, y(4), h(2);
  executor.execute({ref(x, {2, 2}), 2.0}, {ref(y, {2, 2}), ref(h, {2, 1})});
  EXPECT_THAT(h, ElementsAre(2, 4));
}

TEST(Executor, TakesStridesAndDims) {
  Executor executor(Fusion::parse(
      "fusion f(x: f32[N, 2] strides(*, *)) { y = neg(slice(x, start=[K, 0], stop=[K + 2, 2])) return y }"));
  std::vector<float> x = {0, 1, 2, 3, 4, 5, 6, 7}, y(4);
  // x as the transpose of a 2×4 matrix.
  executor.execute({ref(x, {4, 2}, {1, 4})}, {ref(y, {2, 2})}, nullptr, {{"K", 1}});
  EXPECT_THAT(y, ElementsAre(-1, -5, -2, -6));
}

Error failure(const std::function<void(Executor&, std::vector<float>&, std::vector<float>&)>& run) {
  Executor executor(Fusion::parse("fusion f(x: f32[T, 2], s: f32) { y = mul(x, s) return y }"));
  std::vector<float> x(6, 1), y(6, 7);
  try {
    run(executor, x, y);
  } catch (const Error& error) {
    EXPECT_THAT(y, testing::Each(7)) << "nothing ran";
    return error;
  }
  return Error(ErrorCode::Internal, "nothing was wrong");
}

TEST(ExecutorError, ComesBeforeAnythingRuns) {
  using Floats = std::vector<float>;
  EXPECT_THAT(failure([](Executor& e, Floats& x, Floats& y) {
                e.execute({ref(x, {3, 2})}, {ref(y, {3, 2})});
              }).what(),
              HasSubstr("f takes 2 inputs"));
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats& y) {
              e.execute({0.5, ref(x, {3, 2})}, {ref(y, {3, 2})});
            }).code(),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats& y) {
              e.execute({ref(x, {2, 3}), 1}, {ref(y, {2, 3})});
            }).code(),
            ErrorCode::ShapeMismatch);
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats& y) {
              e.execute({ref(x, {3, 2}), 1}, {ref(y, {2, 2})});
            }).code(),
            ErrorCode::ShapeMismatch);
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats& y) {
              TensorRef wrong = ref(x, {3, 2});
              wrong.dtype = DType::Int32;
              e.execute({wrong, 1}, {ref(y, {3, 2})});
            }).code(),
            ErrorCode::InvalidDType);
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats&) {
              e.execute({ref(x, {3, 2}), 1}, {ref(x, {3, 2})});
            }).code(),
            ErrorCode::Aliasing);
  EXPECT_EQ(failure([](Executor& e, Floats& x, Floats& y) {
              e.execute({ref(x, {3, 2}), 1}, {ref(y, {3, 2})}, nullptr, {{"Q", 1}});
            }).code(),
            ErrorCode::UnknownName);
}

TEST(ExecutorError, ATensorOfAnotherDeviceIsRefused) {
  Executor executor(Fusion::parse(kScale));
  std::vector<float> x(4), y(4), h(2);
  TensorRef onGpu = ref(x, {2, 2});
  onGpu.device = Device::cuda(0);
  EXPECT_THROW(executor.execute({onGpu, 1.0}, {ref(y, {2, 2}), ref(h, {2, 1})}), Error);
}

TEST(ExecutorError, AGpuThatIsNotThereIsNamed) {
  const int count = Device::cudaCount();
  try {
    Executor executor(Fusion::parse(kScale), {Device::cuda(count), {}, {}});
    FAIL() << "there are " << count << " GPUs";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unavailable);
  }
}

}  // namespace
}  // namespace braid
