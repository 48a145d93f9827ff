// Structural rules of a Kernel. The walk keeps one scope a block: what a loop or a guard defines is gone after it.

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "base/check.h"
#include "base/overloaded.h"
#include "device_lower/kernel_ir.h"

namespace braid::device_lower {
namespace {

using index::ExprKind;

bool isConditionKind(ExprKind kind) {
  switch (kind) {
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

size_t operandCount(const ScalarOp& op) {
  return std::visit(overloaded{
                        [](ir::UnaryKind) -> size_t { return 1; },
                        [](ir::BinaryKind) -> size_t { return 2; },
                        [](ir::TernaryKind kind) -> size_t { return kind == ir::TernaryKind::Addcmul ? 4 : 3; },
                        [](const CastOp&) -> size_t { return 1; },
                    },
                    op);
}

/// The rule of an op; none for casts, which take anything and give the register's dtype.
std::optional<ir::TypeRule> ruleOf(const ScalarOp& op) {
  return std::visit(overloaded{
                        [](ir::UnaryKind kind) { return std::optional(ir::kUnaryRules[static_cast<int>(kind)]); },
                        [](ir::BinaryKind kind) { return std::optional(ir::kBinaryRules[static_cast<int>(kind)]); },
                        [](ir::TernaryKind kind) { return std::optional(ir::kTernaryRules[static_cast<int>(kind)]); },
                        [](const CastOp&) -> std::optional<ir::TypeRule> { return std::nullopt; },
                    },
                    op);
}

/// Operands are promoted before they reach a kernel, so rule Float sees floating dtypes only.
bool ruleAccepts(ir::TypeRule rule, DType type) {
  switch (rule) {
    case ir::TypeRule::Same:
      return type != DType::Bool;
    case ir::TypeRule::SameOrBool:
    case ir::TypeRule::Predicate:
      return true;
    case ir::TypeRule::Float:
    case ir::TypeRule::FloatOnly:
      return isFloating(type);
    case ir::TypeRule::BitPattern:
      return !isFloating(type);
    case ir::TypeRule::IntegerOnly:
      return isInteger(type);
  }
  return false;
}

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel) : kernel_(kernel) {}

  void run() {
    BRAID_CHECK(kernel_.arena != nullptr, "kernel {} has no arena", kernel_.name);
    BRAID_CHECK(kernel_.blockThreads >= 1 && kernel_.blockThreads <= 1024, "kernel {}: {} threads a block",
                kernel_.name, kernel_.blockThreads);
    lanesDefined_.assign(kernel_.registers.size(), {});
    checkDeclarations();
    for (const Part& part : kernel_.parts) checkPart(part);
  }

 private:
  struct Scope {
    std::vector<IndexExpr> integers, conditions;
    std::vector<std::pair<RegisterId, int>> lanes;
  };

  void checkDeclarations() {
    scopes_.emplace_back();
    std::set<std::string> names;
    for (const std::string& name : kernel_.symbols) {
      BRAID_CHECK(names.insert(name).second, "symbol {} is listed twice", name);
      // A symbol that the arena does not know cannot occur in an expression.
      if (const auto symbol = kernel_.arena->findSymbol(name)) scopes_.back().integers.push_back(*symbol);
    }
    names.clear();
    for (const Register& reg : kernel_.registers) {
      BRAID_CHECK(reg.lanes >= 1, "register {} has {} lanes", reg.name, reg.lanes);
      BRAID_CHECK(names.insert(reg.name).second, "two registers are named {}", reg.name);
    }
    for (const TensorParam& tensor : kernel_.tensors) {
      const auto alignment = static_cast<uint64_t>(tensor.alignmentBytes);
      BRAID_CHECK(std::has_single_bit(alignment) && alignment <= 16, "tensor {}: alignment of {} bytes", tensor.name,
                  alignment);
      if (tensor.spanElements.valid()) checkInteger(tensor.spanElements, "span of " + tensor.name);
      if (!tensor.axes) continue;
      const auto& [sizes, strides] = *tensor.axes;
      BRAID_CHECK(sizes.size() == strides.size(), "tensor {}: {} sizes, {} strides", tensor.name, sizes.size(),
                  strides.size());
      for (const IndexExpr size : sizes) checkInteger(size, "size of " + tensor.name);
      for (const IndexExpr stride : strides) checkInteger(stride, "stride of " + tensor.name);
    }
    std::set<IndexExpr> seen;
    for (const IndexExpr divisor : kernel_.divisors) {
      BRAID_CHECK(seen.insert(divisor).second, "divisor {} is listed twice", kernel_.arena->text(divisor));
      BRAID_CHECK(!kernel_.arena->asConstant(divisor), "divisor {} is a constant", kernel_.arena->text(divisor));
      checkInteger(divisor, "divisor");
    }
  }

  void checkPart(const Part& part) {
    checkInteger(part.threads, "threads of part " + part.name);
    scopes_.emplace_back();
    bind(part.thread, false);
    checkBody(part.body);
    leaveScope();
  }

  void checkBody(const std::vector<Statement>& body) {
    for (const Statement& statement : body) {
      std::visit([&](const auto& node) { check(node); }, statement.node);
    }
  }

  void leaveScope() {
    for (const auto& [id, lane] : scopes_.back().lanes) lanesDefined_[id.value].erase(lane);
    scopes_.pop_back();
  }

  void check(const LetIndex& let) {
    // 0 and 1 may stand for a condition, but what is named is a number: the position on an axis of one index, say.
    const bool condition = isCondition(let.value) && !kernel_.arena->asConstant(let.value);
    checkExpr(let.value, "value of " + nameOfSymbol(let.symbol));
    bind(let.symbol, condition);
  }

  void check(const Load& load) {
    const Register& reg = checkRegister(load.dst);
    const TensorParam& tensor = checkAccess(load.tensor, load.offset, load.width, load.predicate, reg.dtype);
    BRAID_CHECK(!tensor.isOutput, "load from output {}", tensor.name);
    BRAID_CHECK(load.firstLane >= 0 && load.firstLane + load.width <= reg.lanes,
                "load of lanes {} to {} of {}, which has {}", load.firstLane, load.firstLane + load.width - 1, reg.name,
                reg.lanes);
    for (int lane = load.firstLane; lane < load.firstLane + load.width; ++lane) define(load.dst, lane);
  }

  void check(const Compute& compute) {
    const Register& dst = checkRegister(compute.dst);
    BRAID_CHECK(compute.operands.size() == operandCount(compute.op), "{}: {} operands", dst.name,
                compute.operands.size());
    const bool isWhere = compute.op == ScalarOp(ir::TernaryKind::Where);
    if (const auto* cast = std::get_if<CastOp>(&compute.op)) {
      BRAID_CHECK(cast->from == compute.operandType, "{}: a cast from {} of {}", dst.name, nameOf(cast->from),
                  nameOf(compute.operandType));
    }
    if (const auto rule = ruleOf(compute.op)) {
      BRAID_CHECK(ruleAccepts(*rule, compute.operandType), "{}: the op does not take {}", dst.name,
                  nameOf(compute.operandType));
      const DType result = *rule == ir::TypeRule::Predicate ? DType::Bool : compute.operandType;
      BRAID_CHECK(dst.dtype == result, "{} is {}, its op gives {}", dst.name, nameOf(dst.dtype), nameOf(result));
    }
    for (size_t i = 0; i < compute.operands.size(); ++i) {
      const DType type = isWhere && i == 0 ? DType::Bool : compute.operandType;
      checkOperand(compute.operands[i], type, dst);
    }
    defineAll(compute.dst);
  }

  void check(const SelectLanes& select) {
    const Register& dst = checkRegister(select.dst);
    checkPerLane(select.conditions.size(), dst);
    for (const IndexExpr condition : select.conditions) checkCondition(condition, "condition of " + dst.name);
    checkOperand(select.whenTrue, dst.dtype, dst);
    checkOperand(select.whenFalse, dst.dtype, dst);
    defineAll(select.dst);
  }

  void check(const FromIndex& from) {
    const Register& dst = checkRegister(from.dst);
    checkPerLane(from.positions.size(), dst);
    for (const IndexExpr position : from.positions) checkInteger(position, "position of " + dst.name);
    defineAll(from.dst);
  }

  void check(const Fill& fill) {
    const Register& dst = checkRegister(fill.dst);
    BRAID_CHECK(!std::holds_alternative<RegisterId>(fill.value), "{}: a fill takes a number or a parameter", dst.name);
    checkOperand(fill.value, dst.dtype, dst);
    defineAll(fill.dst);
  }

  void check(const Store& store) {
    const Register& src = checkRegister(store.src);
    const TensorParam& tensor = checkAccess(store.tensor, store.offset, store.width, store.predicate, src.dtype);
    BRAID_CHECK(tensor.isOutput, "store to input {}", tensor.name);
    if (src.lanes == 1) {
      BRAID_CHECK(store.firstLane == 0, "store of lane {} of {}, which has one", store.firstLane, src.name);
      checkDefined(store.src, 0);
      return;
    }
    BRAID_CHECK(store.firstLane >= 0 && store.firstLane + store.width <= src.lanes,
                "store of lanes {} to {} of {}, which has {}", store.firstLane, store.firstLane + store.width - 1,
                src.name, src.lanes);
    for (int lane = store.firstLane; lane < store.firstLane + store.width; ++lane) checkDefined(store.src, lane);
  }

  void check(const Loop& loop) {
    checkInteger(loop.extent, "extent of loop " + nameOfSymbol(loop.variable));
    scopes_.emplace_back();
    bind(loop.variable, false);
    checkBody(loop.body);
    leaveScope();
  }

  void check(const Guard& guard) {
    checkCondition(guard.condition, "guard");
    scopes_.emplace_back();
    checkBody(guard.body);
    leaveScope();
  }

  const Register& checkRegister(RegisterId id) const {
    BRAID_CHECK(id.value < kernel_.registers.size(), "register {} of {}", id.value, kernel_.registers.size());
    return kernel_.reg(id);
  }

  const TensorParam& checkAccess(TensorId id, IndexExpr offset, int width, IndexExpr predicate, DType dtype) {
    BRAID_CHECK(id.value < kernel_.tensors.size(), "tensor {} of {}", id.value, kernel_.tensors.size());
    const TensorParam& tensor = kernel_.tensor(id);
    const int64_t bytes = width * tensor.elementBytes();
    BRAID_CHECK(width >= 1 && std::has_single_bit(static_cast<uint64_t>(bytes)) && bytes <= 16,
                "access to {} of {} elements, {} bytes", tensor.name, width, bytes);
    BRAID_CHECK(bytes == tensor.elementBytes() || bytes <= tensor.alignmentBytes,
                "access to {} of {} bytes, aligned to {}", tensor.name, bytes, tensor.alignmentBytes);
    BRAID_CHECK(dtype == tensor.dtype, "access to {}, which is {}, with a register of {}", tensor.name,
                nameOf(tensor.dtype), nameOf(dtype));
    checkInteger(offset, "offset into " + tensor.name);
    if (predicate.valid()) checkCondition(predicate, "predicate of an access to " + tensor.name);
    return tensor;
  }

  void checkOperand(const Operand& operand, DType type, const Register& dst) const {
    std::visit(overloaded{
                   [&](RegisterId id) {
                     const Register& reg = checkRegister(id);
                     BRAID_CHECK(reg.dtype == type, "{} reads {} as {}, it is {}", dst.name, reg.name, nameOf(type),
                                 nameOf(reg.dtype));
                     BRAID_CHECK(reg.lanes == 1 || reg.lanes == dst.lanes, "{} has {} lanes, its operand {} has {}",
                                 dst.name, dst.lanes, reg.name, reg.lanes);
                     for (int lane = 0; lane < reg.lanes; ++lane) checkDefined(id, lane);
                   },
                   [&](ParameterId id) {
                     BRAID_CHECK(id.value < kernel_.parameters.size(), "parameter {} of {}", id.value,
                                 kernel_.parameters.size());
                   },
                   [](const ir::Scalar&) {},
               },
               operand);
  }

  static void checkPerLane(size_t count, const Register& dst) {
    BRAID_CHECK(count == 1 || count == static_cast<size_t>(dst.lanes), "{} has {} lanes and {} conditions or positions",
                dst.name, dst.lanes, count);
  }

  void checkInteger(IndexExpr e, const std::string& what) const {
    checkExpr(e, what);
    BRAID_CHECK(!isCondition(e) || kernel_.arena->asConstant(e), "{} is a condition: {}", what, kernel_.arena->text(e));
  }

  void checkCondition(IndexExpr e, const std::string& what) const {
    checkExpr(e, what);
    BRAID_CHECK(isCondition(e), "{} is no condition: {}", what, kernel_.arena->text(e));
  }

  bool isCondition(IndexExpr e) const {
    BRAID_CHECK(e.valid() && e.id < kernel_.arena->size(), "an expression is missing");
    if (isConditionKind(kernel_.arena->kind(e))) return true;
    if (const auto constant = kernel_.arena->asConstant(e)) return *constant == 0 || *constant == 1;
    return std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
      return std::find(scope.conditions.begin(), scope.conditions.end(), e) != scope.conditions.end();
    });
  }

