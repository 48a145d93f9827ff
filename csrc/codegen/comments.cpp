#include "codegen/comments.h"

#include <algorithm>

namespace braid::codegen {

std::vector<std::string> commentLines(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    std::replace(line.begin(), line.end(), '\r', ' ');
    if (line.ends_with('\\')) line += " .";  // a trailing backslash would continue the comment
    lines.push_back(line.empty() ? "//" : "// " + line);
    if (end == text.size()) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace braid::codegen
