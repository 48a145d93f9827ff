#pragma once
// The sub-commands. Each adds itself to the command line; its action returns the exit status.

#include <CLI/CLI.hpp>

#include <functional>

namespace braid::tool {

using Action = std::function<int()>;

void addOpt(CLI::App& app, Action& action);
void addCompile(CLI::App& app, Action& action);
void addRun(CLI::App& app, Action& action);
void addBench(CLI::App& app, Action& action);
void addExplain(CLI::App& app, Action& action);

}  // namespace braid::tool
