// Random expressions over symbols with random facts: what the arena builds has the value of what was written, at random
// values that satisfy the facts. BRAID_BRUTE_FORCE_SAMPLES sets how many (expression, values) pairs are tried,
// BRAID_BRUTE_FORCE_SEED where they start.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "index/checked.h"
#include "index/expr.h"
#include "index/text.h"

namespace braid::index {
namespace {

using Values = std::map<std::string, int64_t>;
constexpr int64_t kLargest = int64_t(1) << 40;

struct TooLarge {};

int64_t small(int64_t value) {
  if (value > kLargest || value < -kLargest) throw TooLarge{};
  return value;
}

/// The meaning of a tree, with no simplification.
int64_t evaluate(const SyntaxTree& tree, const Values& values) {
  if (tree.kind == ExprKind::Constant) return tree.constant;
  if (tree.kind == ExprKind::Symbol) return values.at(tree.name);
  const auto operand = [&](size_t i) { return evaluate(tree.operands[i], values); };
  const int64_t a = operand(0);
  if (tree.kind == ExprKind::Not) return a == 0;
  const int64_t b = operand(1);
  switch (tree.kind) {
    case ExprKind::Add:
      return small(a + b);
    case ExprKind::Mul:
      return std::abs(a) < (1 << 21) && std::abs(b) < (1 << 21) ? small(a * b) : throw TooLarge{};
    case ExprKind::FloorDiv:
      return b == 0 ? 0 : a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
    case ExprKind::Mod:
      return b == 0 ? a : a - b * (a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0));
    case ExprKind::Min:
      return std::min(a, b);
    case ExprKind::Max:
      return std::max(a, b);
    case ExprKind::Select:
      return a != 0 ? b : operand(2);
    case ExprKind::Less:
      return a < b;
    case ExprKind::Equal:
      return a == b;
    case ExprKind::And:
      return a != 0 && b != 0;
    case ExprKind::Or:
      return a != 0 || b != 0;
    case ExprKind::Constant:
    case ExprKind::Symbol:
    case ExprKind::Not:
      break;
  }
  ADD_FAILURE() << "a kind the test does not know";
  return 0;
}

void collect(const SyntaxTree& tree, std::map<std::string, bool>& used) {
  if (tree.kind == ExprKind::Symbol) used[tree.name] = true;
  for (const SyntaxTree& operand : tree.operands) collect(operand, used);
}

SyntaxTree constant(int64_t value) { return {ExprKind::Constant, value, {}, {}}; }
SyntaxTree symbol(const std::string& name) { return {ExprKind::Symbol, 0, name, {}}; }
SyntaxTree apply(ExprKind kind, std::vector<SyntaxTree> operands) { return {kind, 0, {}, std::move(operands)}; }
SyntaxTree operator+(SyntaxTree a, SyntaxTree b) { return apply(ExprKind::Add, {std::move(a), std::move(b)}); }
SyntaxTree operator*(SyntaxTree a, SyntaxTree b) { return apply(ExprKind::Mul, {std::move(a), std::move(b)}); }

/// Sizes, loop variables over them, and free symbols; the random trees are made of these.
class World {
 public:
  explicit World(std::mt19937_64& random) : random_(random) {
    for (const char* name : {"S", "T"}) {
      SymbolFacts facts;
      facts.divisor = pick<int64_t>({1, 1, 1, 2, 4, 8});
      facts.range = {pick<int64_t>({0, 0, 0, 1, 3}), std::nullopt};
      if (chance(4)) facts.range.hi = 40;
      declareFree(name, facts, 0, 40);
      sizes.push_back(symbol(name));
    }
    for (int i = 0; i < 4; ++i) declareLoop(fmt::format("t{}", i));
    for (const char* name : {"x", "y"}) {
      SymbolFacts facts;
      if (chance(2)) facts.range = {pick<int64_t>({-9, 0, 5}), pick<int64_t>({6, 9, 31})};
      if (chance(3)) facts.divisor = pick<int64_t>({2, 3, 4, 6});
      declareFree(name, facts, -30, 40);
    }
    arena.symbol("z");
    names.push_back("z");
    domains["z"] = {-30, 40, 1};
  }

