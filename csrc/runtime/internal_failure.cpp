#include "runtime/internal_failure.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "ir/text.h"

namespace braid::runtime {

namespace {

std::string dimsText(const ir::Symbols& symbols) {
  std::string text;
  for (const auto& [name, value] : symbols) text += fmt::format(" --dim {}={}", name, value);
  return text;
}

/// Every line of a text as a comment.
std::string commented(const std::string& text) {
  std::string result = "# ";
  for (const char letter : text) result += letter == '\n' ? std::string("\n# ") : std::string(1, letter);
  return result;
}

}  // namespace

void noteReproduction(Error& error, const ir::Fusion& fusion, const scheduler::Facts& facts,
                      const ir::Symbols& symbols) noexcept {
  try {
    const std::string text =
        fmt::format("{}\n# braid compile{}\n# facts: {}\n{}", commented(error.message()), dimsText(symbols),
                    facts.text(), ir::print(fusion, {.locations = true, .version = true}));
    // Named after what it holds, so that a failure that is met again makes no second file.
    const auto path = std::filesystem::temp_directory_path() /
                      fmt::format("braid_{}_{:016x}.fusion", fusion.name(), std::hash<std::string>{}(text));
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (file) error.note(fmt::format("{} reproduces it", path.string()));
  } catch (const std::exception&) {  // the failure itself matters more
  }
}

}  // namespace braid::runtime
