#include "support/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "braid/error.h"
#include "evaluator/evaluate.h"
#include "ir/text.h"
#include "preseg_passes/run.h"
#include "runtime/compare.h"
#include "runtime/draw_inputs.h"

namespace braid::test {

namespace {

std::filesystem::path goldenFolder() { return std::filesystem::path(BRAID_SOURCE_DIR) / "tests/cpp/golden"; }

ir::Symbols symbolsOf(const std::string& text) {
  ir::Symbols symbols;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) throw std::runtime_error("expected NAME=SIZE, not " + word);
    symbols[word.substr(0, equals)] = std::stoll(word.substr(equals + 1));
  }
  return symbols;
}

ir::Fusion runOn(const Golden& golden, const ir::Fusion& before, std::vector<preseg::Remark>* remarks) {
  preseg::PassContext context;
  context.remarks = remarks;
  return golden.pass == "pipeline" ? preseg::runPasses(before, context) : preseg::runPass(golden.pass, before, context);
}

std::vector<ir::Symbols> sizesFor(const Golden& golden, const ir::Fusion& fusion) {
  if (!golden.sizes.empty()) return golden.sizes;
  std::vector<ir::Symbols> result;
  for (const int64_t size : {1, 2, 5, 8}) {
    ir::Symbols& symbols = result.emplace_back();
    for (const std::string& symbol : fusion.symbols()) symbols[symbol] = size;
  }
  return result;
}

evaluator::Arguments draw(const ir::Fusion& fusion, const ir::Symbols& symbols) {
  evaluator::Arguments arguments;
  arguments.dims = symbols;
  for (const ir::Input& input : fusion.inputs()) {
    const ir::Value& value = fusion.value(input.value);
    if (value.kind == ir::ValueKind::Parameter) {
      arguments.scalars[value.name()] = ir::Scalar::real(0.75);
      continue;
    }
    const auto sizes = runtime::inputSizes(fusion, input, symbols);
    const auto strides = runtime::inputStrides(fusion, input, symbols, {});
    arguments.tensors.emplace(
        value.name(), runtime::drawInput(value.dtype(), sizes, strides, 0, runtime::inputSeed(7, value.name()), true));
  }
  return arguments;
}

void expectSameBits(const ir::Fusion& before, const ir::Fusion& after, const ir::Symbols& symbols) {
  const evaluator::Arguments arguments = draw(before, symbols);
  const auto expected = evaluator::evaluate(before, arguments);
  const auto actual = evaluator::evaluate(after, arguments);
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const auto comparison =
        runtime::compareBitwise(actual[i], expected[i], runtime::nanRuleOf(before, before.outputs()[i]));
    EXPECT_TRUE(comparison.equal) << before.outputs()[i].name << ": "
                                  << runtime::describe(comparison, actual[i], expected[i]);
  }
}

void rewrite(const std::filesystem::path& file, const Golden& golden, const std::string& after) {
  std::ofstream stream(file);
  stream << golden.head << golden.before;
  if (!golden.isUnchanged) stream << "#! after\n" << after;
}

void expectReason(const Golden& golden, const std::vector<preseg::Remark>& remarks) {
  if (golden.reason.empty()) return;
  std::string seen;
  for (const preseg::Remark& remark : remarks) {
    if (!remark.fired && remark.reason.find(golden.reason) != std::string::npos) return;
    seen += fmt::format("\n  {}: {}", remark.value, remark.reason);
  }
  ADD_FAILURE() << "no remark says \"" << golden.reason << "\"; there are" << (seen.empty() ? " none" : seen);
}

}  // namespace

std::vector<std::filesystem::path> goldenFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(goldenFolder())) {
    if (entry.path().extension() == ".fusion") files.push_back(std::filesystem::relative(entry.path(), goldenFolder()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

Golden readGolden(const std::filesystem::path& file) {
  std::ifstream stream(goldenFolder() / file);
  Golden golden;
  bool isAfter = false;
  for (std::string line; std::getline(stream, line);) {
    const std::string note = line.starts_with("#! ") ? line.substr(3) : "";
    if (note == "after") {
      isAfter = true;
      continue;
    }
    if (note.empty()) {
      (isAfter ? golden.after : golden.before) += line + "\n";
      continue;
    }
    golden.head += line + "\n";
    if (note.starts_with("pass ")) {
      golden.pass = note.substr(5);
    } else if (note.starts_with("sizes ")) {
      std::istringstream each(note.substr(6));
      for (std::string sizes; std::getline(each, sizes, ';');) golden.sizes.push_back(symbolsOf(sizes));
    } else if (note.starts_with("unchanged")) {
      golden.isUnchanged = true;
      if (note.size() > 11) golden.reason = note.substr(11);
    } else {
      golden.summary += note;
    }
  }
  if (golden.pass.empty() || golden.summary.empty() || golden.before.empty()) {
    throw std::runtime_error(file.string() + ": a golden text has a pass, a sentence and a program");
  }
  return golden;
}

void expectGolden(const std::filesystem::path& file) {
  try {
    const Golden golden = readGolden(file);
    SCOPED_TRACE(golden.summary);
    const ir::Fusion before = ir::parse(golden.before, file.string());
    const std::string textBefore = ir::print(before);
    std::vector<preseg::Remark> remarks;
    const ir::Fusion after = runOn(golden, before, &remarks);
    EXPECT_EQ(ir::print(before), textBefore) << "the pass changed its input";
    if (std::getenv("BRAID_UPDATE_GOLDEN") != nullptr) {
      rewrite(goldenFolder() / file, golden, ir::print(after));
    } else {
      EXPECT_EQ(ir::print(after), golden.isUnchanged ? textBefore : golden.after);
    }
    EXPECT_EQ(golden.isUnchanged, ir::print(after) == textBefore) << "an unchanged program says so in its head";
    if (golden.isUnchanged) expectReason(golden, remarks);
    EXPECT_EQ(ir::print(runOn(golden, after, nullptr)), ir::print(after)) << "the pass goes on with its own result";
    for (const ir::Symbols& symbols : sizesFor(golden, before)) {
      SCOPED_TRACE(fmt::format("all symbols {}", symbols.empty() ? 0 : symbols.begin()->second));
      expectSameBits(before, after, symbols);
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << file << ": " << error.what();
  }
}

}  // namespace braid::test