  SyntaxTree tree(int depth) {
    if (depth == 0) return leaf();
    switch (below(12)) {
      case 0:
        return leaf();
      case 1:
      case 2:
        return tree(depth - 1) + tree(depth - 1);
      case 3:
        return tree(depth - 1) * factor();
      case 4:
      case 5:
        return apply(ExprKind::FloorDiv, {tree(depth - 1), factor()});
      case 6:
      case 7:
        return apply(ExprKind::Mod, {tree(depth - 1), factor()});
      case 8:
        return apply(chance(2) ? ExprKind::Min : ExprKind::Max, {tree(depth - 1), tree(depth - 1)});
      case 9:
        return apply(ExprKind::Select, {condition(depth - 1), tree(depth - 1), tree(depth - 1)});
      case 10:
        return quotientAndRemainder(depth - 1);
      default:
        return linear();
    }
  }
  SyntaxTree condition(int depth) {
    if (depth > 0 && chance(4))
      return apply(chance(2) ? ExprKind::And : ExprKind::Or, {condition(depth - 1), condition(depth - 1)});
    if (depth > 0 && chance(6)) return apply(ExprKind::Not, {condition(depth - 1)});
    return apply(chance(3) ? ExprKind::Equal : ExprKind::Less, {tree(depth), tree(depth > 0 ? depth - 1 : 0)});
  }

  IndexExpr build(const SyntaxTree& tree) {
    if (tree.kind == ExprKind::Constant) return arena.constant(tree.constant);
    if (tree.kind == ExprKind::Symbol) return *arena.findSymbol(tree.name);
    std::vector<IndexExpr> e;
    for (const SyntaxTree& operand : tree.operands) e.push_back(build(operand));
    return rebuild(tree.kind, e);
  }
  IndexExpr rebuild(ExprKind kind, std::span<const IndexExpr> e) {
    IndexExpr result = e[0];
    for (size_t i = 1; i < e.size(); ++i) {
      if (kind == ExprKind::Add) result = arena.add(result, e[i]);
      if (kind == ExprKind::Mul) result = arena.mul(result, e[i]);
      if (kind == ExprKind::FloorDiv) result = arena.floorDiv(result, e[i]);
      if (kind == ExprKind::Mod) result = arena.mod(result, e[i]);
      if (kind == ExprKind::Min) result = arena.min(result, e[i]);
      if (kind == ExprKind::Max) result = arena.max(result, e[i]);
      if (kind == ExprKind::Less) result = arena.less(result, e[i]);
      if (kind == ExprKind::Equal) result = arena.equal(result, e[i]);
      if (kind == ExprKind::And) result = arena.logicalAnd(result, e[i]);
      if (kind == ExprKind::Or) result = arena.logicalOr(result, e[i]);
    }
    if (kind == ExprKind::Not) result = arena.logicalNot(e[0]);
    if (kind == ExprKind::Select) result = arena.select(e[0], e[1], e[2]);
    return result;
  }

  /// Values that satisfy the facts of every symbol in `trees`, or nothing where no value of a loop variable exists.
  std::optional<Values> draw(std::initializer_list<const SyntaxTree*> trees) {
    std::map<std::string, bool> used;
    for (const SyntaxTree* tree : trees) collect(*tree, used);
    Values values;
    for (const std::string& name : names) {
      if (const auto extent = extents.find(name); extent != extents.end()) {
        const int64_t bound = evaluate(extent->second, values);
        if (bound <= 0 && used.count(name)) return std::nullopt;
        values[name] = bound <= 0 ? 0 : chance(3) ? bound - 1 : below(bound);
        // An unused variable may hold an extent's place in the facts of no other.
        continue;
      }
      const auto& [lo, hi, divisor] = domains[name];
      const int64_t first = -floorDivide(-lo, divisor), last = floorDivide(hi, divisor);
      if (first > last) return std::nullopt;
      values[name] = divisor * (chance(4) ? first : first + below(last - first + 1));
    }
    return values;
  }

  std::string describe() const {
    std::string text;
    for (const std::string& name : names) {
      const SymbolFacts& facts = arena.symbolFacts(*arena.findSymbol(name));
      text += fmt::format("  {}", name);
      if (facts.range.lo) text += fmt::format(" >= {}", *facts.range.lo);
      if (facts.range.hi) text += fmt::format(" <= {}", *facts.range.hi);
      if (facts.exclusiveUpper) text += fmt::format(" < {}", arena.text(*facts.exclusiveUpper));
      if (facts.divisor != 1) text += fmt::format(" % {} == 0", facts.divisor);
      text += "\n";
    }
    return text;
  }

  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int64_t n) { return below(n) == 0; }
  template <class T>
  T pick(const std::vector<T>& list) {
    return list[static_cast<size_t>(below(std::ssize(list)))];
  }

  IndexArena arena;
  std::vector<std::string> names;  // in the order of declaration

