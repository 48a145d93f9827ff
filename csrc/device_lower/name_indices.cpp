#include "device_lower/name_indices.h"

#include <algorithm>

#include "base/check.h"

namespace braid::device_lower {

namespace {

using index::ExprKind;

class IndexNamer {
 public:
  IndexNamer(KernelBuilder& builder, LeveledStatements& body)
      : builder_(builder), arena_(builder.arena()), body_(body), lets_(body.levels.size()) {}

  void run() {
    for (std::vector<Statement>& level : body_.levels) {
      for (Statement& statement : level) {
        const TensorId* tensor = nullptr;
        if (const auto* load = std::get_if<Load>(&statement.node)) tensor = &load->tensor;
        if (const auto* store = std::get_if<Store>(&statement.node)) tensor = &store->tensor;
        const std::string base = tensor != nullptr ? builder_.kernel().tensor(*tensor).name : std::string("at");
        rewriteIndices(statement,
                       [&](IndexExpr e) { return isCondition(e) ? whole(e, base) : offset(whole(e, base), base); });
      }
    }
    for (size_t level = 0; level < lets_.size(); ++level) {
      std::vector<Statement>& statements = body_.levels[level];
      statements.insert(statements.begin(), lets_[level].begin(), lets_[level].end());
    }
  }

 private:
  bool isCondition(IndexExpr e) const {
    switch (arena_.kind(e)) {
      case ExprKind::Less:
      case ExprKind::Equal:
      case ExprKind::And:
      case ExprKind::Or:
      case ExprKind::Not:
        return true;
      case ExprKind::Constant:
      case ExprKind::Symbol:
      case ExprKind::Add:
      case ExprKind::Mul:
      case ExprKind::FloorDiv:
      case ExprKind::Mod:
      case ExprKind::Min:
      case ExprKind::Max:
      case ExprKind::Select:
        return false;
    }
    return false;
  }

  size_t levelOf(IndexExpr e) const {
    for (size_t i = body_.loopVariables.size(); i-- > 0;) {
      if (dependsOnLoop(e, i)) return i + 1;
    }
    return 0;
  }

  // A let's symbol depends on what its value depends on.
  bool dependsOnLoop(IndexExpr e, size_t loop) const {
    for (const IndexExpr symbol : arena_.symbolsOf(e)) {
      if (symbol == body_.loopVariables[loop]) return true;
      const auto it = letLevel_.find(symbol);
      if (it != letLevel_.end() && it->second > loop) return true;
    }
    return false;
  }

  IndexExpr let(IndexExpr value, const std::string& name) {
    if (const auto it = named_.find(value); it != named_.end()) return it->second;
    const IndexExpr symbol = builder_.newSymbol(name, value);
    const size_t level = levelOf(value);
    lets_[level].push_back({LetIndex{symbol, value}, ""});
    named_.emplace(value, symbol);
    letLevel_.emplace(symbol, level);
    return symbol;
  }

  /// e with every division, remainder and condition in it replaced by a name.
  IndexExpr whole(IndexExpr e, const std::string& base) {
    if (const auto it = rewritten_.find(e); it != rewritten_.end()) return it->second;
    const IndexExpr result = rebuilt(e, base);
    rewritten_.emplace(e, result);
    return result;
  }

  IndexExpr rebuilt(IndexExpr e, const std::string& base) {
    std::vector<IndexExpr> operands(arena_.operands(e).begin(), arena_.operands(e).end());
    for (IndexExpr& operand : operands) operand = whole(operand, base);
    const auto fold = [&](IndexExpr (index::IndexArena::*combine)(IndexExpr, IndexExpr)) {
      IndexExpr result = operands[0];
      for (size_t i = 1; i < operands.size(); ++i) result = (arena_.*combine)(result, operands[i]);
      return result;
    };
    // A rebuilt expression may fold to something that needs no name.
    const auto name = [&](IndexExpr value, const char* suffix) {
      const bool simple = arena_.asConstant(value) || arena_.kind(value) == ExprKind::Symbol;
      return simple ? value : let(value, base + suffix);
    };
    switch (arena_.kind(e)) {
      case ExprKind::Constant:
      case ExprKind::Symbol:
        return e;
      case ExprKind::Add:
        return fold(&index::IndexArena::add);
      case ExprKind::Mul:
        return fold(&index::IndexArena::mul);
      case ExprKind::FloorDiv:
        return name(arena_.floorDiv(operands[0], operands[1]), "_quotient");
      case ExprKind::Mod:
        return name(arena_.mod(operands[0], operands[1]), "_remainder");
      case ExprKind::Min:
        return arena_.min(operands[0], operands[1]);
      case ExprKind::Max:
        return arena_.max(operands[0], operands[1]);
      case ExprKind::Select:
        return arena_.select(operands[0], operands[1], operands[2]);
      case ExprKind::Less:
        return name(arena_.less(operands[0], operands[1]), "_is");
      case ExprKind::Equal:
        return name(arena_.equal(operands[0], operands[1]), "_is");
      case ExprKind::And:
        return name(fold(&index::IndexArena::logicalAnd), "_is");
      case ExprKind::Or:
        return name(fold(&index::IndexArena::logicalOr), "_is");
      case ExprKind::Not:
        return name(arena_.logicalNot(operands[0]), "_is");
    }
    return e;
  }

  /// The shared part of an offset under a name, plus what is the access's own: constants, selects, loop variables.
  IndexExpr offset(IndexExpr e, const std::string& base) {
    if (arena_.kind(e) != ExprKind::Add && arena_.kind(e) != ExprKind::Mul) return e;
    const std::vector<IndexExpr> terms = arena_.kind(e) == ExprKind::Add
                                             ? std::vector(arena_.operands(e).begin(), arena_.operands(e).end())
                                             : std::vector{e};
    IndexExpr shared = arena_.constant(0);
    IndexExpr own = arena_.constant(0);
    for (const IndexExpr term : terms) {
      const bool isOwn = arena_.asConstant(term) || holdsSelect(term) || levelOf(term) > 0;
      (isOwn ? own : shared) = arena_.add(isOwn ? own : shared, term);
    }
    const ExprKind kind = arena_.kind(shared);
    if (kind != ExprKind::Add && kind != ExprKind::Mul) return e;
    return arena_.add(let(shared, base + "_at"), own);
  }

  bool holdsSelect(IndexExpr e) const {
    if (arena_.kind(e) == ExprKind::Select) return true;
    const auto operands = arena_.operands(e);
    return std::any_of(operands.begin(), operands.end(), [&](IndexExpr operand) { return holdsSelect(operand); });
  }

  KernelBuilder& builder_;
  index::IndexArena& arena_;
  LeveledStatements& body_;
  std::vector<std::vector<Statement>> lets_;
  std::map<IndexExpr, IndexExpr> named_, rewritten_;
  std::map<IndexExpr, size_t> letLevel_;
};

}  // namespace

void nameIndices(KernelBuilder& builder, LeveledStatements& body) {
  BRAID_CHECK(body.levels.size() == body.loopVariables.size() + 1, "{} levels for {} loops", body.levels.size(),
              body.loopVariables.size());
  IndexNamer(builder, body).run();
}

}  // namespace braid::device_lower
