// braid: look at, compile, run and measure fusions.
//
// Exit status: 0; 1 when a check failed; 2 for a user error, with one clear message on stderr.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "braid/error.h"
#include "commands.h"
#include "ir/cursor.h"

namespace {

/// A first word that is no command: CLI11 would only say that one is required.
void checkCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == argv[1]) return;
    names.push_back(command->get_name());
  }
  const std::string close = braid::ir::nearest(argv[1], names);
  throw braid::Error(
      braid::ErrorCode::UnknownName,
      fmt::format("there is no command {}{}", argv[1], close.empty() ? "" : fmt::format("; did you mean {}?", close)))
      .note(fmt::format("the commands are {}", fmt::join(names, ", ")));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Braid turns tensor programs of data movement and pointwise math into one CUDA kernel at memory speed.",
               "braid");
  app.require_subcommand(1);
  app.footer("braid COMMAND --help says more, with examples.");
  braid::tool::Action action;
  braid::tool::addOpt(app, action);
  braid::tool::addCompile(app, action);
  braid::tool::addRun(app, action);
  braid::tool::addBench(app, action);
  braid::tool::addExplain(app, action);
  try {
    checkCommand(app, argc, argv);
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  } catch (const braid::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return error.code() == braid::ErrorCode::CheckFailed ? 1 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
