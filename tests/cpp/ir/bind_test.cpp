// What extents are when a program runs, and every kind of argument that does not fit.

#include "ir/bind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "braid/error.h"
#include "ir/text.h"

namespace braid::ir {
namespace {

using ::testing::HasSubstr;

TensorShape rowMajor(std::vector<int64_t> sizes, DType dtype = DType::Float32) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return {dtype, std::move(sizes), std::move(strides)};
}

using Tensors = std::map<std::string, TensorShape>;

std::string failure(const std::string& text, const Tensors& tensors, const Symbols& dims = {}) {
  try {
    bindSymbols(parse(text), tensors, dims);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was wrong";
}

TEST(Bind, ABareNameIsBoundByItsAxis) {
  const Fusion fusion = parse("fusion f(x: f32[B, T]) { return x }");
  EXPECT_EQ(bindSymbols(fusion, {{"x", rowMajor({2, 7})}}, {}), (Symbols{{"B", 2}, {"T", 7}}));
}

TEST(Bind, AMultipleIsBoundByDivision) {
  const Fusion fusion = parse("fusion f(x: f32[3*G, 4]) { return x }");
  EXPECT_EQ(bindSymbols(fusion, {{"x", rowMajor({12, 4})}}, {}), (Symbols{{"G", 4}}));
  EXPECT_THAT(failure("fusion f(x: f32[3*G, 4]) { return x }", {{"x", rowMajor({13, 4})}}), HasSubstr("13"));
}

TEST(Bind, OtherNamesAreGiven) {
  const char* text = "fusion f(x: f32[T]) { o = slice(x, start=[K], stop=[K + 2]) return o }";
  EXPECT_EQ(bindSymbols(parse(text), {{"x", rowMajor({7})}}, {{"K", 5}}), (Symbols{{"K", 5}, {"T", 7}}));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}}), HasSubstr("K is not known"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}}, {{"K", 6}}), HasSubstr("but"));
}

TEST(Bind, TheCallerAndTheTensorsMustAgree) {
  const char* text = "fusion f(x: f32[T], y: f32[T]) { o = add(x, y) return o }";
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}, {"y", rowMajor({8})}}), HasSubstr("T"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}, {"y", rowMajor({7})}}, {{"T", 9}}), HasSubstr("T"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}, {"y", rowMajor({7})}}, {{"Q", 9}}), HasSubstr("Q"));
}

TEST(Bind, RefusesWhatDoesNotFit) {
  const char* text = "fusion f(x: f32[T, 4]) { return x }";
  EXPECT_THAT(failure(text, {}), HasSubstr("x"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7, 4})}, {"z", rowMajor({1})}}), HasSubstr("z"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7})}}), HasSubstr("x: f32[T, 4] has 2 axes, the argument has 1: [7]"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7, 5})}}), HasSubstr("5"));
  EXPECT_THAT(failure(text, {{"x", rowMajor({7, 4}, DType::Float64)}}), HasSubstr("f64"));
  EXPECT_THAT(failure(text, {{"x", {DType::Float32, {7, 4}, {8, 1}}}}), HasSubstr("declared contiguous"));
  EXPECT_THAT(failure(text, {{"x", {DType::Float32, {7, 4}, {4}}}}), HasSubstr("1 strides"));
}

TEST(Bind, StridesOfOneElementAndOfEmptyTensorsDoNotMatter) {
  const Fusion fusion = parse("fusion f(x: f32[T, 4]) { return x }");
  EXPECT_NO_THROW(bindSymbols(fusion, {{"x", {DType::Float32, {1, 4}, {99, 1}}}}, {}));
  EXPECT_NO_THROW(bindSymbols(fusion, {{"x", {DType::Float32, {0, 4}, {99, 17}}}}, {}));
}

TEST(Bind, AnyStrideIsASymbol) {
  const Fusion fusion = parse("fusion f(x: f32[T, 4] strides(*, s)) { return x }");
  EXPECT_EQ(bindSymbols(fusion, {{"x", {DType::Float32, {7, 4}, {2, 16}}}}, {}),
            (Symbols{{"T", 7}, {"s", 16}, {"x.stride0", 2}}));
}

TEST(Bind, AConstraintNamesItsOrigin) {
  const std::string message = failure("fusion f(x: f32[A], y: f32[B]) { o = add(x, y) return o }",
                                      {{"x", rowMajor({3})}, {"y", rowMajor({4})}});
  EXPECT_THAT(message, HasSubstr("A == B must hold, but A is 3 and B is 4"));
  EXPECT_THAT(message, HasSubstr("add: axis 0 differs"));
}

}  // namespace
}  // namespace braid::ir
