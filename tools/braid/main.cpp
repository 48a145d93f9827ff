// braid: look at, compile, run and measure fusions.
//
// Exit status: 0; 1 when a check failed; 2 for a user error, with one clear message on stderr.

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

#include "braid/error.h"
#include "commands.h"

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
