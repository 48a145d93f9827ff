#pragma once
// Golden texts of passes: a `.fusion` file with a program and what a pass makes of it.
//
//   #! pass move_pad                  or: pipeline, for all passes in their order
//   #! What the text shows, in a sentence.
//   #! sizes T=4 S=4; T=8 S=8         optional: what symbols stand for in the check; else all of them 1, 2, 5, 8
//   #! unchanged: reason              instead of an `after`: the pass must leave the program, and remark this reason
//   fusion f(…) { … }
//   #! after
//   fusion f(…) { … }

#include <filesystem>
#include <string>
#include <vector>

#include "ir/bind.h"

namespace braid::test {

struct Golden {
  std::string pass, summary;
  std::vector<ir::Symbols> sizes;
  bool isUnchanged = false;
  std::string reason;  ///< of an unchanged one; may be empty
  std::string head;    ///< the lines before the program
  std::string before, after;
};

/// Every golden file, relative to the golden folder, sorted.
std::vector<std::filesystem::path> goldenFiles();
/// Throws std::runtime_error for a file that is not in the form above.
Golden readGolden(const std::filesystem::path& file);

/// Runs the pass and compares the whole text; checks that the pass left its input alone and finds nothing to do in its
/// own result, and that both programs give the same bits, with ±0, NaN and Inf among the inputs. With the environment
/// variable BRAID_UPDATE_GOLDEN set, the file is rewritten instead of compared.
void expectGolden(const std::filesystem::path& file);

}  // namespace braid::test
