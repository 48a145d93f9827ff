// Wrong input gets one clear error on stderr and exit status 2, and nothing is written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tools/command.h"

namespace braid::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct BadFusion {
  const char* what;
  const char* text;
  std::vector<const char*> says;
  std::vector<std::string> arguments = {};
};

class WrongFusion : public ::testing::TestWithParam<BadFusion> {};

TEST_P(WrongFusion, GetsOneErrorAndStatusTwo) {
  const TemporaryFolder folder;
  folder.write("f.fusion", GetParam().text);
  std::vector<std::string> arguments = {"run",     "f.fusion",  "--device",       "cpu",
                                        "--check", "--outputs", "out.safetensors"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const CommandResult result = runBraid(folder.path(), arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: "));
  for (const char* part : GetParam().says) EXPECT_THAT(result.err, HasSubstr(part));
  EXPECT_EQ(result.err.find("error: ", 1), std::string::npos) << "one error";
  EXPECT_FALSE(folder.has("out.safetensors"));
}

INSTANTIATE_TEST_SUITE_P(
    Text, WrongFusion,
    ::testing::Values(
        BadFusion{"no_operand",
                  "fusion f(x: f32[4]) {\n  y = mul(x, )\n  return y\n}",
                  {"f.fusion:2:14: expected an operand, found ')'", "\n               ^"}},
        BadFusion{"unknown_op",
                  "fusion f(x: f32[4]) { y = mull(x, x)  return y }",
                  {"f.fusion:1:27: expected an operation, 'mull' is none; did you mean mul?"}},
        BadFusion{"unknown_attribute",
                  "fusion f(x: f32[4]) { y = cat(x, dmi=0)  return y }",
                  {"expected one of dim in cat, found 'dmi'; did you mean dim?"}},
        BadFusion{"unknown_value",
                  "fusion f(x: f32[4]) { y = neg(z)  return y }",
                  {"expected the name of a value, z is none; did you mean x?"}},
        BadFusion{"rank",
                  "fusion f(x: f32[4, 4]) { y = permute(x, dims=[0])  return y }",
                  {"permute: dims has 1 entries, x has 2 axes", "at f.fusion:1"}},
        BadFusion{"dtype",
                  "fusion f(x: f32[4]) { y = bitwise_not(x)  return y }",
                  {"bitwise_not: takes integers and bool, not f32"}},
        BadFusion{"written_dtype", "fusion f(x: f32[4]) { y: bf16[4] = neg(x)  return y }", {"bf16[4]", "f32[4]"}},
        BadFusion{"slice_out_of_range",
                  "fusion f(x: f32[T, 4]) { y = slice(x, start=[0, 0], stop=[T, 5])  return y }",
                  {"slice: stop[1] is 5, axis 1 of x has 4 elements", "did you mean stop=[T, 4]?"}},
        BadFusion{"reshape",
                  "fusion f(x: f32[6, 4]) { y = reshape(x, shape=[5, 5])  return y }",
                  {"reshape: x has 24 elements, shape=[5, 5] has 25"}},
        BadFusion{"extents",
                  "fusion f(x: f32[4], y: f32[5]) { z = add(x, y)  return z }",
                  {"add: axis 0 differs: x: f32[4], y: f32[5]"}},
        BadFusion{"pad_below_zero", "fusion f(x: f32[4]) { y = pad(x, widths=[-5, 0])  return y }", {"pad", "x", "-5"}},
        BadFusion{"reduction",
                  "fusion f(x: f32[4]) { y = sum(x, dims=[0])  return y }",
                  {"sum: reductions are not supported yet"}}),
    [](const auto& info) { return std::string(info.param.what); });

INSTANTIATE_TEST_SUITE_P(
    RunTime, WrongFusion,
    ::testing::Values(
        BadFusion{"unequal_extents",
                  "fusion f(x: f32[A], y: f32[B]) { z = add(x, y)  return z }",
                  {"A == B must hold, but A is 3 and B is 4", "add: axis 0 differs"},
                  {"--dim", "A=3", "--dim", "B=4"}},
        BadFusion{"slice",
                  "fusion f(x: f32[N]) { y = slice(x, start=[2], stop=[20])  return y }",
                  {"20 <= N must hold, but N is 9", "slice: stop[0] is 20"},
                  {"--dim", "N=9"}},
        BadFusion{"divisibility",
                  "fusion f(x: f32[N]) { y = reshape(x, shape=[N // 4, 4])  return y }",
                  {"must hold", "N is 9"},
                  {"--dim", "N=9"}},
        BadFusion{"pad", "fusion f(x: f32[N]) { y = pad(x, widths=[-3, 0])  return y }", {"N", "2"}, {"--dim", "N=2"}}),
    [](const auto& info) { return std::string(info.param.what); });

constexpr const char* kScale = "fusion scale(x: f32[T, 4], s: f32) { y = mul(x, s)  return y }";

struct BadArguments {
  const char* what;
  std::vector<std::string> arguments;
  std::vector<const char*> says;
};

class WrongArguments : public ::testing::TestWithParam<BadArguments> {};

TEST_P(WrongArguments, GetOneErrorAndStatusTwo) {
  const TemporaryFolder folder;
  folder.write("scale.fusion", kScale);
  const CommandResult result = runBraid(folder.path(), GetParam().arguments);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: "));
  for (const char* part : GetParam().says) EXPECT_THAT(result.err, HasSubstr(part));
}

std::vector<std::string> run(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"run", "scale.fusion", "--device", "cpu"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

INSTANTIATE_TEST_SUITE_P(
    Options, WrongArguments,
    ::testing::Values(
        BadArguments{"no_command", {}, {"command"}},
        BadArguments{"unknown_command",
                     {"complie", "scale.fusion"},
                     {"there is no command complie; did you mean compile?", "the commands are opt, compile, run"}},
        BadArguments{"no_file", {"opt", "none.fusion"}, {"none.fusion cannot be read"}},
        BadArguments{"unknown_dim", run({"--dim", "Q=3"}), {"--dim Q=3: scale has no extent Q", "its extents are T"}},
        BadArguments{"no_dim", run({}), {"the extent T is not known", "--dim T=16"}},
        BadArguments{"dim_without_number", run({"--dim", "T=x"}), {"--dim T=x: expected an integer"}},
        BadArguments{"negative_dim", run({"--dim", "T=-1"}), {"a size is not negative"}},
        BadArguments{"dim_without_value", run({"--dim", "T"}), {"--dim T: expected NAME=VALUE"}},
        BadArguments{"device",
                     {"run", "scale.fusion", "--dim", "T=3", "--device", "gpu"},
                     {"expected auto, cpu, cuda or cuda:N"}},
        BadArguments{
            "strides_of_wrong_rank", run({"--dim", "T=3", "--strides", "x=1"}), {"--strides x=1: x has 2 axes, not 1"}},
        BadArguments{"strides_of_nothing",
                     run({"--dim", "T=3", "--strides", "z=1,1"}),
                     {"scale has no tensor input z", "its inputs are x"}},
        BadArguments{
            "negative_offset", run({"--dim", "T=3", "--offset", "x=-1"}), {"--offset x=-1: it is not negative"}},
        BadArguments{"unknown_parameter", run({"--dim", "T=3", "--set", "q=1"}), {"scale has no parameter q"}},
        BadArguments{"parameter_without_number", run({"--dim", "T=3", "--set", "s=abc"}), {"expected a number"}},
        BadArguments{"unknown_pass",
                     run({"--dim", "T=3", "--disable=foo"}),
                     {"there is no pass or scheduler feature foo", "move_pad"}},
        BadArguments{"outputs_without_a_folder",
                     run({"--dim", "T=3", "--outputs", "nowhere/out.safetensors"}),
                     {"nowhere/out.safetensors"}},
        BadArguments{"unknown_stage", {"opt", "scale.fusion", "--stop-after", "later"}, {"there is no such stage"}},
        BadArguments{"unknown_form", {"compile", "scale.fusion", "--emit", "llvm"}, {"--emit", "cuda"}}),
    [](const auto& info) { return std::string(info.param.what); });

/// A safetensors file: an 8-byte header length, the header, the data.
std::string safetensors(const nlohmann::json& header, size_t bytes) {
  const std::string text = header.dump();
  const uint64_t length = text.size();
  std::string file(8, '\0');
  std::memcpy(file.data(), &length, 8);
  return file + text + std::string(bytes, '\0');
}

nlohmann::json tensor(const char* dtype, std::vector<int64_t> shape, int64_t begin, int64_t end) {
  return {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, end}}};
}

struct BadFile {
  const char* what;
  std::string content;
  std::vector<const char*> says;
};

class WrongTensorFile : public ::testing::TestWithParam<BadFile> {};

TEST_P(WrongTensorFile, GetsOneErrorAndStatusTwo) {
  const TemporaryFolder folder;
  folder.write("scale.fusion", kScale);
  folder.write("in.safetensors", GetParam().content);
  const CommandResult result =
      runBraid(folder.path(), run({"--inputs", "in.safetensors", "--outputs", "out.safetensors"}));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, StartsWith("error: "));
  for (const char* part : GetParam().says) EXPECT_THAT(result.err, HasSubstr(part));
  EXPECT_FALSE(folder.has("out.safetensors"));
}

