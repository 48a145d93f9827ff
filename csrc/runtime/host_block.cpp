#include "runtime/host_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/overloaded.h"
#include "braid/error.h"
#include "runtime/parameter_value.h"

namespace braid::runtime {

using namespace device_lower;

namespace {

bool isAnySet(const ThreadMask& mask) { return std::find(mask.begin(), mask.end(), uint8_t(1)) != mask.end(); }

}  // namespace

HostBlock::HostBlock(const HostProgram& program, const LaunchPlan& plan, std::vector<HostTensor>& tensors,
                     std::span<const ir::Scalar> parameters)
    : program_(program),
      kernel_(*program.kernel),
      tensors_(tensors),
      partThreads_(plan.partThreads),
      threads_(kernel_.blockThreads),
      index_(program.slots, threads_, plan.width) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    parameters_.push_back(roundedTo(parameters[i], kernel_.parameters[i].dtype));
  }
  for (size_t i = 0; i < plan.symbols.size(); ++i) {
    if (!index_.holds(plan.symbols[i])) {
      throw Error(ErrorCode::CheckFailed, fmt::format("{}: {} is {}, which 32 bits do not hold", kernel_.name,
                                                      kernel_.symbols[i], plan.symbols[i]));
    }
    index_.fill(program.symbols[i], plan.symbols[i]);
  }
  for (const auto& [slot, value] : program.constants) index_.fill(slot, value);
  for (const Register& source : kernel_.registers) {
    RegisterFile& file = registers_.emplace_back();
    file.lanes = source.lanes;
    file.elementBytes = bytesOf(source.dtype);
    file.data.resize(static_cast<size_t>(threads_ * source.lanes * file.elementBytes));
    file.defined.resize(static_cast<size_t>(threads_ * source.lanes));
  }
}

void HostBlock::run(size_t part, int64_t number, int64_t firstBlock) {
  const HostPart& prepared = program_.parts[part];
  part_ = part;
  block_ = firstBlock + number;
  for (RegisterFile& file : registers_) std::fill(file.defined.begin(), file.defined.end(), uint8_t(0));
  ThreadMask active(static_cast<size_t>(threads_));
  int64_t* thread = index_.of(prepared.thread);
  for (int t = 0; t < threads_; ++t) {
    thread[t] = number * threads_ + t;
    active[t] = thread[t] < partThreads_[part];
  }
  runBody(prepared.body, active);
}

void HostBlock::runBody(const std::vector<HostStatement>& body, const ThreadMask& active) {
  for (const HostStatement& statement : body) {
    runSteps(statement, active);
    std::visit([&](const auto& node) { runNode(statement, node, active); }, statement.source->node);
  }
}

void HostBlock::runSteps(const HostStatement& statement, const ThreadMask& active) {
  for (const IndexStep& step : statement.steps) {
    const auto thread = index_.run(step, active);
    if (!thread) continue;
    fail(statement, *thread, "index arithmetic overflows the width of the launch");
  }
}

void HostBlock::runNode(const HostStatement& statement, const LetIndex& let, const ThreadMask& active) {
  // Whoever simplified expressions over the symbol relied on what it is declared to be.
  const index::SymbolFacts& facts = kernel_.arena->symbolFacts(let.symbol);
  const int64_t lo = facts.range.lo.value_or(INT64_MIN), hi = facts.range.hi.value_or(INT64_MAX);
  const int64_t divisor = std::max<int64_t>(1, facts.divisor);
  const int64_t* value = index_.of(statement.slots[0]);
  const int64_t* upper = statement.slots.size() > 1 ? index_.of(statement.slots[1]) : nullptr;
  for (int t = 0; t < threads_; ++t) {
    if (active[t] == 0) continue;
    const bool fits = value[t] >= lo && value[t] <= hi && (upper == nullptr || value[t] < upper[t]) &&
                      (divisor == 1 || value[t] % divisor == 0);
    if (fits) continue;
    fail(statement, t,
         fmt::format("{} is {}, against what is declared of it", kernel_.arena->symbolName(let.symbol), value[t]));
  }
}

void HostBlock::runNode(const HostStatement& statement, const Loop&, const ThreadMask& active) {
  int64_t* variable = index_.of(statement.slots[0]);
  const int64_t* extent = index_.of(statement.slots[1]);
  int64_t longest = 0;
  for (int t = 0; t < threads_; ++t) longest = active[t] != 0 ? std::max(longest, extent[t]) : longest;
  if (!index_.holds(longest)) fail(statement, 0, fmt::format("{} iterations overflow 32 bits", longest));
  ThreadMask inside(active.size());
  for (int64_t i = 0; i < longest; ++i) {
    for (int t = 0; t < threads_; ++t) inside[t] = active[t] != 0 && i < extent[t];
    std::fill_n(variable, threads_, i);
    for (const RegisterId id : statement.filledInside) {
      std::vector<uint8_t>& defined = registers_[id.value].defined;
      std::fill(defined.begin(), defined.end(), uint8_t(0));
    }
    runBody(statement.body, inside);
  }
}

void HostBlock::runNode(const HostStatement& statement, const Guard&, const ThreadMask& active) {
  const int64_t* condition = index_.of(statement.slots[0]);
  ThreadMask inside(active.size());
  for (int t = 0; t < threads_; ++t) inside[t] = active[t] != 0 && condition[t] != 0;
  if (isAnySet(inside)) runBody(statement.body, inside);
}

void HostBlock::checkDefined(const HostStatement& statement, RegisterId id, int firstLane, int lanes,
                             const ThreadMask& active) const {
  const RegisterFile& file = registers_[id.value];
  for (int lane = firstLane; lane < firstLane + lanes; ++lane) {
    const uint8_t* defined = file.defined.data() + static_cast<ptrdiff_t>(lane) * threads_;
    int missing = 0;
    for (int t = 0; t < threads_; ++t) missing |= active[t] & ~defined[t];
    if (missing == 0) continue;
    int thread = 0;
    while ((active[thread] & ~defined[thread]) == 0) ++thread;
    fail(statement, thread, fmt::format("lane {} of {} is read before it is written", lane, kernel_.reg(id).name));
  }
}

void HostBlock::define(RegisterId id, int firstLane, int lanes, const ThreadMask& active) {
  RegisterFile& file = registers_[id.value];
  for (int lane = firstLane; lane < firstLane + lanes; ++lane) {
    uint8_t* defined = file.defined.data() + static_cast<ptrdiff_t>(lane) * threads_;
    for (int t = 0; t < threads_; ++t) defined[t] |= active[t];
  }
}

void HostBlock::fail(const HostStatement& statement, int thread, const std::string& what) const {
  throw Error(ErrorCode::CheckFailed,
              fmt::format("{}: {}, in thread {} of block {} (part {}): {}", kernel_.name, what, thread, block_,
                          kernel_.parts[part_].name, device_lower::print(kernel_, *statement.source)));
}

}  // namespace braid::runtime
