// The generated text compiles without a GPU, for every architecture that matters, with the accesses that were promised.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "braid/error.h"
#include "codegen/cuda_text.h"
#include "ir/text.h"
#include "pipeline/compile.h"
#include "runtime/compare_scaled.h"
#include "runtime/nvrtc_api.h"
#include "support/example_files.h"

namespace braid::runtime {
namespace {

using device_lower::IndexWidth;

#define SKIP_WITHOUT_NVRTC()                                               \
  if (std::string reason; !nvrtcAvailable(&reason)) {                      \
    GTEST_SKIP() << "NVRTC is not here, nothing was compiled: " << reason; \
  }

pipeline::CompiledProgram compiled(const std::filesystem::path& file, int64_t tokens) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  const ir::Fusion fusion = ir::parse(text.str(), file.string());
  ir::Symbols symbols;
  for (const std::string& symbol : fusion.symbols()) symbols[symbol] = symbol == "T" ? tokens : 2;
  return pipeline::compile(fusion, scheduler::factsOf(fusion, symbols, {}));
}

/// Bytes of each kind of global access in PTX: "ld 16", "st 4".
std::set<std::string> accessesInPtx(const std::string& ptx) {
  static const std::regex pattern(R"((ld|st)\.global(?:\.[a-z]+)*?(?:\.(v2|v4))?\.([busf])(8|16|32|64)\b)");
  std::set<std::string> accesses;
  for (std::sregex_iterator it(ptx.begin(), ptx.end(), pattern), end; it != end; ++it) {
    const int lanes = (*it)[2] == "v4" ? 4 : (*it)[2] == "v2" ? 2 : 1;
    accesses.insert(fmt::format("{} {}", (*it)[1].str(), lanes * std::stoi((*it)[4]) / 8));
  }
  return accesses;
}

std::set<std::string> accessesPromised(const device_lower::Kernel& kernel) {
  std::set<std::string> accesses;
  for (const device_lower::Part& part : kernel.parts) {
    device_lower::forEachStatement(part.body, [&](const device_lower::Statement& statement) {
      if (const auto* load = std::get_if<device_lower::Load>(&statement.node)) {
        accesses.insert(fmt::format("ld {}", load->width * kernel.tensor(load->tensor).elementBytes()));
      } else if (const auto* store = std::get_if<device_lower::Store>(&statement.node)) {
        accesses.insert(fmt::format("st {}", store->width * kernel.tensor(store->tensor).elementBytes()));
      }
    });
  }
  return accesses;
}

class CompiledExample : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(CompiledExample, HasThePromisedAccessesAndNoLocalMemory) {
  SKIP_WITHOUT_NVRTC();
  const std::vector<int> known = nvrtcArchitectures();
  for (const int64_t tokens : {64, 63}) {
    const pipeline::CompiledProgram program = compiled(GetParam(), tokens);
    for (const pipeline::CompiledSegment& segment : program.segments) {
      if (segment.kernel == nullptr) continue;
      const std::string name = codegen::entryName(*segment.kernel);
      for (const IndexWidth width : {IndexWidth::Bits32, IndexWidth::Bits64}) {
        const std::string text = codegen::cudaText(*segment.kernel, width);
        for (const int arch : {80, 90, 100, 120}) {
          if (std::find(known.begin(), known.end(), arch) == known.end()) continue;
          SCOPED_TRACE(fmt::format("sm_{}, T={}", arch, tokens));
          const std::string ptx = compileCuda(text, name, fmt::format("sm_{}", arch), Artifact::Ptx).image;
          // sin and cos of CUDA's library bring a table, local memory (for angles above 105615) and FMAs of their own.
          if (roundsInexactly(program.source)) continue;
          EXPECT_EQ(accessesInPtx(ptx), accessesPromised(*segment.kernel));
          EXPECT_EQ(ptx.find(".local"), std::string::npos);
          EXPECT_EQ(ptx.find("fma.rn.f32"), std::string::npos) << "a product and a sum round once each";
        }
      }
    }
  }
}

TEST_P(CompiledExample, BecomesACubin) {
  SKIP_WITHOUT_NVRTC();
  for (const pipeline::CompiledSegment& segment : compiled(GetParam(), 64).segments) {
    if (segment.kernel == nullptr) continue;
    const std::string text = codegen::cudaText(*segment.kernel, IndexWidth::Bits32);
    const auto compilation = compileCuda(text, codegen::entryName(*segment.kernel), "sm_90", Artifact::Cubin);
    EXPECT_EQ(compilation.image.substr(0, 4),
              "\x7f"
              "ELF");
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, CompiledExample, ::testing::ValuesIn(test::exampleFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(Nvrtc, KnowsTheArchitecturesThatBraidIsFor) {
  SKIP_WITHOUT_NVRTC();
  EXPECT_THAT(nvrtcArchitectures(), ::testing::IsSupersetOf({80, 90}));
}

TEST(Nvrtc, RefusesAnArchitectureThatItDoesNotKnow) {
  SKIP_WITHOUT_NVRTC();
  for (const char* arch : {"sm_12", "sm_9000"}) {
    try {
      compileCuda("", "f", arch, Artifact::Ptx);
      FAIL() << arch << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unavailable) << error.what();
      EXPECT_THAT(error.what(), ::testing::HasSubstr(arch));
    }
  }
}

TEST(Nvrtc, RefusesWhatIsNoArchitecture) {
  SKIP_WITHOUT_NVRTC();
  for (const char* arch : {"gfx90a", "", "sm_", "90"}) {
    try {
      compileCuda("", "f", arch, Artifact::Ptx);
      FAIL() << arch << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("an architecture reads sm_90"));
    }
  }
}

TEST(Nvrtc, SaysWhatTheCompilerSaidOfABadText) {
  SKIP_WITHOUT_NVRTC();
  try {
    compileCuda("extern \"C\" __global__ void f() { undeclared = 1; }", "f", "sm_90", Artifact::Ptx);
    FAIL() << "it compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Internal);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("undeclared"));
  }
}

}  // namespace
}  // namespace braid::runtime
