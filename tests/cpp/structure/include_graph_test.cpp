// Includes go one way: a room sees only the rooms that this table gives it.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "structure/source_tree.h"

namespace braid::test {
namespace {

using Rooms = std::set<std::string>;

/// What each room may include besides itself, the standard library, fmt and the public leaf headers. The sources of
/// api/ are the last layer; its headers are the first.
const std::map<std::string, Rooms>& allowedIncludes() {
  static const Rooms frontEnd = {"base", "index", "ir", "id_model"};
  static const auto with = [](Rooms rooms, const Rooms& more) {
    rooms.insert(more.begin(), more.end());
    return rooms;
  };
  static const Rooms schedules = with(frontEnd, {"segmentation", "scheduler"});
  static const Rooms kernels = with(schedules, {"device_lower", "codegen"});
  static const std::map<std::string, Rooms> table = {
      {"base", {}},
      {"index", {"base"}},
      {"ir", {"base", "index"}},
      {"evaluator", {"base", "index", "ir"}},
      {"id_model", {"base", "index", "ir"}},
      {"preseg_passes", frontEnd},
      {"segmentation", frontEnd},
      {"scheduler", with(frontEnd, {"segmentation"})},
      {"device_lower", schedules},
      {"codegen", {"base", "index", "ir", "device_lower", "scheduler"}},
      {"pipeline", with(kernels, {"preseg_passes"})},
      {"runtime", with(kernels, {"pipeline", "evaluator"})},
      {"api", with(kernels, {"preseg_passes", "pipeline", "evaluator", "runtime"})},
  };
  return table;
}

const Rooms kLeafHeaders = {"braid/dtype.h", "braid/error.h", "braid/source_loc.h"};

std::string roomOf(const std::filesystem::path& file) { return (++file.begin())->string(); }
bool isPublicHeader(const std::filesystem::path& file) { return file.string().starts_with("csrc/api/braid/"); }

struct Include {
  std::string text;
  bool isQuoted;
};

std::optional<Include> includeOf(const std::string& line) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::smatch match;
  if (!std::regex_search(line, match, pattern)) return std::nullopt;
  return Include{match[2], match[1] == "\""};
}

TEST(IncludeGraph, GoesOneWay) {
  for (const auto& file : sourcesBelow("csrc")) {
    if (isPublicHeader(file)) continue;
    const std::string room = roomOf(file);
    ASSERT_TRUE(allowedIncludes().contains(room)) << file << ": the room " << room << " is not in the table";
    const Rooms& allowed = allowedIncludes().at(room);
    for (const std::string& line : linesOf(file)) {
      const auto include = includeOf(line);
      if (!include || !include->isQuoted || kLeafHeaders.contains(include->text)) continue;
      const std::string target = include->text.substr(0, include->text.find('/'));
      if (target == room) continue;
      const bool isOwnApi = target == "braid" && room == "api";
      EXPECT_TRUE(allowed.contains(target) || isOwnApi) << file << " must not include " << include->text;
    }
  }
}

TEST(IncludeGraph, SeesEveryRoom) {
  Rooms found;
  for (const auto& file : sourcesBelow("csrc")) found.insert(roomOf(file));
  Rooms listed;
  for (const auto& [room, allowed] : allowedIncludes()) listed.insert(room);
  EXPECT_EQ(found, listed);
}

TEST(PublicHeaders, IncludeOnlyTheStandardLibraryAndEachOther) {
  for (const auto& file : sourcesBelow("csrc/api/braid")) {
    for (const std::string& line : linesOf(file)) {
      const auto include = includeOf(line);
      if (!include) continue;
      const bool isStandard = include->text.find_first_of("/.") == std::string::npos;
      EXPECT_TRUE(isStandard || include->text.starts_with("braid/")) << file << " includes " << include->text;
    }
  }
}

TEST(PassFiles, DoNotKnowEachOther) {
  const Rooms shared = {"pass.h", "pad_widths.h", "run.h", "passes.h"};
  for (const auto& file : sourcesBelow("csrc/preseg_passes")) {
    if (file.stem() == "run" || file.stem() == "passes") continue;
    for (const std::string& line : linesOf(file)) {
      const auto include = includeOf(line);
      if (!include || !include->text.starts_with("preseg_passes/")) continue;
      const std::string header = std::filesystem::path(include->text).filename().string();
      const bool isOwn = std::filesystem::path(header).stem() == file.stem();
      EXPECT_TRUE(isOwn || shared.contains(header)) << file << " must not know " << header;
    }
  }
}

}  // namespace
}  // namespace braid::test
