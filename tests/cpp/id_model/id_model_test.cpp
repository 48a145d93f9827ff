// Which axes are the same axis, op by op and in each of the three graphs.

#include "id_model/id_model.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace braid::id_model {
namespace {

/// A fusion with the models of it; axes are written "x.0".
class Axes {
 public:
  explicit Axes(const std::string& text) : fusion_(ir::parse(text)) {}

  bool same(const std::string& a, const std::string& b, Mode mode = Mode::Exact) const {
    const IdModel model = buildIdModel(fusion_, mode);
    const auto [valueA, axisA] = axis(a);
    const auto [valueB, axisB] = axis(b);
    return model.sameAxis(valueA, axisA, valueB, axisB);
  }
  std::string extent(const std::string& a, Mode mode = Mode::Exact) const {
    const IdModel model = buildIdModel(fusion_, mode);
    const auto [value, index] = axis(a);
    return model.graph().extentOf(model.node(value, index)).text();
  }
  std::string text(Mode mode = Mode::Exact) const { return print(fusion_, buildIdModel(fusion_, mode)); }

 private:
  std::pair<ir::ValueId, size_t> axis(const std::string& name) const {
    const size_t dot = name.rfind('.');
    return {fusion_.find(name.substr(0, dot)).value(), std::stoul(name.substr(dot + 1))};
  }

