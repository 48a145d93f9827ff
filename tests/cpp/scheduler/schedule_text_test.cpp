// A schedule is a value: what is printed parses back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "braid/error.h"
#include "scheduler/schedule.h"

namespace braid::scheduler {
namespace {

constexpr const char* kText = R"(schedule v1 rope {
  threads 128
  part q {
    outputs q, r
    split i1 by 4 -> i1a, i1b
    merge i2, i3 -> i2i3
    split i2i3 by 8 -> i2i3v, i2i3l
    grid i0, i1a, i2i3v
    loop i1b
    jam i4
    vector i2i3l
    cached cos, sin
  }
}
)";

TEST(ScheduleText, PrintedTextParsesToAnEqualSchedule) {
  const Schedule schedule = parseSchedule(kText);
  EXPECT_EQ(print(schedule), kText);
  EXPECT_EQ(parseSchedule(print(schedule)), schedule);
}

TEST(ScheduleText, CommentsAndSpaceDoNotMatter) {
  EXPECT_EQ(parseSchedule("schedule v1 a { threads 64 # small\n part p { outputs p\n\n grid i0 } }"),
            parseSchedule("schedule v1 a {\n  threads 64\n  part p {\n    outputs p\n    grid i0\n  }\n}\n"));
}

TEST(ScheduleText, AnUnknownWordSaysWhereAndWhatIsExpected) {
  try {
    parseSchedule("schedule v1 a {\n  part p {\n    unroll i0\n  }\n}", "my.schedule");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Parse);
    EXPECT_STREQ(
        error.what(),
        "my.schedule:3:5: expected outputs, split, merge, grid, loop, jam, vector, cached or '}', found 'unroll i0'");
  }
}

}  // namespace
}  // namespace braid::scheduler
