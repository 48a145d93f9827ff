#include "runtime/host_program.h"

#include "base/check.h"
#include "base/overloaded.h"

namespace braid::runtime {

using namespace device_lower;

namespace {

std::vector<RegisterId> filledBy(const std::vector<Statement>& body) {
  std::vector<RegisterId> filled;
  const auto fill = overloaded{
      [&](const Load& load) { filled.push_back(load.dst); },
      [&](const Compute& compute) { filled.push_back(compute.dst); },
      [&](const SelectLanes& select) { filled.push_back(select.dst); },
      [&](const FromIndex& from) { filled.push_back(from.dst); },
      [&](const Fill& each) { filled.push_back(each.dst); },
      [](const LetIndex&) {},
      [](const Store&) {},
      [](const Loop&) {},
      [](const Guard&) {},
  };
  forEachStatement(body, [&](const Statement& statement) { std::visit(fill, statement.node); });
  return filled;
}

class ProgramBuilder {
 public:
  explicit ProgramBuilder(const Kernel& kernel) : slots_(kernel) { program_.kernel = &kernel; }

  HostProgram run() {
    for (const Part& part : program_.kernel->parts) {
      slots_.enterScope();
      HostPart prepared{&part, slots_.newSlot(), {}};
      slots_.bind(part.thread, prepared.thread);
      prepared.body = body(part.body);
      slots_.leaveScope();
      program_.parts.push_back(std::move(prepared));
    }
    program_.slots = slots_.count();
    program_.symbols = slots_.symbols();
    program_.constants = slots_.constants();
    return std::move(program_);
  }

 private:
  std::vector<HostStatement> body(const std::vector<Statement>& statements) {
    std::vector<HostStatement> prepared;
    for (const Statement& statement : statements) {
      HostStatement& added = prepared.emplace_back();
      added.source = &statement;
      std::visit([&](const auto& node) { prepare(added, node); }, statement.node);
    }
    return prepared;
  }

  void need(HostStatement& statement, IndexExpr e) {
    if (e.valid()) statement.slots.push_back(slots_.slotOf(e, statement.steps));
  }

  void prepare(HostStatement& statement, const LetIndex& let) {
    need(statement, let.value);
    const auto& upper = program_.kernel->arena->symbolFacts(let.symbol).exclusiveUpper;
    if (upper && slots_.isBound(*upper)) need(statement, *upper);
    slots_.bind(let.symbol, statement.slots[0]);
  }
  /// Interpretation relies on these rules of Kernel IR for its own safety; the others it checks as it goes.
  void checkLanes(RegisterId id, int firstLane, int width) const {
    const Register& reg = program_.kernel->reg(id);
    BRAID_CHECK(firstLane >= 0 && width >= 1 && firstLane + width <= reg.lanes,
                "{} has {} lanes, accessed from {} to {}", reg.name, reg.lanes, firstLane, firstLane + width - 1);
  }
  void checkOperand(const Operand& operand, RegisterId dst) const {
    const auto* id = std::get_if<RegisterId>(&operand);
    if (id == nullptr) return;
    const Register& from = program_.kernel->reg(*id);
    const Register& to = program_.kernel->reg(dst);
    BRAID_CHECK(from.lanes == 1 || from.lanes == to.lanes, "{} has {} lanes, its operand {} has {}", to.name, to.lanes,
                from.name, from.lanes);
  }

  void prepare(HostStatement& statement, const Load& load) {
    checkLanes(load.dst, load.firstLane, load.width);
    need(statement, load.offset);
    need(statement, load.predicate);
  }
  void prepare(HostStatement& statement, const Store& store) {
    const Kernel& kernel = *program_.kernel;
    BRAID_CHECK(kernel.tensor(store.tensor).isOutput, "store to input {}", kernel.tensor(store.tensor).name);
    if (kernel.reg(store.src).lanes > 1) checkLanes(store.src, store.firstLane, store.width);
    need(statement, store.offset);
    need(statement, store.predicate);
  }
  void prepare(HostStatement&, const Compute& compute) {
    for (const Operand& operand : compute.operands) checkOperand(operand, compute.dst);
  }
  void prepare(HostStatement&, const Fill&) {}
  void prepare(HostStatement& statement, const SelectLanes& select) {
    checkOperand(select.whenTrue, select.dst);
    checkOperand(select.whenFalse, select.dst);
    for (const IndexExpr condition : select.conditions) need(statement, condition);
  }
  void prepare(HostStatement& statement, const FromIndex& from) {
    for (const IndexExpr position : from.positions) need(statement, position);
  }
  void prepare(HostStatement& statement, const Loop& loop) {
    statement.slots.push_back(slots_.newSlot());
    need(statement, loop.extent);
    slots_.enterScope();
    slots_.bind(loop.variable, statement.slots[0]);
    statement.body = body(loop.body);
    slots_.leaveScope();
    statement.filledInside = filledBy(loop.body);
  }
  void prepare(HostStatement& statement, const Guard& guard) {
    need(statement, guard.condition);
    slots_.enterScope();
    statement.body = body(guard.body);
    slots_.leaveScope();
  }

  IndexSlots slots_;
  HostProgram program_;
};

}  // namespace

HostProgram makeHostProgram(const Kernel& kernel) { return ProgramBuilder(kernel).run(); }

}  // namespace braid::runtime
