// What the sub-commands print.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tools/command.h"

namespace braid::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRope = std::string(BRAID_SOURCE_DIR) + "/examples/seed_qkv_rope.fusion";
const std::string kLlama = std::string(BRAID_SOURCE_DIR) + "/examples/llama3_8b.fusion";
const std::string kPhi3 = std::string(BRAID_SOURCE_DIR) + "/examples/hf_phi3.fusion";

CommandResult braid(const std::vector<std::string>& arguments) { return runBraid("/", arguments); }

TEST(BraidRun, PrintsOneJsonObject) {
  const CommandResult result =
      braid({"run", kRope, "--dim", "B=1", "--dim", "T=64", "--device", "cpu", "--check", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["fusion"], "seed_qkv_rope");
  EXPECT_EQ(json["device"], "cpu");
  EXPECT_EQ(json["kernels"], 1);
  EXPECT_EQ(json["noop_outputs"], 0);
  EXPECT_EQ(json["segments"], 1);
  EXPECT_EQ(json["checked"], true);
  EXPECT_EQ(json["bitwise_equal"], true);
  EXPECT_EQ(json["max_abs_diff"], 0);
  ASSERT_EQ(json["outputs"].size(), 3u);
  EXPECT_EQ(json["outputs"][1]["name"], "k");
  EXPECT_EQ(json["outputs"][1]["dtype"], "bf16");
  EXPECT_EQ(json["outputs"][1]["shape"], nlohmann::json({1, 16, 64, 32}));
}

TEST(BraidRun, DoesNotClaimWhatItDidNotCheck) {
  const CommandResult result = braid({"run", kRope, "--dim", "B=1", "--dim", "T=4", "--device", "cpu", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["checked"], false);
  EXPECT_TRUE(json["bitwise_equal"].is_null());
}

TEST(BraidRun, CountsViewsAsOutputsWithoutAKernel) {
  const CommandResult result =
      braid({"run", kPhi3, "--dim", "B=1", "--dim", "T=4", "--device", "cpu", "--check", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["kernels"], 1);
  EXPECT_EQ(json["noop_outputs"], 1);
  EXPECT_EQ(json["segments"], 2);
}

TEST(BraidRun, PrintsATable) {
  const CommandResult result = braid({"run", kRope, "--dim", "B=1", "--dim", "T=64", "--device", "cpu", "--check"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernels 1, executor cpu, loads 8, 16 bytes, stores 16 bytes, bitwise equal yes"));
}

TEST(BraidRun, ReadsAndWritesSafetensors) {
  const TemporaryFolder folder;
  folder.write("double.fusion", "fusion double(x: bf16[T]) { y = add(x, x)  return y }");
  const std::string header = R"({"x":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]}})";
  std::string file(8, '\0');
  const uint64_t length = header.size();
  std::memcpy(file.data(), &length, 8);
  // 1.0, -0.0, 2.5 in bf16, little-endian.
  folder.write("in.safetensors", file + header + std::string("\x80\x3f\x00\x80\x20\x40", 6));
  const CommandResult result = runBraid(folder.path(), {"run", "double.fusion", "--device", "cpu", "--inputs",
                                                        "in.safetensors", "--outputs", "out.safetensors", "--check"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string out = folder.read("out.safetensors");
  EXPECT_THAT(out, AllOf(HasSubstr("\"y\""), HasSubstr("\"BF16\"")));
  EXPECT_EQ(out.substr(out.size() - 6), std::string("\x00\x40\x00\x80\xa0\x40", 6));
}

TEST(BraidRun, TakesParameters) {
  const TemporaryFolder folder;
  folder.write("f.fusion", "fusion f(x: f32[T], s: f32) { y = mul(x, s)  return y }");
  EXPECT_EQ(
      runBraid(folder.path(), {"run", "f.fusion", "--dim", "T=5", "--set", "s=-0.5", "--device", "cpu", "--check"})
          .status,
      0);
}

TEST(BraidCompile, ShowsTheWidthOfEveryAccess) {
  const CommandResult result =
      braid({"compile", kLlama, "--dim", "B=2", "--dim", "T=8192", "--emit=segments", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["segments"].size(), 1u);
  EXPECT_EQ(json["segments"][0]["kind"], "kernel");
  EXPECT_EQ(json["segments"][0]["outputs"], nlohmann::json({"q", "k"}));
  for (const auto& access : json["segments"][0]["accesses"]) EXPECT_EQ(access["bytes"], 16) << access;
}

TEST(BraidCompile, EmitsEveryForm) {
  const std::vector<std::pair<std::string, std::string>> forms = {{"fusion", "fusion seed_qkv_rope("},
                                                                  {"segments", "kernel seed_qkv_rope: q, k, v"},
                                                                  {"schedule", "schedule v1 seed_qkv_rope"},
                                                                  {"kernel", "kernel seed_qkv_rope"},
                                                                  {"cuda", "extern \"C\" __global__"}};
  for (const auto& [form, text] : forms) {
    const CommandResult result = braid({"compile", kRope, "--emit", form});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr(text));
    EXPECT_EQ(braid({"compile", kRope, "--emit", form}).out, result.out) << "the same every time";
  }
}

TEST(BraidCompile, TakesAScheduleThatItPrinted) {
  const TemporaryFolder folder;
  const CommandResult printed = braid({"compile", kRope, "--dim", "B=2", "--dim", "T=64", "--emit=schedule"});
  folder.write("rope.schedule", printed.out);
  const std::vector<std::string> same = {"compile", kRope, "--dim", "B=2", "--dim", "T=64", "--emit=cuda"};
  std::vector<std::string> given = same;
  given.push_back("--schedule=" + (folder.path() / "rope.schedule").string());
  const CommandResult result = braid(given);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, braid(same).out);
}

TEST(BraidOpt, PrintsTheFusionAfterEachPass) {
  const CommandResult result = braid({"opt", kRope, "--print-after-all"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("# parsed"), HasSubstr("# after dead_code"), HasSubstr("# after move_pad")));
}

TEST(BraidOpt, StopsWhereItIsTold) {
  const CommandResult parsed = braid({"opt", kRope, "--stop-after=parse"});
  EXPECT_THAT(parsed.out, AllOf(HasSubstr("= cat("), Not(HasSubstr("select_at"))));
  EXPECT_THAT(braid({"opt", kRope}).out, HasSubstr("select_at"));
}

TEST(BraidOpt, PrintsWhatThePassesAreWorth) {
  const TemporaryFolder folder;
  folder.write("f.fusion", "fusion f(x: f32[T, 4], y: f32[T, 4]) { o = cat(exp(x), exp(y), dim=1)  return o }");
  const CommandResult result = runBraid(folder.path(), {"opt", "f.fusion", "--stats"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("#   operations                     2      1"));
}

TEST(BraidOpt, ListsThePasses) {
  const CommandResult result = braid({"opt", "--list-passes"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("remove_empty"), HasSubstr("move_pad")));
}

TEST(BraidExplain, SaysWhatWasDecidedAndWhy) {
  const CommandResult result = braid({"explain", kRope, "--dim", "B=2", "--dim", "T=1024"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("1 kernel"), HasSubstr("move_pad rewrote"),
                                HasSubstr("nothing that is read depends on it: read once, store 4 times")));
}

TEST(BraidHelp, ShowsExamplesThatWork) {
  for (const char* command : {"opt", "compile", "run", "bench", "explain"}) {
    const CommandResult result = braid({command, "--help"});
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, HasSubstr("Examples:\n  braid " + std::string(command)));
  }
}

}  // namespace
}  // namespace braid::test
