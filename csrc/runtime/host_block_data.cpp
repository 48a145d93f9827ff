// The statements of HostBlock that touch registers and memory.

#include <fmt/format.h>

#include <cstring>

#include "base/check.h"
#include "base/overloaded.h"
#include "runtime/host_block.h"

namespace braid::runtime {

using namespace device_lower;

void HostBlock::checkAccess(const HostStatement& statement, const HostTensor& tensor, int64_t offset, int width,
                            int thread, const char* verb) const {
  const std::string& name = tensor.param->name;
  if (offset < 0 || offset + width > tensor.elements) {
    fail(statement, thread,
         fmt::format("{} elements {} to {} of {}, which has {}", verb, offset, offset + width - 1, name,
                     tensor.elements));
  }
  const int64_t bytes = width * tensor.param->elementBytes();
  const std::byte* address = tensor.data + offset * tensor.param->elementBytes();
  if (reinterpret_cast<uintptr_t>(address) % static_cast<uintptr_t>(bytes) == 0) return;
  fail(statement, thread,
       fmt::format("{} {} bytes from element {} of {} on, at an address that is no multiple of {}", verb, bytes, offset,
                   name, bytes));
}

namespace {

/// Calls visit with the size as a constant, so that copies of it are single moves.
template <class Visit>
void withElementBytes(int64_t bytes, const Visit& visit) {
  switch (bytes) {
    case 1:
      return visit(std::integral_constant<int64_t, 1>{});
    case 2:
      return visit(std::integral_constant<int64_t, 2>{});
    case 4:
      return visit(std::integral_constant<int64_t, 4>{});
    case 8:
      return visit(std::integral_constant<int64_t, 8>{});
    default:
      BRAID_CHECK(false, "an access of {} bytes", bytes);
  }
}

/// The same for an access of several elements.
template <class Visit>
void withAccessBytes(int64_t bytes, const Visit& visit) {
  if (bytes == 16) return visit(std::integral_constant<int64_t, 16>{});
  withElementBytes(bytes, visit);
}

}  // namespace

template <int64_t Bytes>
void HostBlock::loadAll(const HostStatement& statement, const Load& load, const ThreadMask& active) {
  const HostTensor& tensor = tensors_[load.tensor.value];
  RegisterFile& file = registers_[load.dst.value];
  const int64_t* offset = index_.of(statement.slots[0]);
  const int64_t* predicate = statement.slots.size() > 1 ? index_.of(statement.slots[1]) : nullptr;
  std::byte* target = file.data.data() + load.firstLane * file.elementBytes;
  const int64_t stride = file.lanes * file.elementBytes;
  for (int t = 0; t < threads_; ++t, target += stride) {
    if (active[t] == 0) continue;
    if (predicate != nullptr && predicate[t] == 0) {
      std::memset(target, 0, Bytes);
      continue;
    }
    checkAccess(statement, tensor, offset[t], load.width, t, "reads");
    std::memcpy(target, tensor.data + offset[t] * file.elementBytes, Bytes);
  }
}

void HostBlock::runNode(const HostStatement& statement, const Load& load, const ThreadMask& active) {
  withAccessBytes(load.width * registers_[load.dst.value].elementBytes,
                  [&](auto bytes) { loadAll<bytes>(statement, load, active); });
  define(load.dst, load.firstLane, load.width, active);
}

template <int64_t Bytes>
void HostBlock::storeAll(const HostStatement& statement, const Store& store, const ThreadMask& active) {
  HostTensor& tensor = tensors_[store.tensor.value];
  const RegisterFile& file = registers_[store.src.value];
  const int64_t* offset = index_.of(statement.slots[0]);
  const int64_t* predicate = statement.slots.size() > 1 ? index_.of(statement.slots[1]) : nullptr;
  const bool repeats = file.lanes == 1;
  const std::byte* source = file.data.data() + store.firstLane * file.elementBytes;
  const int64_t stride = file.lanes * file.elementBytes;
  for (int t = 0; t < threads_; ++t, source += stride) {
    if (active[t] == 0 || (predicate != nullptr && predicate[t] == 0)) continue;
    checkAccess(statement, tensor, offset[t], store.width, t, "writes");
    uint8_t* written = tensor.written.data() + offset[t];
    for (int lane = 0; lane < store.width; ++lane) {
      if (written[lane] != 0) {
        fail(statement, t,
             fmt::format("writes element {} of {}, which was written before", offset[t] + lane, tensor.param->name));
      }
      written[lane] = 1;
    }
    std::byte* target = tensor.data + offset[t] * file.elementBytes;
    if (!repeats) {
      std::memcpy(target, source, Bytes);
      continue;
    }
    for (int lane = 0; lane < store.width; ++lane) {
      std::memcpy(target + lane * file.elementBytes, source, static_cast<size_t>(file.elementBytes));
    }
  }
}

void HostBlock::runNode(const HostStatement& statement, const Store& store, const ThreadMask& active) {
  const RegisterFile& file = registers_[store.src.value];
  ThreadMask reading = active;
  if (statement.slots.size() > 1) {
    const int64_t* predicate = index_.of(statement.slots[1]);
    for (int t = 0; t < threads_; ++t) reading[t] = active[t] != 0 && predicate[t] != 0;
  }
  checkDefined(statement, store.src, store.firstLane, file.lanes == 1 ? 1 : store.width, reading);
  withAccessBytes(store.width * file.elementBytes, [&](auto bytes) { storeAll<bytes>(statement, store, active); });
}

ir::Scalar HostBlock::numberOf(const Operand& operand) const {
  const auto* parameter = std::get_if<ParameterId>(&operand);
  return parameter != nullptr ? parameters_[parameter->value] : std::get<ir::Scalar>(operand);
}

evaluator::ScalarOperand HostBlock::scalarOperand(const HostStatement& statement, const Operand& operand, int lanes,
                                                  size_t scratch, const ThreadMask& active) {
  evaluator::ScalarOperand result;
  const auto* id = std::get_if<RegisterId>(&operand);
  if (id == nullptr) {
    result.number = numberOf(operand);
    return result;
  }
  const RegisterFile& file = registers_[id->value];
  checkDefined(statement, *id, 0, file.lanes, active);
  result.data = file.data.data();
  if (file.lanes == lanes) return result;
  // One lane stands for all.
  std::vector<std::byte>& wide = scratch_[scratch];
  wide.resize(static_cast<size_t>(threads_ * lanes * file.elementBytes));
  withElementBytes(file.elementBytes, [&](auto bytes) {
    for (int64_t i = 0; i < int64_t(threads_) * lanes; ++i) {
      std::memcpy(wide.data() + i * bytes, file.data.data() + i / lanes * bytes, bytes);
    }
  });
  result.data = wide.data();
  return result;
}

void HostBlock::runNode(const HostStatement& statement, const Compute& compute, const ThreadMask& active) {
  RegisterFile& dst = registers_[compute.dst.value];
  std::vector<evaluator::ScalarOperand> operands;
  for (size_t i = 0; i < compute.operands.size(); ++i) {
    operands.push_back(scalarOperand(statement, compute.operands[i], dst.lanes, i, active));
  }
  std::byte* result = dst.data.data();
  const int64_t count = int64_t(threads_) * dst.lanes;
  std::visit(
      overloaded{
          [&](ir::UnaryKind kind) { evaluator::applyUnary(kind, compute.operandType, operands[0], result, count); },
          [&](ir::BinaryKind kind) {
            evaluator::applyBinary(kind, compute.operandType, operands[0], operands[1], result, count);
          },
          [&](ir::TernaryKind kind) { evaluator::applyTernary(kind, compute.operandType, operands, result, count); },
          [&](const CastOp& cast) {
            evaluator::applyCast(cast.from, kernel_.reg(compute.dst).dtype, operands[0], result, count);
          },
      },
      compute.op);
  define(compute.dst, 0, dst.lanes, active);
}

HostBlock::Elements HostBlock::elements(const HostStatement& statement, const Operand& operand, DType dtype,
                                        size_t scratch, const ThreadMask& active) {
  if (const auto* id = std::get_if<RegisterId>(&operand)) {
    const RegisterFile& file = registers_[id->value];
    checkDefined(statement, *id, 0, file.lanes, active);
    return {file.data.data(), file.lanes * file.elementBytes, file.lanes == 1 ? 0 : file.elementBytes};
  }
  scratch_[scratch].resize(8);
  evaluator::storeScalar(numberOf(operand), dtype, scratch_[scratch].data());
  return {scratch_[scratch].data(), 0, 0};
}

void HostBlock::runNode(const HostStatement& statement, const SelectLanes& select, const ThreadMask& active) {
  RegisterFile& dst = registers_[select.dst.value];
  const DType dtype = kernel_.reg(select.dst).dtype;
  const Elements whenTrue = elements(statement, select.whenTrue, dtype, 0, active);
  const Elements whenFalse = elements(statement, select.whenFalse, dtype, 1, active);
  withElementBytes(dst.elementBytes, [&](auto bytes) {
    for (int lane = 0; lane < dst.lanes; ++lane) {
      const int64_t* condition = index_.of(statement.slots.size() == 1 ? statement.slots[0] : statement.slots[lane]);
      for (int64_t t = 0; t < threads_; ++t) {
        const Elements& from = condition[t] != 0 ? whenTrue : whenFalse;
        std::memcpy(dst.data.data() + (t * dst.lanes + lane) * bytes,
                    from.data + t * from.threadStride + lane * from.laneStride, bytes);
      }
    }
  });
  define(select.dst, 0, dst.lanes, active);
}

void HostBlock::runNode(const HostStatement& statement, const FromIndex& from, const ThreadMask& active) {
  RegisterFile& dst = registers_[from.dst.value];
  const DType dtype = kernel_.reg(from.dst).dtype;
  for (int lane = 0; lane < dst.lanes; ++lane) {
    const int64_t* position = index_.of(statement.slots.size() == 1 ? statement.slots[0] : statement.slots[lane]);
    for (int64_t t = 0; t < threads_; ++t) {
      evaluator::storeIota(from.start, from.step, dtype, position[t],
                           dst.data.data() + (t * dst.lanes + lane) * dst.elementBytes);
    }
  }
  define(from.dst, 0, dst.lanes, active);
}

void HostBlock::runNode(const HostStatement&, const Fill& fill, const ThreadMask& active) {
  RegisterFile& dst = registers_[fill.dst.value];
  std::byte element[8];
  evaluator::storeScalar(numberOf(fill.value), kernel_.reg(fill.dst).dtype, element);
  withElementBytes(dst.elementBytes, [&](auto bytes) {
    for (int64_t i = 0; i < int64_t(threads_) * dst.lanes; ++i)
      std::memcpy(dst.data.data() + i * bytes, element, bytes);
  });
  define(fill.dst, 0, dst.lanes, active);
}

}  // namespace braid::runtime
