// Walks over statements.

#include "base/overloaded.h"
#include "device_lower/kernel_ir.h"

namespace braid::device_lower {

void forEachStatement(const std::vector<Statement>& body, const std::function<void(const Statement&)>& visit) {
  const auto nested = overloaded{
      [&](const Loop& loop) { forEachStatement(loop.body, visit); },
      [&](const Guard& guard) { forEachStatement(guard.body, visit); },
      [](const LetIndex&) {},
      [](const Load&) {},
      [](const Compute&) {},
      [](const SelectLanes&) {},
      [](const FromIndex&) {},
      [](const Fill&) {},
      [](const Store&) {},
  };
  for (const Statement& statement : body) {
    visit(statement);
    std::visit(nested, statement.node);
  }
}

}  // namespace braid::device_lower
