#include "arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <sstream>

#include "braid/error.h"
#include "ir/any_strides.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "ir/view.h"

namespace braid::tool {

void addFusion(CLI::App& app, Arguments& arguments) {
  app.add_option("fusion", arguments.file, "a .fusion file")->required()->option_text("F");
}

void addPlacement(CLI::App& app, Arguments& arguments) {
  app.add_option("--dim", arguments.dims, "the size that an extent name stands for")->option_text("T=1024 ...");
  app.add_option("--strides", arguments.strides, "strides of an input, in elements")->option_text("x=a,b,1 ...");
  app.add_option("--offset", arguments.offsets, "elements between the start of the memory and an input")
      ->option_text("x=1 ...");
}

void addCompileOptions(CLI::App& app, Arguments& arguments) {
  app.add_option("--disable", arguments.disabled, "passes and scheduler features to leave out")
      ->delimiter(',')
      ->option_text("move_pad,hoist,...");
  app.add_option("--schedule", arguments.scheduleFile, "a schedule to use instead of the scheduler's")
      ->option_text("FILE");
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorCode::File, fmt::format("{} cannot be read", path));
  return text.str();
}

void writeFile(const std::string& path, const std::string& bytes) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file << bytes;
  file.close();
  if (!file || std::rename(part.c_str(), path.c_str()) != 0) {
    std::remove(part.c_str());
    throw Error(ErrorCode::File, fmt::format("{} cannot be written", path));
  }
}

std::pair<std::string, std::string> nameAndValue(const std::string& text, const std::string& option) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) {
    throw Error(ErrorCode::Parse, fmt::format("{} {}: expected NAME=VALUE", option, text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

namespace {

int64_t integerOf(const std::string& text, const std::string& option) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  throw Error(ErrorCode::Parse, fmt::format("{}: expected an integer, found '{}'", option, text));
}

std::vector<int64_t> integersOf(const std::string& text, const std::string& option) {
  std::vector<int64_t> result;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) result.push_back(integerOf(part, option));
  return result;
}

const ir::Input& inputNamed(const ir::Fusion& fusion, const std::string& name, const std::string& option) {
  std::vector<std::string> names;
  for (const ir::Input& input : fusion.inputs()) {
    if (fusion.value(input.value).kind != ir::ValueKind::Tensor) continue;
    if (fusion.value(input.value).name() == name) return input;
    names.push_back(fusion.value(input.value).name());
  }
  throw Error(ErrorCode::UnknownName, fmt::format("{}: {} has no tensor input {}", option, fusion.name(), name))
      .note(fmt::format("its inputs are {}", fmt::join(names, ", ")));
}

}  // namespace

ir::Fusion loadFusion(const Arguments& arguments) {
  const ir::Fusion fusion = ir::parse(readFile(arguments.file), arguments.file);
  if (arguments.strides.empty()) return fusion;
  std::vector<std::string> names;
  for (const std::string& each : arguments.strides) names.push_back(nameAndValue(each, "--strides").first);
  for (const std::string& name : names) inputNamed(fusion, name, "--strides");
  return ir::withAnyStrides(fusion, names);
}

ir::Symbols dimsOf(const Arguments& arguments, const ir::Fusion& fusion) {
  const std::vector<std::string> known = fusion.symbols();
  ir::Symbols dims;
  for (const std::string& each : arguments.dims) {
    const auto [name, value] = nameAndValue(each, "--dim");
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw Error(ErrorCode::UnknownName, fmt::format("--dim {}: {} has no extent {}", each, fusion.name(), name))
          .note(known.empty() ? "its extents are constants"
                              : fmt::format("its extents are {}", fmt::join(known, ", ")));
    }
    const int64_t size = integerOf(value, "--dim " + each);
    if (size < 0) throw Error(ErrorCode::InvalidExtent, fmt::format("--dim {}: a size is not negative", each));
    dims[name] = size;
  }
  return dims;
}

std::map<std::string, runtime::InputPlacement> placementsOf(const Arguments& arguments, const ir::Fusion& fusion) {
  std::map<std::string, runtime::InputPlacement> placements;
  for (const std::string& each : arguments.strides) {
    const auto [name, value] = nameAndValue(each, "--strides");
    const ir::TensorView& tensor = fusion.tensor(inputNamed(fusion, name, "--strides").value);
    const std::vector<int64_t> strides = integersOf(value, "--strides " + each);
    if (static_cast<int64_t>(strides.size()) != tensor.rank()) {
      throw Error(ErrorCode::InvalidStrides,
                  fmt::format("--strides {}: {} has {} axes, not {}", each, name, tensor.rank(), strides.size()));
    }
    if (std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride < 0; })) {
      throw Error(ErrorCode::InvalidStrides, fmt::format("--strides {}: strides are not negative", each));
    }
    placements[name].strides = strides;
  }
  for (const std::string& each : arguments.offsets) {
    const auto [name, value] = nameAndValue(each, "--offset");
    inputNamed(fusion, name, "--offset");
    const int64_t offset = integerOf(value, "--offset " + each);
    if (offset < 0) throw Error(ErrorCode::InvalidArgument, fmt::format("--offset {}: it is not negative", each));
    placements[name].offset = offset;
  }
  return placements;
}

pipeline::CompileOptions compileOptionsOf(const Arguments& arguments) {
  pipeline::CompileOptions options;
  for (const std::string& name : arguments.disabled) options.disabled.insert(name);
  if (!arguments.scheduleFile.empty()) {
    options.schedules.push_back(scheduler::parseSchedule(readFile(arguments.scheduleFile), arguments.scheduleFile));
  }
  return options;
}

scheduler::Facts factsOf(const Arguments& arguments, const ir::Fusion& fusion) {
  ir::Symbols symbols = dimsOf(arguments, fusion);
  std::map<std::string, int64_t> alignment;
  for (const auto& [name, placement] : placementsOf(arguments, fusion)) {
    const ir::Input& input = inputNamed(fusion, name, "--strides");
    for (size_t axis = 0; axis < placement.strides.size(); ++axis) {
      symbols[ir::strideSymbol(name, axis)] = placement.strides[axis];
    }
    const int64_t bytes = placement.offset * bytesOf(fusion.value(input.value).dtype());
    if (bytes > 0) alignment[name] = std::gcd<int64_t>(bytes, 16);
  }
  return scheduler::factsOf(fusion, symbols, alignment);
}

}  // namespace braid::tool