  ir::Fusion fusion_;
};

TEST(Exact, JoinsTheAxesOfPointwiseOps) {
  const Axes axes("fusion f(x: f32[T, 8], b: f32[T, 8]) { y = add(x, b) z = neg(y) return z }");
  EXPECT_TRUE(axes.same("x.0", "z.0"));
  EXPECT_TRUE(axes.same("b.1", "z.1"));
  EXPECT_FALSE(axes.same("x.0", "x.1"));
}

TEST(Exact, AClassTakesTheConstantExtent) {
  const Axes axes("fusion f(x: f32[T], b: f32[8]) { y = add(x, b) return y }");
  EXPECT_EQ(axes.extent("x.0"), "8");
  EXPECT_EQ(axes.extent("y.0"), "8");
}

TEST(Exact, KeepsTheAxesThatMovementLeavesAlone) {
  const Axes axes(
      "fusion f(x: f32[T, 8]) { s = slice(x, start=[0, 2], stop=[T, 6]) p = pad(s, widths=[1, 1])"
      " c = cat(p, x, dim=1) t = permute(c, dims=[1, 0]) e = expand(unsqueeze(t, dims=[1]), shape=[14, 3, T])"
      " g = flip(e, dims=[1]) return g }");
  for (const char* axis : {"s.0", "p.0", "c.0", "t.1", "e.2", "g.2"}) EXPECT_TRUE(axes.same("x.0", axis)) << axis;
  for (const char* axis : {"s.1", "p.1", "c.1"}) EXPECT_FALSE(axes.same("x.1", axis)) << axis;
  EXPECT_TRUE(axes.same("c.1", "t.0"));
  EXPECT_TRUE(axes.same("t.0", "e.0"));
  EXPECT_FALSE(axes.same("e.1", "g.1")) << "a flip reads in the other direction";
}

TEST(Exact, TwoSlicesOfOneAxisAreTwoClassesBesideItsOwn) {
  const Axes axes(
      "fusion f(x: f32[8]) { a = slice(x, start=[0], stop=[4]) b = slice(x, start=[4], stop=[8]) return a, b }");
  EXPECT_FALSE(axes.same("a.0", "b.0"));
  EXPECT_FALSE(axes.same("a.0", "x.0"));
  EXPECT_FALSE(axes.same("b.0", "x.0"));
}

TEST(Exact, TheSameSliceTwiceIsOneClass) {
  const Axes axes(
      "fusion f(x: f32[8]) { a = slice(x, start=[0], stop=[4]) b = slice(x, start=[0], stop=[4]) return a, b }");
  EXPECT_TRUE(axes.same("a.0", "b.0")) << axes.text();
}

// One class is read at different indices, so that no index may come from a class.
TEST(Exact, AClassMayBeReadAtDifferentIndices) {
  const Axes halves(
      "fusion f(x: f32[8]) { a = slice(x, start=[0], stop=[4]) b = slice(x, start=[4], stop=[8]) y = add(a, b) return "
      "y }");
  EXPECT_TRUE(halves.same("a.0", "b.0")) << "the sum makes them one";
  const Axes square("fusion f(x: f32[N, N]) { t = permute(x, dims=[1, 0]) y = add(x, t) return y }");
  EXPECT_TRUE(square.same("x.0", "x.1")) << "x and its transpose are added";
}

TEST(Exact, AReshapeSplitsAndMerges) {
  const Axes axes(
      "fusion f(x: f32[T, 24]) { y = reshape(x, shape=[T, 4, 6]) z = reshape(y, shape=[4*T, 6]) return z }");
  EXPECT_TRUE(axes.same("x.0", "y.0"));
  EXPECT_TRUE(axes.same("y.2", "z.1"));
  EXPECT_FALSE(axes.same("y.0", "z.0"));
  EXPECT_NE(axes.text().find("split"), std::string::npos) << axes.text();
  EXPECT_NE(axes.text().find("merge"), std::string::npos) << axes.text();
}

TEST(Exact, AReshapeThereAndBackIsTheSameAxis) {
  const Axes axes("fusion f(x: f32[T, 24]) { y = reshape(x, shape=[T, 4, 6]) z = reshape(y, shape=[T, 24]) return z }");
  EXPECT_TRUE(axes.same("x.0", "z.0"));
  EXPECT_TRUE(axes.same("x.1", "z.1")) << axes.text();
}

TEST(Exact, AMergeSplitAgainIsTheSameAxes) {
  const Axes axes("fusion f(x: f32[T, D]) { y = reshape(x, shape=[T*D]) z = reshape(neg(y), shape=[T, D]) return z }");
  EXPECT_TRUE(axes.same("x.0", "z.0")) << axes.text();
  EXPECT_TRUE(axes.same("x.1", "z.1"));
}

TEST(Exact, AFlipFlippedIsTheSameAxis) {
  const Axes axes("fusion f(x: f32[T]) { y = flip(x, dims=[0]) z = flip(neg(y), dims=[0]) return z }");
  EXPECT_FALSE(axes.same("x.0", "y.0"));
  EXPECT_TRUE(axes.same("x.0", "z.0"));
}

TEST(Exact, SlicesOfAxesThatAreOneAreOne) {
  const Axes axes(
      "fusion f(x: f32[8], y: f32[8]) { s = add(x, y) a = slice(x, start=[2], stop=[6]) b = slice(y, start=[2], "
      "stop=[6])"
      " c = slice(s, start=[1], stop=[5]) return a, b, c }");
  EXPECT_TRUE(axes.same("a.0", "b.0"));
  EXPECT_FALSE(axes.same("a.0", "c.0"));
}

TEST(AlmostExact, AMergeWithOneIsTheOtherAxis) {
  const Axes axes("fusion f(x: f32[T, 1]) { y = reshape(x, shape=[T]) return y }");
  EXPECT_TRUE(axes.same("x.0", "y.0", Mode::AlmostExact));
}

TEST(AlmostExact, ASplitByOneIsTheAxisItself) {
  const Axes axes("fusion f(x: f32[T]) { y = reshape(x, shape=[1, T, 1]) z = neg(y) return z }");
  EXPECT_TRUE(axes.same("x.0", "z.1", Mode::AlmostExact));
  EXPECT_FALSE(axes.same("x.0", "z.0", Mode::AlmostExact));
}

TEST(Broadcast, JoinsAnAxisWithWhatItIsBroadcastTo) {
  const Axes axes("fusion f(x: f32[T, 8], w: f32[T, 1]) { y = mul(x, w) return y }");
  EXPECT_FALSE(axes.same("w.1", "y.1", Mode::Exact));
  EXPECT_FALSE(axes.same("w.1", "y.1", Mode::AlmostExact));
  EXPECT_TRUE(axes.same("w.1", "y.1", Mode::Broadcast));
  EXPECT_TRUE(axes.same("w.0", "y.0", Mode::Exact));
}

}  // namespace
}  // namespace braid::id_model
