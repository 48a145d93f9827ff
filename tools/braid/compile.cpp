// braid compile: every form that a fusion takes on its way to a GPU.

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "arguments.h"
#include "braid/error.h"
#include "codegen/cuda_text.h"
#include "commands.h"
#include "ir/text.h"
#include "report.h"
#include "runtime/nvrtc_api.h"

namespace braid::tool {

namespace {

struct CompileArguments : Arguments {
  std::string arch = "sm_90", emit = "cuda", output;
  bool json = false, wide = false;
};

using KernelText = std::function<std::string(const pipeline::CompiledSegment&)>;

std::string joined(const pipeline::CompiledProgram& program, const KernelText& text) {
  std::string result;
  for (const pipeline::CompiledSegment& segment : program.segments) {
    if (segment.kernel != nullptr) result += text(segment);
  }
  return result;
}

std::string emitted(const pipeline::CompiledProgram& program, const CompileArguments& options) {
  const auto width = options.wide ? device_lower::IndexWidth::Bits64 : device_lower::IndexWidth::Bits32;
  const auto image = [&](const pipeline::CompiledSegment& segment, runtime::Artifact artifact) {
    const std::string text = codegen::cudaText(*segment.kernel, width);
    return runtime::compileCuda(text, codegen::entryName(*segment.kernel), options.arch, artifact).image;
  };
  if (options.emit == "fusion") return ir::print(program.fusion);
  if (options.emit == "segments") {
    return options.json ? segmentsJson(program).dump(2) + "\n" : segmentsText(program);
  }
  if (options.emit == "schedule")
    return joined(program, [](const auto& each) { return scheduler::print(each.schedule); });
  if (options.emit == "kernel")
    return joined(program, [](const auto& each) { return device_lower::print(*each.kernel); });
  if (options.emit == "cuda")
    return joined(program, [&](const auto& each) { return codegen::cudaText(*each.kernel, width); });
  if (options.emit == "ptx")
    return joined(program, [&](const auto& each) { return image(each, runtime::Artifact::Ptx); });
  return joined(program, [&](const auto& each) { return image(each, runtime::Artifact::Cubin); });
}

int compile(const CompileArguments& options) {
  const ir::Fusion fusion = loadFusion(options);
  const auto program = pipeline::compile(fusion, factsOf(options, fusion), compileOptionsOf(options));
  const std::string text = emitted(program, options);
  if (options.output.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    writeFile(options.output, text);
  }
  return 0;
}

}  // namespace

void addCompile(CLI::App& app, Action& action) {
  auto options = std::make_shared<CompileArguments>();
  CLI::App* command = app.add_subcommand("compile", "print any form of a fusion, up to the GPU's code");
  addFusion(*command, *options);
  addPlacement(*command, *options);
  addCompileOptions(*command, *options);
  command->add_option("--arch", options->arch, "sm_80 or later")->capture_default_str();
  command->add_option("--emit", options->emit, "what to print")
      ->check(CLI::IsMember({"fusion", "segments", "schedule", "kernel", "cuda", "ptx", "cubin"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "segments as JSON");
  command->add_flag("--wide", options->wide, "64-bit index arithmetic");
  command->add_option("-o,--output", options->output, "write to a file");
  command->footer(
      "Examples:\n  braid compile examples/seed_qkv_rope.fusion --dim B=2 --dim T=1024 --emit=cuda\n"
      "  braid compile examples/llama3_8b.fusion --dim B=2 --dim T=8192 --emit=segments --json");
  command->callback([=, &action] { action = [=] { return compile(*options); }; });
}

}  // namespace braid::tool
