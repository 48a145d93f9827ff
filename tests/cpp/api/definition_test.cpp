// What a C++ program defines is the fusion that the text form says, and mistakes name the line that made them.

#include <braid/braid.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>

namespace braid {
namespace {

using ::testing::HasSubstr;

/// A definition with inputs of several kinds.
struct Inputs {
  FusionDefinition fd{"f"};
  Ops& op = fd.ops;
  Extent t = fd.define_dim("T");
  Tensor x = fd.define_tensor("x", {t, 8}, DType::Float32);
  Tensor y = fd.define_tensor("y", {t, 8}, DType::Float32);
  Tensor i = fd.define_tensor("i", {t, 8}, DType::Int32);
  Tensor c = fd.define_tensor("c", {t, 8}, DType::Bool);
  Tensor one = fd.define_tensor("one", {1, 8}, DType::Float32);
  Tensor s = fd.define_scalar("s", DType::Float32);
};

constexpr const char* kParameters =
    "fusion f(x: f32[T, 8], y: f32[T, 8], i: i32[T, 8], c: bool[T, 8], one: f32[1, 8], s: f32) { ";

/// `define` gives what the call in the text form gives.
void expectCall(const std::string& call, const std::function<Tensor(Inputs&)>& define) {
  SCOPED_TRACE(call);
  Inputs in;
  in.fd.add_output(in.fd.name(define(in), "o"));
  const Fusion written = Fusion::parse(kParameters + ("o = " + call) + " return o }");
  EXPECT_EQ(in.fd.finish().text(), written.text());
}

TEST(Definition, EveryUnaryOpIsItsNamesake) {
  using Method = Tensor (Ops::*)(const Operand&, SourceLoc);
  const std::pair<const char*, Method> methods[] = {
      {"neg", &Ops::neg},     {"abs", &Ops::abs},           {"exp", &Ops::exp},     {"exp2", &Ops::exp2},
      {"expm1", &Ops::expm1}, {"log", &Ops::log},           {"log2", &Ops::log2},   {"log10", &Ops::log10},
      {"log1p", &Ops::log1p}, {"sqrt", &Ops::sqrt},         {"rsqrt", &Ops::rsqrt}, {"reciprocal", &Ops::reciprocal},
      {"sin", &Ops::sin},     {"cos", &Ops::cos},           {"tan", &Ops::tan},     {"asin", &Ops::asin},
      {"acos", &Ops::acos},   {"atan", &Ops::atan},         {"sinh", &Ops::sinh},   {"cosh", &Ops::cosh},
      {"tanh", &Ops::tanh},   {"erf", &Ops::erf},           {"erfc", &Ops::erfc},   {"sigmoid", &Ops::sigmoid},
      {"silu", &Ops::silu},   {"gelu", &Ops::gelu},         {"relu", &Ops::relu},   {"floor", &Ops::floor},
      {"ceil", &Ops::ceil},   {"round", &Ops::round},       {"trunc", &Ops::trunc}, {"isnan", &Ops::isnan},
      {"isinf", &Ops::isinf}, {"isfinite", &Ops::isfinite}, {"sign", &Ops::sign},   {"logical_not", &Ops::logical_not},
      {"set", &Ops::set}};
  for (const auto& [name, method] : methods) {
    expectCall(std::string(name) + "(x)",
               [method = method](Inputs& in) { return (in.op.*method)(in.x, SourceLoc::here()); });
  }
  expectCall("bitwise_not(i)", [](Inputs& in) { return in.op.bitwise_not(in.i); });
  expectCall("cast(x, dtype=bf16)", [](Inputs& in) { return in.op.cast(in.x, DType::BFloat16); });
}

TEST(Definition, EveryBinaryOpIsItsNamesake) {
  using Method = Tensor (Ops::*)(const Operand&, const Operand&, SourceLoc);
  const std::pair<const char*, Method> methods[] = {{"add", &Ops::add},
                                                    {"sub", &Ops::sub},
                                                    {"mul", &Ops::mul},
                                                    {"div", &Ops::div},
                                                    {"floordiv", &Ops::floordiv},
                                                    {"mod", &Ops::mod},
                                                    {"fmod", &Ops::fmod},
                                                    {"pow", &Ops::pow},
                                                    {"atan2", &Ops::atan2},
                                                    {"maximum", &Ops::maximum},
                                                    {"minimum", &Ops::minimum},
                                                    {"eq", &Ops::eq},
                                                    {"ne", &Ops::ne},
                                                    {"lt", &Ops::lt},
                                                    {"le", &Ops::le},
                                                    {"gt", &Ops::gt},
                                                    {"ge", &Ops::ge},
                                                    {"logical_and", &Ops::logical_and},
                                                    {"logical_or", &Ops::logical_or},
                                                    {"logical_xor", &Ops::logical_xor}};
  for (const auto& [name, method] : methods) {
    expectCall(std::string(name) + "(x, y)",
               [method = method](Inputs& in) { return (in.op.*method)(in.x, in.y, SourceLoc::here()); });
  }
  const std::pair<const char*, Method> ofIntegers[] = {{"bitwise_and", &Ops::bitwise_and},
                                                       {"bitwise_or", &Ops::bitwise_or},
                                                       {"bitwise_xor", &Ops::bitwise_xor},
                                                       {"lshift", &Ops::lshift},
                                                       {"rshift", &Ops::rshift}};
  for (const auto& [name, method] : ofIntegers) {
    expectCall(std::string(name) + "(i, i)",
               [method = method](Inputs& in) { return (in.op.*method)(in.i, in.i, SourceLoc::here()); });
  }
}

TEST(Definition, OperatorsAndNumbersAreOps) {
  expectCall("add(mul(x, 2), y)", [](Inputs& in) { return in.x * 2 + in.y; });
  expectCall("sub(1, x)", [](Inputs& in) { return 1 - in.x; });
  expectCall("div(neg(x), 0.5)", [](Inputs& in) { return -in.x / 0.5; });
  expectCall("mul(x, s)", [](Inputs& in) { return in.x * in.s; });
  expectCall("add(i, true)", [](Inputs& in) { return in.i + true; });
  expectCall("add(x, -0.0)", [](Inputs& in) { return in.x + -0.0; });
  expectCall("mul(x, inf)", [](Inputs& in) { return in.x * INFINITY; });
}

TEST(Definition, TernaryOps) {
  expectCall("where(c, x, 1)", [](Inputs& in) { return in.op.where(in.c, in.x, 1); });
  expectCall("clamp(x, min=0, max=1)", [](Inputs& in) { return in.op.clamp(in.x, 0, 1); });
  expectCall("lerp(x, y, x)", [](Inputs& in) { return in.op.lerp(in.x, in.y, in.x); });
  expectCall("addcmul(x, y, x, value=2)", [](Inputs& in) { return in.op.addcmul(in.x, in.y, in.x, 2); });
  expectCall("addcmul(x, y, x)", [](Inputs& in) { return in.op.addcmul(in.x, in.y, in.x); });
}

TEST(Definition, MovementOps) {
  expectCall("slice(x, start=[0, 2], stop=[T, 8], step=[1, 2])", [](Inputs& in) {
    return in.op.slice(in.x, {0, 2}, {in.t, 8}, {1, 2});
  });
  expectCall("pad(x, widths=[1, -2], value=-0.0)", [](Inputs& in) { return in.op.pad(in.x, {1, -2}, -0.0); });
  expectCall("cat(x, y, dim=-1)", [](Inputs& in) { return in.op.cat({in.x, in.y}, -1); });
  expectCall("stack(x, y, dim=1)", [](Inputs& in) { return in.op.stack({in.x, in.y}, 1); });
  expectCall("reshape(x, shape=[T*2, -1])", [](Inputs& in) { return in.op.reshape(in.x, {in.t * 2, -1}); });
  expectCall("permute(x, dims=[1, 0])", [](Inputs& in) { return in.op.permute(in.x, {1, 0}); });
  expectCall("transpose(x, dim0=0, dim1=1)", [](Inputs& in) { return in.op.transpose(in.x, 0, 1); });
  expectCall("broadcast_in_dim(x, shape=[T, 3, 8], dims=[0, 2])", [](Inputs& in) {
    return in.op.broadcast_in_dim(in.x, {in.t, 3, 8}, {0, 2});
  });
  expectCall("expand(one, shape=[T, -1])", [](Inputs& in) { return in.op.expand(in.one, {in.t, -1}); });
  expectCall("squeeze(one, dims=[0])", [](Inputs& in) { return in.op.squeeze(in.one, {0}); });
  expectCall("unsqueeze(x, dims=[0])", [](Inputs& in) { return in.op.unsqueeze(in.x, {0}); });
  expectCall("flip(x, dims=[-1])", [](Inputs& in) { return in.op.flip(in.x, {-1}); });
  expectCall("roll(x, shifts=[3], dims=[1])", [](Inputs& in) { return in.op.roll(in.x, {3}, {1}); });
  expectCall("repeat(x, repeats=[2, 1])", [](Inputs& in) { return in.op.repeat(in.x, {2, 1}); });
  expectCall("repeat_interleave(x, repeats=2, dim=0)", [](Inputs& in) { return in.op.repeat_interleave(in.x, 2, 0); });
  expectCall("full(shape=[T, 3], value=1.5, dtype=f16)", [](Inputs& in) {
    return in.op.full({in.t, 3}, 1.5, DType::Float16);
  });
  expectCall("iota(extent=T, start=1, step=2, dtype=i32)",
             [](Inputs& in) { return in.op.iota(in.t, 1, 2, DType::Int32); });
}

TEST(Definition, PiecesComeInOrder) {
  Inputs in;
  const std::vector<Tensor> halves = in.op.chunk(in.x, 2, 1);
  const std::vector<Tensor> parts = in.op.split(in.x, {3, 5}, -1);
  ASSERT_EQ(halves.size(), 2u);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(halves[1].shape()[1].text(), "4");
  EXPECT_EQ(parts[1].shape()[1].text(), "5");
}

TEST(Definition, ExtentsAreArithmetic) {
  FusionDefinition fd("f");
  const Extent t = fd.define_dim("T");
  const Tensor x = fd.define_tensor("x", {t * 2 + 3, t / 4, t % 5, t - 1}, DType::Float32);
  fd.add_output(x);
  EXPECT_EQ(fd.finish().text(), Fusion::parse("fusion f(x: f32[T*2 + 3, T // 4, T % 5, T - 1]) { return x }").text());
}

TEST(Definition, LayoutsOfInputsAndOutputs) {
  FusionDefinition fd("f");
  const Extent n = fd.define_dim("N");
  const Tensor x = fd.define_tensor("x", {n, 8}, DType::Float32, {Stride::any(), 1});
  fd.add_output(x, "copy", Strides::contiguous());
  fd.add_output(-x, "column", {1, n});
  fd.require_equal(n, 16);
  EXPECT_EQ(fd.finish().text(), Fusion::parse("fusion f(x: f32[N, 8] strides(*, 1)) where N == 16 { neg_1 = neg(x) "
                                              "return copy = x strides(contiguous), column = neg_1 strides(1, N) }")
                                    .text());
}

TEST(Definition, AnInputMayGoWithoutAName) {
  FusionDefinition fd("f");
  const Tensor a = fd.define_tensor({4}, DType::Float32), b = fd.define_tensor({4}, DType::Float32);
  EXPECT_NE(a.name(), b.name());
  fd.add_output(a + b, "o");
  EXPECT_EQ(fd.finish().inputNames(), (std::vector<std::string>{a.name(), b.name()}));
}

TEST(Definition, ATensorSaysWhatItIs) {
  Inputs in;
  const Tensor sum = in.op.add(in.op.cast(in.x, DType::Float16), in.i);
  EXPECT_EQ(sum.dtype(), DType::Float16);
  ASSERT_EQ(sum.shape().size(), 2u);
  EXPECT_EQ(sum.shape()[0].text(), "T");
  EXPECT_EQ(in.x.name(), "x");
}

Error failure(const std::function<void(Inputs&)>& define) {
  Inputs in;
  try {
    define(in);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::Internal, "nothing was wrong");
}

TEST(DefinitionError, NamesTheLineOfTheCall) {
  const int line = __LINE__ + 1;
  const Error error = failure([](Inputs& in) { in.op.slice(in.x, {0, 0}, {in.t, 9}); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidExtent);
  EXPECT_THAT(error.what(), HasSubstr("definition_test.cpp:" + std::to_string(line)));
  EXPECT_THAT(error.what(), HasSubstr("slice: stop[1] is 9, axis 1 of x has 8 elements"));
}

TEST(DefinitionError, NamesTheLineOfAnOperator) {
  const int line = __LINE__ + 1;
  const Error error = failure([](Inputs& in) { return in.x + in.op.slice(in.y, {0, 0}, {in.t, 4}); });
  EXPECT_EQ(error.code(), ErrorCode::ShapeMismatch);
  EXPECT_THAT(error.what(), HasSubstr("definition_test.cpp:" + std::to_string(line)));
}

TEST(DefinitionError, AfterWhichTheDefinitionIsAsBefore) {
  Inputs in;
  EXPECT_THROW(in.op.permute(in.x, {0}), Error);
  in.fd.add_output(in.x + in.y, "o");
  EXPECT_NO_THROW(in.fd.finish());
}

TEST(DefinitionError, TensorsOfAnotherDefinitionAreRefused) {
  Inputs other;
  const Error error = failure([&](Inputs& in) { in.op.add(in.x, other.x); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(error.what(), HasSubstr("belongs to another definition"));
}

TEST(DefinitionError, NamesAreTakenOnceAndMustReadBack) {
  EXPECT_EQ(failure([](Inputs& in) { in.fd.define_tensor("x", {4}, DType::Float32); }).code(),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(failure([](Inputs& in) { in.fd.define_tensor("a b", {4}, DType::Float32); }).code(),
            ErrorCode::InvalidArgument);
  EXPECT_EQ(failure([](Inputs& in) { in.fd.define_dim("2T"); }).code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(failure([](Inputs& in) { in.fd.name(in.x + in.y, ""); }).code(), ErrorCode::InvalidArgument);
}

TEST(Definition, ManyAtOnceDoNotMeet) {
  std::vector<std::string> texts(8);
  std::vector<std::thread> threads;
  for (size_t k = 0; k < texts.size(); ++k) {
    threads.emplace_back([&, k] {
      Inputs in;
      Tensor sum = in.x;
      for (size_t step = 0; step <= k; ++step) sum = sum * static_cast<double>(step) + in.y;
      in.fd.add_output(sum, "o");
      texts[k] = in.fd.finish().text();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : texts) EXPECT_EQ(Fusion::parse(text).text(), text);
}

}  // namespace
}  // namespace braid