  /// Every symbol is bound here, and every divisor that is no constant is listed.
  void checkExpr(IndexExpr e, const std::string& what) const {
    BRAID_CHECK(e.valid() && e.id < kernel_.arena->size(), "{} is missing", what);
    for (const IndexExpr symbol : kernel_.arena->symbolsOf(e)) {
      BRAID_CHECK(isBound(symbol), "{} mentions {}, which is not bound here: {}", what, nameOfSymbol(symbol),
                  kernel_.arena->text(e));
    }
    std::set<IndexExpr> seen;
    checkDivisors(e, what, seen);
  }

  void checkDivisors(IndexExpr e, const std::string& what, std::set<IndexExpr>& seen) const {
    if (!seen.insert(e).second) return;
    const ExprKind kind = kernel_.arena->kind(e);
    const auto operands = kernel_.arena->operands(e);
    if (kind == ExprKind::FloorDiv || kind == ExprKind::Mod) {
      const bool listed =
          std::find(kernel_.divisors.begin(), kernel_.divisors.end(), operands[1]) != kernel_.divisors.end();
      BRAID_CHECK(listed || kernel_.arena->asConstant(operands[1]), "{} divides by {}, which is not listed", what,
                  kernel_.arena->text(operands[1]));
    }
    for (const IndexExpr operand : operands) checkDivisors(operand, what, seen);
  }

