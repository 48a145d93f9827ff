// Defining a fusion: implicit casts and broadcasts become operations, extents that must agree become constraints.

#include "ir/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "braid/error.h"
#include "ir/infer.h"
#include "ir/text.h"

namespace braid::ir {
namespace {

using ::testing::HasSubstr;

/// What lies between the braces, one statement a line.
std::string body(const std::string& text) {
  const std::string printed = print(parse(text));
  const size_t begin = printed.find("{\n") + 2;
  return printed.substr(begin, printed.find("  return") - begin);
}

std::string failure(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was wrong";
}

TEST(Builder, MissingLeadingAxesAreBroadcast) {
  EXPECT_EQ(body("fusion f(x: f32[B, T], w: f32[T]) { o = mul(x, w) return o }"),
            "  w.expand: f32[B, T] = broadcast_in_dim(w, shape=[B, T], dims=[1])\n"
            "  o: f32[B, T] = mul(x, w.expand)\n");
}

TEST(Builder, AnAxisOfConstantExtentOneStretches) {
  EXPECT_EQ(body("fusion f(x: f32[B, 1], w: f32[1, T]) { o = mul(x, w) return o }"),
            "  x.expand: f32[B, T] = expand(x, shape=[B, T])\n"
            "  w.expand: f32[B, T] = expand(w, shape=[B, T])\n"
            "  o: f32[B, T] = mul(x.expand, w.expand)\n");
}

TEST(Builder, ASymbolicExtentDoesNotStretch) {
  const Fusion fusion = parse("fusion f(x: f32[A], y: f32[B]) { o = mul(x, y) return o }");
  ASSERT_EQ(fusion.constraints().size(), 1u);
  EXPECT_EQ(fusion.constraints()[0],
            (Constraint{Constraint::Kind::Equal, Extent::symbol("B"), Extent::symbol("A"), ""}));
}

TEST(Builder, ExtentsThatAgreeNeedNoConstraint) {
  EXPECT_TRUE(parse("fusion f(x: f32[2*T], y: f32[T+T]) { o = mul(x, y) return o }").constraints().empty());
}

TEST(Builder, AConstraintIsKeptOnce) {
  const Fusion fusion =
      parse("fusion f(x: f32[A], y: f32[B]) where B == A { o = mul(x, y) p = add(y, x) return o, p }");
  EXPECT_EQ(fusion.constraints().size(), 1u);
}

TEST(Builder, OperandsArePromoted) {
  EXPECT_EQ(body("fusion f(x: bf16[4], w: i32[4]) { o = mul(x, w) return o }"),
            "  w.bf16: bf16[4] = cast(w, dtype=bf16)\n"
            "  o: bf16[4] = mul(x, w.bf16)\n");
  EXPECT_EQ(body("fusion f(x: i32[4]) { o = sin(x) return o }"),
            "  x.f32: f32[4] = cast(x, dtype=f32)\n"
            "  o: f32[4] = sin(x.f32)\n");
}

TEST(Builder, ANumberDecidesTheKindOnly) {
  EXPECT_EQ(body("fusion f(x: bf16[4]) { o = mul(x, 2.5) return o }"), "  o: bf16[4] = mul(x, 2.5)\n");
  EXPECT_THAT(body("fusion f(x: i16[4]) { o = mul(x, 2.5) return o }"), HasSubstr("o: f32[4] = mul(x.f32, 2.5)"));
  EXPECT_THAT(body("fusion f(x: bool[4]) { o = add(x, 2) return o }"), HasSubstr("o: i64[4] = add(x.i64, 2)"));
  EXPECT_THAT(body("fusion f(x: i8[4], s: f64) { o = mul(x, s) return o }"), HasSubstr("o: f32[4] = mul(x.f32, s)"));
}

TEST(Builder, FillsTheOneMissingExtentOfAReshape) {
  EXPECT_THAT(body("fusion f(x: f32[B, 6, 4]) { o = reshape(x, shape=[B, -1]) return o }"), HasSubstr("shape=[B, 24]"));
  EXPECT_THAT(body("fusion f(x: f32[B, 6, 4]) { o = reshape(x, shape=[-1, 8]) return o }"),
              HasSubstr("shape=[B * 3, 8]"));
  EXPECT_THAT(failure("fusion f(x: f32[6]) { o = reshape(x, shape=[-1, -1]) return o }"), HasSubstr("-1"));
}

TEST(Builder, CountsDimsFromTheFront) {
  EXPECT_THAT(body("fusion f(x: f32[2, 3, 4]) { o = cat(x, x, dim=-1) return o }"), HasSubstr("dim=2"));
  EXPECT_THAT(body("fusion f(x: f32[2, 3, 4]) { o = flip(x, dims=[-3]) return o }"), HasSubstr("dims=[0]"));
}

TEST(Builder, ASplitThatMayNotDivideIsConstrained) {
  const Fusion fusion = parse("fusion f(x: f32[T]) { a, b = chunk(x, chunks=2, dim=0) return a, b }");
  EXPECT_EQ(fusion.constraints().size(), 1u);
  EXPECT_EQ(fusion.tensor(*fusion.find("a")).shape()[0].evaluate({{"T", 10}}), 5);
}

TEST(Builder, ChunkGivesEagersCountOfPieces) {
  const Fusion fusion = parse("fusion f(x: f32[5]) { a, b, c = chunk(x, chunks=4, dim=0) return a, b, c }");
  EXPECT_TRUE(fusion.tensor(*fusion.find("c")).shape()[0].is(1));
}

TEST(Builder, SlicesWithSymbolicEndsAreConstrained) {
  const Fusion fusion = parse("fusion f(x: f32[T]) { o = slice(x, start=[K], stop=[K + 3]) return o }");
  ASSERT_FALSE(fusion.constraints().empty());
  EXPECT_EQ(fusion.symbols(), (std::vector<std::string>{"T", "K"}));
}

TEST(Builder, SaysWhichAxisDiffers) {
  EXPECT_THAT(failure("fusion f(x: f32[4, T], y: f32[5, T]) { o = cat(x, y, dim=1) return o }"),
              HasSubstr("cat: axis 0 of x has 4 elements, axis 0 of y has 5"));
  EXPECT_THAT(failure("fusion f(x: f32[2, 3], y: f32[3]) { o = stack(x, y, dim=0) return o }"),
              HasSubstr("stack: x has 2 axes, y has 1"));
  EXPECT_THAT(failure("fusion f(x: f32[2, 3]) { o = permute(x, dims=[0, 0]) return o }"), HasSubstr("permute"));
  EXPECT_THAT(failure("fusion f(x: f32[2, 3]) { o = squeeze(x, dims=[1]) return o }"), HasSubstr("squeeze"));
  EXPECT_THAT(failure("fusion f(x: f32[2, 3]) { o = expand(x, shape=[4, 3]) return o }"), HasSubstr("expand"));
  EXPECT_THAT(failure("fusion f(x: f32[2]) { o = slice(x, start=[0], stop=[2], step=[0]) return o }"),
              HasSubstr("step"));
  EXPECT_THAT(failure("fusion f(x: f32[2]) { o = slice(x, start=[0, 0], stop=[2, 2]) return o }"), HasSubstr("slice"));
}

TEST(Builder, TakesNoUnitsThatAreNotThere) {
  EXPECT_THAT(failure("fusion f(x: bool[2]) { o = neg(x) return o }"), HasSubstr("neg: "));
  EXPECT_THAT(failure("fusion f(x: f32[2]) { o = lshift(x, x) return o }"), HasSubstr("lshift: "));
  EXPECT_THAT(failure("fusion f(x: i32[2]) { o = silu(x) return o }"), HasSubstr("silu: "));
}

// The broadcast kind of an axis follows movement.
TEST(Builder, AnExpandedAxisIsABroadcastAxis) {
  const Fusion fusion =
      parse("fusion f(x: f32[4, 1]) { e = expand(x, shape=[4, 3]) p = permute(e, dims=[1, 0]) n = neg(p) return n }");
  const auto kind = [&](const char* name, size_t axis) { return fusion.tensor(*fusion.find(name)).logical[axis].kind; };
  EXPECT_EQ(kind("e", 1), IterKind::Broadcast);
  EXPECT_EQ(kind("e", 0), IterKind::Iteration);
  EXPECT_EQ(kind("p", 0), IterKind::Broadcast);
}

std::string kinds(const std::string& text) {
  const Fusion fusion = parse(text);
  std::string result;
  for (const Output& output : fusion.outputs()) {
    result += output.kind == OutputKind::Alias ? "view " : "computed ";
  }
  return result;
}

TEST(Outputs, ViewsOfInputsAreReturnedAsViews) {
  EXPECT_EQ(
      kinds("fusion f(x: f32[4, 6]) { a = slice(x, start=[1, 0], stop=[3, 6], step=[1, 2]) b = permute(a, dims=[1, 0])"
            " c = expand(unsqueeze(b, dims=[0]), shape=[5, 3, 2]) d = reshape(x, shape=[2, 2, 6]) e = reshape(x, "
            "shape=[24])"
            " return a, b, c, d, e, x }"),
      "view view view view view view ");
}

TEST(Outputs, OthersAreComputed) {
  // A flip would need a negative stride, a merge of permuted axes has no stride, a set is a copy by its meaning.
  EXPECT_EQ(
      kinds("fusion f(x: f32[4, 6]) { a = flip(x, dims=[0]) b = reshape(permute(x, dims=[1, 0]), shape=[24]) c = set(x)"
            " d = neg(x) e = pad(x, widths=[0, 1]) g = cat(x, x, dim=0) return a, b, c, d, e, g }"),
      "computed computed computed computed computed computed ");
}

TEST(Outputs, AnyStrideMustAllowTheView) {
  EXPECT_EQ(kinds("fusion f(x: f32[4, 6] strides(*, 1)) { a = reshape(x, shape=[24]) return a }"), "computed ");
  EXPECT_EQ(kinds("fusion f(x: f32[4, 6] strides(*, 1)) { a = reshape(x, shape=[4, 2, 3]) return a }"), "view ");
  EXPECT_EQ(kinds("fusion f(x: f32[4, 6] strides(6, 1)) { a = reshape(x, shape=[24]) return a }"), "view ");
}

TEST(Outputs, ALayoutAsksForACopy) {
  EXPECT_EQ(kinds("fusion f(x: f32[4, 6]) { a = permute(x, dims=[1, 0]) return a strides(contiguous) }"), "computed ");
}

}  // namespace
}  // namespace braid::ir