 private:
  struct Domain {
    int64_t lo, hi, divisor;
  };

  void declareFree(const std::string& name, const SymbolFacts& facts, int64_t lo, int64_t hi) {
    arena.symbol(name, facts);
    names.push_back(name);
    domains[name] = {facts.range.lo.value_or(lo), facts.range.hi.value_or(hi), facts.divisor};
  }
  void declareLoop(const std::string& name) {
    const SyntaxTree size = pick(sizes);
    SyntaxTree extent = size;
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        extent = constant(pick<int64_t>({1, 2, 4, 8, 8, 12, 32}));
        break;
      case 3:
        extent = size * constant(pick<int64_t>({2, 4, 8}));
        break;
      case 4:
        extent = size + constant(pick<int64_t>({-2, 1, 3}));
        break;
      case 5:
        extent = apply(ExprKind::FloorDiv, {size, constant(pick<int64_t>({2, 8}))});
        break;
      case 6:
        extent = sizes[0] * sizes[1];
        break;
      default:
        break;
    }
    arena.loopVariable(name, build(extent));
    names.push_back(name);
    extents[name] = extent;
    loops.push_back({symbol(name), extent});
  }

  SyntaxTree leaf() {
    if (chance(3)) return constant(below(4) == 0 ? below(80) - 20 : pick<int64_t>({0, 1, 2, 3, 4, 7, 8, -1, 32}));
    return symbol(pick(names));
  }
  /// What people multiply and divide by.
  SyntaxTree factor() {
    switch (below(8)) {
      case 0:
        return pick(sizes);
      case 1:
        return pick(sizes) * constant(pick<int64_t>({2, 4, 8}));
      case 2:
        return pick(loops).second;
      case 3:
        return pick(sizes) * pick(sizes);
      case 4:
        return leaf();
      default:
        return constant(pick<int64_t>({2, 3, 4, 4, 6, 8, 8, 12, 32, -4}));
    }
  }
  /// An index made of loop variables, often in row-major order.
  SyntaxTree linear() {
    SyntaxTree result = pick(loops).first;
    const auto dims = 1 + below(3);
    for (int64_t i = 0; i < dims; ++i) {
      const auto [loop, extent] = pick(loops);
      result = result * (chance(5) ? factor() : extent) + (chance(6) ? leaf() : loop);
      if (chance(4)) result = result + constant(below(20) - 8);
    }
    if (chance(3)) result = extent(result) + result * constant(-1);
    return result;
  }
  SyntaxTree extent(const SyntaxTree&) {
    return pick(loops).second * constant(pick<int64_t>({1, 4, 8})) + constant(-1);
  }
  SyntaxTree quotientAndRemainder(int depth) {
    const SyntaxTree x = tree(depth), n = factor();
    const SyntaxTree scale = chance(2) ? constant(pick<int64_t>({1, 1, 3, -1})) : pick(sizes);
    return apply(ExprKind::FloorDiv, {x, n}) * n * scale + apply(ExprKind::Mod, {x, n}) * scale;
  }

  std::mt19937_64& random_;
  std::map<std::string, Domain> domains;
  std::map<std::string, SyntaxTree> extents;
  std::vector<SyntaxTree> sizes;
  std::vector<std::pair<SyntaxTree, SyntaxTree>> loops;
};

std::vector<int64_t> inputsOf(const World& world, const Values& values) {
  std::vector<int64_t> inputs;
  for (const std::string& name : world.names) inputs.push_back(values.at(name));
  return inputs;
}

std::string describe(const Values& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format(" {}={}", name, value);
  return text;
}

void reach(const IndexArena& arena, IndexExpr e, std::map<IndexExpr, bool>& found) {
  if (!found.emplace(e, true).second) return;
  for (const IndexExpr operand : arena.operands(e)) reach(arena, operand, found);
}

bool within(const Range& range, int64_t value) {
  return (!range.lo || *range.lo <= value) && (!range.hi || value <= *range.hi);
}

