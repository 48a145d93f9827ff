// One kernel is the rule; more only beyond a kernel's limits.

#include "segmentation/segment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"
#include "segmentation/cost.h"

namespace braid::segmentation {
namespace {

using ::testing::ElementsAre;

std::vector<Segment> segments(const std::string& text, const KernelLimits& limits = {}) {
  return segment(ir::parse(text), limits);
}

int kernels(const std::vector<Segment>& segments) {
  return static_cast<int>(std::count_if(segments.begin(), segments.end(),
                                        [](const Segment& each) { return each.kind == Segment::Kind::Kernel; }));
}

TEST(Segment, ViewsNeedNoKernel) {
  const auto result = segments("fusion f(x: f32[8]) { a = slice(x, start=[0], stop=[4]) return a, x }");
  ASSERT_EQ(result.size(), 1u);
  EXPECT_EQ(result[0].kind, Segment::Kind::NoOp);
  EXPECT_THAT(result[0].outputs, ElementsAre(0, 1));
}

TEST(Segment, SlicesPadsAndCatsStartNoKernel) {
  const auto result = segments(
      "fusion f(x: f32[T, 8], w: f32[8]) { a = slice(x, start=[0, 0], stop=[T, 4]) b = exp(slice(x, start=[0, 4], "
      "stop=[T, 8]))"
      " c = mul(cat(b, a, dim=1), w) d = pad(c, widths=[2, 2]) return c, d, reversed = flip(d, dims=[1]) }");
  EXPECT_EQ(kernels(result), 1);
}

TEST(Segment, OutputsOfEqualExtentsShareARegion) {
  const auto result =
      segments("fusion f(x: f32[T, 8]) { a = neg(x) b = exp(x) c = pad(x, widths=[1, 1]) return a, b, c }");
  ASSERT_EQ(kernels(result), 1);
  ASSERT_EQ(result[0].regions.size(), 2u);
  EXPECT_THAT(result[0].regions[0].outputs, ElementsAre(0, 1));
  EXPECT_THAT(result[0].regions[1].outputs, ElementsAre(2));
}

TEST(Segment, AliasesComeBesideTheKernel) {
  const auto result = segments("fusion f(x: f32[T, 8]) { a = permute(x, dims=[1, 0]) b = exp(x) return a, b }");
  EXPECT_EQ(result.size(), 2u);
  EXPECT_EQ(kernels(result), 1);
}

/// A value read through 2^n maps: each step adds the value to itself, flipped and shifted.
std::string doubling(int steps) {
  std::string text = "fusion f(x: f32[64]) { v0 = exp(x) ";
  for (int i = 0; i < steps; ++i) {
    const std::string v = "v" + std::to_string(i), w = "v" + std::to_string(i + 1);
    text += w + " = add(" + v + ", roll(" + v + ", shifts=[" + std::to_string(1 << i) + "], dims=[0])) ";
  }
  return text + "return v" + std::to_string(steps) + " }";
}

TEST(Segment, WhatWouldBeComputedTooOftenIsWrittenOnce) {
  EXPECT_EQ(kernels(segments(doubling(3))), 1);
  KernelLimits limits;
  limits.maxNodes = 64;
  const auto result = segments(doubling(8), limits);
  ASSERT_GT(kernels(result), 1);
  std::set<ir::ValueId> written;
  for (const Segment& each : result) {
    for (const ir::ValueId value : each.reads) EXPECT_TRUE(written.contains(value)) << "read before it is written";
    written.insert(each.materialises.begin(), each.materialises.end());
  }
}

TEST(Segment, ALongChainIsCutToo) {
  std::string text = "fusion f(x: f32[8]) { v0 = exp(x) ";
  for (int i = 1; i < 100; ++i) text += "v" + std::to_string(i) + " = exp(v" + std::to_string(i - 1) + ") ";
  KernelLimits limits;
  limits.maxNodes = 30;
  EXPECT_EQ(kernels(segments(text + "return v99 }", limits)), 4);
}

TEST(Segment, AKernelHoldsSoManyTensors) {
  std::string parameters, sum = "x0", body;
  for (int i = 0; i < 12; ++i) parameters += (i == 0 ? "x" : ", x") + std::to_string(i) + ": f32[8]";
  for (int i = 1; i < 12; ++i) {
    body += "s" + std::to_string(i) + " = add(" + sum + ", x" + std::to_string(i) + ") ";
    sum = "s" + std::to_string(i);
  }
  const std::string text = "fusion f(" + parameters + ") { " + body + "return " + sum + " }";
  EXPECT_EQ(kernels(segments(text)), 1);
  KernelLimits limits;
  limits.maxTensors = 6;
  // 5 inputs and a result, then the result, 4 inputs and a result, and so on.
  EXPECT_EQ(kernels(segments(text, limits)), 3);
}

TEST(Cost, CountsAValueOnceForEachMap) {
  const ir::Fusion fusion =
      ir::parse("fusion f(x: f32[8]) { e = exp(x) a = add(e, flip(e, dims=[0])) b = mul(e, 2) return a, b }");
  std::vector<ir::ValueId> wanted;
  for (const ir::Output& output : fusion.outputs()) wanted.push_back(output.value);
  const auto maps = readingMaps(fusion, wanted, {}, 100);
  EXPECT_EQ(maps[*fusion.find("e")].size(), 2u) << "as it is, and flipped";
  EXPECT_EQ(maps[*fusion.find("a")].size(), 1u);
}

}  // namespace
}  // namespace braid::segmentation
