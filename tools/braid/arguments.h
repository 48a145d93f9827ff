#pragma once
// What the sub-commands have in common: the fusion, its sizes, how inputs lie in memory, what is switched off.

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/bind.h"
#include "ir/fusion.h"
#include "pipeline/compile.h"
#include "runtime/draw_inputs.h"

namespace braid::tool {

struct Arguments {
  std::string file;
  std::vector<std::string> dims, strides, offsets, disabled;
  std::string scheduleFile;
};

void addFusion(CLI::App& app, Arguments& arguments);
/// --dim, --strides, --offset
void addPlacement(CLI::App& app, Arguments& arguments);
/// --disable, --schedule
void addCompileOptions(CLI::App& app, Arguments& arguments);

/// Reads the file; inputs with given strides are declared with strides that may be any.
ir::Fusion loadFusion(const Arguments& arguments);
/// The sizes of --dim. Throws Error(UnknownName) for a size that the fusion does not have.
ir::Symbols dimsOf(const Arguments& arguments, const ir::Fusion& fusion);
/// --strides and --offset by input.
std::map<std::string, runtime::InputPlacement> placementsOf(const Arguments& arguments, const ir::Fusion& fusion);
pipeline::CompileOptions compileOptionsOf(const Arguments& arguments);

/// What may be taken for granted when the fusion is compiled for these arguments, without tensors at hand.
scheduler::Facts factsOf(const Arguments& arguments, const ir::Fusion& fusion);

std::string readFile(const std::string& path);
/// Writes whole or not at all.
void writeFile(const std::string& path, const std::string& bytes);
/// "name=value" taken apart; throws Error(Parse) naming the option.
std::pair<std::string, std::string> nameAndValue(const std::string& text, const std::string& option);

}  // namespace braid::tool
