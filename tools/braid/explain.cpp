// braid explain: what was decided, and why, in sentences.

#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "commands.h"
#include "report.h"

namespace braid::tool {

namespace {

int explain(const Arguments& options) {
  const ir::Fusion fusion = loadFusion(options);
  const scheduler::Facts facts = factsOf(options, fusion);
  const auto program = pipeline::compile(fusion, facts, compileOptionsOf(options));
  fmt::print("{}: {} kernel{}, {} output{} without one.\n", fusion.name(), program.kernels(),
             program.kernels() == 1 ? "" : "s", program.noopOutputs(), program.noopOutputs() == 1 ? "" : "s");
  const std::string known = facts.text();
  fmt::print("The kernel serves every shape of which this holds: {}.\n", known.empty() ? "anything" : known);
  fmt::print("\nPasses\n");
  for (const preseg::Remark& remark : program.remarks) {
    fmt::print("  {} {} {} ({}): {}.\n", remark.pass, remark.fired ? "rewrote" : "left", remark.value, remark.rule,
               remark.reason);
  }
  fmt::print("\nSchedule\n");
  for (const scheduler::Choice& choice : program.choices) {
    fmt::print("  part {}: {}, since {}.\n", choice.part, choice.what, choice.why);
  }
  fmt::print("\nAccesses\n{}", segmentsText(program));
  return 0;
}

}  // namespace

void addExplain(CLI::App& app, Action& action) {
  auto options = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("explain", "say what was decided for a fusion, and why");
  addFusion(*command, *options);
  addPlacement(*command, *options);
  addCompileOptions(*command, *options);
  command->footer(
      "Examples:\n  braid explain examples/llama3_8b_v.fusion --dim B=2 --dim T=8192\n"
      "  braid explain examples/seed_rope_one.fusion --disable=move_pad");
  command->callback([=, &action] { action = [=] { return explain(*options); }; });
}

}  // namespace braid::tool
