// braid opt: the text of a fusion after the passes.

#include <fmt/format.h>

#include <memory>

#include "arguments.h"
#include "braid/error.h"
#include "commands.h"
#include "ir/text.h"
#include "preseg_passes/passes.h"
#include "preseg_passes/run.h"
#include "report.h"

namespace braid::tool {

namespace {

struct OptOptions : Arguments {
  std::string pass, stopAfter;
  bool printAfterAll = false, stats = false, listPasses = false;
};

void printStats(const ir::Fusion& before, const ir::Fusion& after) {
  const PositionCost a = positionCost(before), b = positionCost(after);
  fmt::print("# a position takes            before  after\n");
  fmt::print("#   loads                     {:>6}  {:>5}\n", a.loads, b.loads);
  fmt::print("#   operations                {:>6}  {:>5}\n", a.operations, b.operations);
  fmt::print("#   selects                   {:>6}  {:>5}\n", a.selects, b.selects);
  fmt::print("# expressions in the program  {:>6}  {:>5}\n", before.exprs().size(), after.exprs().size());
}

void expectPass(const std::string& name) {
  if (name.empty() || name == "parse") return;
  std::vector<std::string_view> names;
  for (const preseg::PassInfo& pass : preseg::kPasses) names.push_back(pass.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw Error(ErrorCode::UnknownName, fmt::format("--stop-after {}: there is no such stage", name))
      .note(fmt::format("the stages are parse, {}", fmt::join(names, ", ")));
}

int opt(const OptOptions& options) {
  if (options.listPasses) {
    for (const preseg::PassInfo& pass : preseg::kPasses) fmt::print("{:<24}{}\n", pass.name, pass.summary);
    return 0;
  }
  if (options.file.empty()) throw Error(ErrorCode::InvalidArgument, "braid opt needs a .fusion file");
  expectPass(options.stopAfter);
  const ir::Fusion fusion = loadFusion(options);
  preseg::PassContext context;
  for (const std::string& name : options.disabled) context.disabled.insert(name);
  ir::Fusion result = fusion;
  if (!options.pass.empty()) {
    result = preseg::runPass(options.pass, fusion, context);
  } else if (options.stopAfter != "parse") {
    if (options.printAfterAll) fmt::print("# parsed\n{}\n", ir::print(fusion));
    bool stopped = false;
    preseg::runPasses(fusion, context, [&](std::string_view pass, const ir::Fusion& after) {
      if (stopped) return;
      result = after;
      if (options.printAfterAll) fmt::print("# after {}\n{}\n", pass, ir::print(after));
      stopped = pass == options.stopAfter;
    });
  }
  if (!options.printAfterAll) fmt::print("{}", ir::print(result));
  if (options.stats) printStats(fusion, result);
  return 0;
}

}  // namespace

void addOpt(CLI::App& app, Action& action) {
  auto options = std::make_shared<OptOptions>();
  CLI::App* command = app.add_subcommand("opt", "print a fusion after the pre-segmentation passes");
  command->add_option("fusion", options->file, "a .fusion file")->option_text("F");
  command->add_option("--pass", options->pass, "run this pass alone");
  command->add_option("--disable", options->disabled, "passes to leave out")->delimiter(',');
  command->add_option("--stop-after", options->stopAfter, "parse, or the last pass to run");
  command->add_flag("--print-after-all", options->printAfterAll, "print after every pass");
  command->add_flag("--stats", options->stats, "loads and operations a position, before and after");
  command->add_flag("--list-passes", options->listPasses, "list the passes in their order");
  command->footer(
      "Examples:\n  braid opt examples/seed_qkv_rope.fusion --stats\n"
      "  braid opt examples/seed_rope_one.fusion --pass=move_pad");
  command->callback([=, &action] { action = [=] { return opt(*options); }; });
}

}  // namespace braid::tool