const nlohmann::json kParameter = tensor("F32", {}, 0, 4);

INSTANTIATE_TEST_SUITE_P(
    Files, WrongTensorFile,
    ::testing::Values(
        BadFile{"misnamed",
                safetensors({{"s", kParameter}, {"xx", tensor("F32", {3, 4}, 4, 52)}}, 52),
                {"in.safetensors has no tensor x: f32[T, 4]", "it has s, xx"}},
        BadFile{"missing_parameter", safetensors({{"x", tensor("F32", {3, 4}, 0, 48)}}, 48), {"has no", "s"}},
        BadFile{"wrong_dtype",
                safetensors({{"s", kParameter}, {"x", tensor("BF16", {3, 4}, 4, 28)}}, 28),
                {"x: f32[T, 4] is bf16 in in.safetensors"}},
        BadFile{"wrong_rank",
                safetensors({{"s", kParameter}, {"x", tensor("F32", {12}, 4, 52)}}, 52),
                {"x: f32[T, 4] has 2 axes, the argument has 1"}},
        BadFile{"wrong_size",
                safetensors({{"s", kParameter}, {"x", tensor("F32", {3, 5}, 4, 64)}}, 64),
                {"axis 1 of x has 5 elements, not 4"}},
        BadFile{"one_too_many",
                safetensors({{"q", kParameter}, {"s", kParameter}, {"x", tensor("F32", {3, 4}, 4, 52)}}, 52),
                {"in.safetensors"}},
        BadFile{"cut_short",
                safetensors({{"s", kParameter}, {"x", tensor("F32", {3, 4}, 4, 52)}}, 52).substr(0, 40),
                {"in.safetensors: cut short"}},
        BadFile{"not_safetensors", "hello", {"in.safetensors"}}),
    [](const auto& info) { return std::string(info.param.what); });

}  // namespace
}  // namespace braid::test
