#pragma once
// Free text as C++ comments.

#include <string>
#include <string_view>
#include <vector>

namespace braid::codegen {

/// One `// …` line for each line of the text. What would end a comment early or join it to the next line is defused.
std::vector<std::string> commentLines(std::string_view text);

}  // namespace braid::codegen