/// One random expression, and what must hold at `draws` random values. Returns how many values were tried.
int checkOne(World& world, int draws) {
  IndexArena& arena = world.arena;
  const SyntaxTree tree = world.chance(4) ? world.condition(2) : world.tree(1 + static_cast<int>(world.below(4)));
  const SyntaxTree other = world.tree(2);
  const IndexExpr e = world.build(tree), o = world.build(other);
  SCOPED_TRACE(fmt::format("{}\n  is built as {}\nwith\n{}", printSyntax(tree), arena.text(e), world.describe()));

  std::map<IndexExpr, bool> parts;
  reach(arena, e, parts);
  std::vector<IndexExpr> all;
  for (const auto& [part, unused] : parts) {
    all.push_back(part);
    const auto operands = arena.operands(part);
    if (!operands.empty()) {
      const std::vector<IndexExpr> copy(operands.begin(), operands.end());
      EXPECT_EQ(world.rebuild(arena.kind(part), copy), part) << "not idempotent: " << arena.text(part);
    }
  }
  EXPECT_EQ(arena.parse(arena.text(e)), e) << "the text reads as " << arena.text(arena.parse(arena.text(e)));

  const bool less = arena.provedLess(e, o), lessEqual = arena.provedLessEqual(e, o), equal = arena.provedEqual(e, o);
  const IndexExpr x = *arena.findSymbol("x"), z = *arena.findSymbol("z");
  const auto linear = arena.linearIn(e, x);
  const std::vector<std::pair<IndexExpr, IndexExpr>> replacement{{z, o}};
  const IndexExpr substituted = arena.substitute(e, replacement);
  if (linear) {
    EXPECT_FALSE(arena.dependsOn(linear->coefficient, x) || arena.dependsOn(linear->rest, x));
  }

  const FlatProgram program(arena, std::array{e, substituted}, world.names);
  const FlatProgram partsProgram(arena, all, world.names);
  int tried = 0;
  for (int i = 0; i < draws; ++i) {
    const auto values = world.draw({&tree, &other});
    if (!values) continue;
    try {
      const int64_t expected = evaluate(tree, *values), otherValue = evaluate(other, *values);
      SCOPED_TRACE(describe(*values));
      const std::vector<int64_t> inputs = inputsOf(world, *values);
      const std::vector<int64_t> actual = program.evaluate(inputs);
      ++tried;
      EXPECT_EQ(actual[0], expected);
      EXPECT_TRUE(within(arena.range(e), expected)) << arena.range(e).lo.value_or(INT64_MIN) << " ... "
                                                    << arena.range(e).hi.value_or(INT64_MAX) << " lacks " << expected;
      EXPECT_TRUE(arena.divisor(e) == 0 ? expected == 0 : expected % arena.divisor(e) == 0);
      EXPECT_TRUE(!less || expected < otherValue) << "proved less than " << arena.text(o);
      EXPECT_TRUE(!lessEqual || expected <= otherValue) << "proved at most " << arena.text(o);
      EXPECT_TRUE(!equal || expected == otherValue) << "proved equal to " << arena.text(o);
      EXPECT_TRUE(!arena.provedNonNegative(e) || expected >= 0);
      EXPECT_TRUE(!arena.provedPositive(e) || expected > 0);
      if (linear) {
        const FlatProgram pieces(arena, std::array{linear->coefficient, linear->rest}, world.names);
        const std::vector<int64_t> piece = pieces.evaluate(inputs);
        EXPECT_EQ(piece[0] * values->at("x") + piece[1], expected) << "linear form";
      }
      // Bounds of intermediates, for inputs around these values.
      std::vector<Range> ranges;
      for (const int64_t input : inputs) ranges.push_back({input - world.below(3), input + world.below(3)});
      const Range bounds = partsProgram.intermediateBounds(ranges);
      for (const int64_t value : partsProgram.evaluate(inputs)) EXPECT_TRUE(within(bounds, value));
      Values moved = *values;
      moved["z"] = otherValue;
      EXPECT_EQ(actual[1], evaluate(tree, moved)) << "z replaced by " << arena.text(o);
    } catch (const TooLarge&) {
      continue;
    }
  }
  return tried;
}

TEST(BruteForce, SimplifiedExpressionsHaveTheValueOfWhatWasWritten) {
  const char* wanted = std::getenv("BRAID_BRUTE_FORCE_SAMPLES");
  const char* seedText = std::getenv("BRAID_BRUTE_FORCE_SEED");
  const int64_t samples = wanted ? std::atoll(wanted) : 200000;
  uint64_t seed = seedText ? std::strtoull(seedText, nullptr, 10) : 1;
  for (int64_t tried = 0; tried < samples; ++seed) {
    std::mt19937_64 random(seed);
    World world(random);
    for (int i = 0; i < 20; ++i) {
      tried += checkOne(world, 12);
      if (::testing::Test::HasFailure()) {
        FAIL() << "BRAID_BRUTE_FORCE_SEED=" << seed << " reproduces this";
      }
    }
  }
}

}  // namespace
}  // namespace braid::index
