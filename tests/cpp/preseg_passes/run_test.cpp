#include "preseg_passes/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "braid/error.h"
#include "ir/text.h"
#include "preseg_passes/passes.h"

namespace braid::preseg {
namespace {

const char* kTwoCasts = R"(fusion f(x: bf16[4]) {
  a = cast(x, dtype=f32)
  b = cast(a, dtype=f64)
  return b
})";

TEST(RunPasses, CallsBackAfterEachPassInOrder) {
  std::vector<std::string> names;
  runPasses(ir::parse(kTwoCasts), {}, [&](std::string_view pass, const ir::Fusion&) { names.emplace_back(pass); });
  std::vector<std::string> expected;
  for (const PassInfo& pass : kPasses) expected.emplace_back(pass.name);
  EXPECT_EQ(names, expected);
}

TEST(RunPasses, LeavesOutWhatIsDisabled) {
  const ir::Fusion fusion = ir::parse(kTwoCasts);
  PassContext context;
  EXPECT_EQ(runPasses(fusion, context).exprs().size(), 1u);
  context.disabled = {"consecutive_cast"};
  EXPECT_EQ(runPasses(fusion, context), fusion);
}

TEST(RunPasses, RefusesToDisableWhatIsNoPass) {
  PassContext context;
  context.disabled = {"move_pads"};
  try {
    runPasses(ir::parse(kTwoCasts), context);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("there is no pass or scheduler feature move_pads"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("move_pad"));
  }
}

TEST(RunPass, NamesThePassesWhenThereIsNone) {
  try {
    runPass("inline", ir::parse(kTwoCasts), {});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::UnknownName);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("there is no pass inline"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("remove_empty, consecutive_cast"));
  }
}

TEST(Remarks, SayWhatWasDecidedAndWhy) {
  std::vector<Remark> remarks;
  PassContext context;
  context.remarks = &remarks;
  runPass("consecutive_cast", ir::parse(kTwoCasts), context);
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].pass, "consecutive_cast");
  EXPECT_EQ(remarks[0].value, "b");
  EXPECT_TRUE(remarks[0].fired);
  EXPECT_EQ(remarks[0].reason, "bf16 to f64 at once, f32 loses nothing");
}

}  // namespace
}  // namespace braid::preseg
