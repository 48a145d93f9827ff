#include "simplify.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace braid::index::test {

namespace {

std::string trimmed(std::string text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> splitAt(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t at = 0; (at = text.find(separator, start)) != std::string::npos; start = at + separator.size())
    parts.push_back(trimmed(text.substr(start, at - start)));
  parts.push_back(trimmed(text.substr(start)));
  return parts;
}

}  // namespace

void declare(IndexArena& arena, std::string_view facts) {
  std::vector<std::string> order;
  std::map<std::string, SymbolFacts> known;
  const auto factsOf = [&](const std::string& name) -> SymbolFacts& {
    if (!known.count(name)) order.push_back(name);
    return known[name];
  };
  std::map<std::string, std::string> upper;
  for (const std::string& fact : splitAt(std::string(facts), ",")) {
    if (fact.empty()) continue;
    if (const auto divides = splitAt(fact, "%"); divides.size() == 2) {
      factsOf(divides[0]).divisor = std::stoll(splitAt(divides[1], "==")[0]);
      continue;
    }
    std::string rest = fact;
    std::optional<int64_t> lo;
    if (const auto parts = splitAt(rest, "<="); parts.size() == 2) lo = std::stoll(parts[0]), rest = parts[1];
    const auto parts = splitAt(rest, "<");
    SymbolFacts& entry = factsOf(parts[0]);
    if (lo) entry.range.lo = lo;
    if (parts.size() == 2) upper[parts[0]] = parts[1];
  }
  for (const std::string& name : order) {
    SymbolFacts& entry = known[name];
    if (const auto bound = upper.find(name); bound != upper.end()) {
      const IndexExpr e = arena.parse(bound->second);
      if (const auto constant = arena.asConstant(e))
        entry.range.hi = *constant - 1;
      else
        entry.exclusiveUpper = e;
    }
    arena.symbol(name, entry);
  }
}

std::string simplified(std::string_view expression, std::string_view facts) {
  IndexArena arena;
  declare(arena, facts);
  return arena.text(arena.parse(expression));
}

}  // namespace braid::index::test
