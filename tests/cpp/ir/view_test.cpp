// Chains of movement that are views of an input, with their strides.

#include "ir/view.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace braid::ir {
namespace {

/// "offset 4, strides 8 1", or "none".
std::string viewText(const std::string& parameters, const std::string& expression) {
  const Fusion fusion = parse("fusion f(" + parameters + ") { o = " + expression + " return o }");
  const auto view = viewOf(fusion, *fusion.find("o"));
  if (!view) return "none";
  std::string text = "offset " + view->offset.text() + ", strides";
  for (const Extent& stride : view->strides) text += " " + stride.text();
  return text;
}

TEST(View, SliceMovesTheStartAndScalesTheStride) {
  EXPECT_EQ(viewText("x: f32[4, 8]", "slice(x, start=[1, 2], stop=[4, 8], step=[1, 3])"), "offset 10, strides 8 3");
}

TEST(View, PermuteExpandAndSqueezeMoveStrides) {
  EXPECT_EQ(viewText("x: f32[4, 8]", "permute(x, dims=[1, 0])"), "offset 0, strides 1 8");
  EXPECT_EQ(viewText("x: f32[4, 1]", "expand(x, shape=[4, 6])"), "offset 0, strides 1 0");
  EXPECT_EQ(viewText("x: f32[4, 1, 3]", "squeeze(x, dims=[1])"), "offset 0, strides 3 1");
}

TEST(View, AReshapeMaySplitAnyAxis) {
  EXPECT_EQ(viewText("x: f32[4, 6] strides(*, 2)", "reshape(x, shape=[4, 2, 3])"), "offset 0, strides x.stride0 6 2");
}

TEST(View, AReshapeMayMergeAxesThatLieOneAfterTheOther) {
  EXPECT_EQ(viewText("x: f32[4, 6]", "reshape(x, shape=[24])"), "offset 0, strides 1");
  EXPECT_EQ(viewText("x: f32[4, 6] strides(12, 2)", "reshape(x, shape=[24])"), "offset 0, strides 2");
  EXPECT_EQ(viewText("x: f32[4, 6] strides(7, 1)", "reshape(x, shape=[24])"), "none");
  EXPECT_EQ(viewText("x: f32[4, 6] strides(*, 1)", "reshape(x, shape=[24])"), "none");
}

TEST(View, RepeatedAxesMerge) {
  EXPECT_EQ(viewText("x: f32[1, 1]", "reshape(expand(x, shape=[3, 4]), shape=[12])"), "offset 0, strides 0");
}

TEST(View, NothingElseIsAView) {
  EXPECT_EQ(viewText("x: f32[4, 8]", "flip(x, dims=[0])"), "none");
  EXPECT_EQ(viewText("x: f32[4, 8]", "pad(x, widths=[0, 1])"), "none");
  EXPECT_EQ(viewText("x: f32[4, 8]", "neg(x)"), "none");
  EXPECT_EQ(viewText("x: f32[4, 8]", "set(x)"), "none");
  EXPECT_EQ(viewText("x: f32[4, 8]", "cat(x, x, dim=0)"), "none");
  EXPECT_EQ(viewText("x: f32[4, 8]", "full(shape=[4], value=1, dtype=f32)"), "none");
}

}  // namespace
}  // namespace braid::ir