  bool isBound(IndexExpr symbol) const {
    return std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& scope) {
      return std::find(scope.integers.begin(), scope.integers.end(), symbol) != scope.integers.end() ||
             std::find(scope.conditions.begin(), scope.conditions.end(), symbol) != scope.conditions.end();
    });
  }

  std::string nameOfSymbol(IndexExpr symbol) const {
    BRAID_CHECK(symbol.valid() && symbol.id < kernel_.arena->size() && kernel_.arena->kind(symbol) == ExprKind::Symbol,
                "a name must be a symbol");
    return kernel_.arena->symbolName(symbol);
  }

  void bind(IndexExpr symbol, bool condition) {
    const std::string name = nameOfSymbol(symbol);
    BRAID_CHECK(!isBound(symbol), "{} is bound twice", name);
    (condition ? scopes_.back().conditions : scopes_.back().integers).push_back(symbol);
  }

  void defineAll(RegisterId id) {
    for (int lane = 0; lane < kernel_.reg(id).lanes; ++lane) define(id, lane);
  }

  void define(RegisterId id, int lane) {
    BRAID_CHECK(lanesDefined_[id.value].insert(lane).second, "lane {} of {} is assigned twice", lane,
                kernel_.reg(id).name);
    scopes_.back().lanes.emplace_back(id, lane);
  }

  void checkDefined(RegisterId id, int lane) const {
    BRAID_CHECK(lanesDefined_[id.value].contains(lane), "lane {} of {} is read before it is written", lane,
                kernel_.reg(id).name);
  }

  const Kernel& kernel_;
  std::vector<Scope> scopes_;
  std::vector<std::set<int>> lanesDefined_;
};

}  // namespace

void verify(const Kernel& kernel) { Verifier(kernel).run(); }

}  // namespace braid::device_lower
