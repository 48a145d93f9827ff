#include "device_lower/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "scheduler/pull.h"

namespace braid::device_lower {

KernelBuilder::KernelBuilder(const ir::Fusion& fusion, const scheduler::Facts& facts, const scheduler::KernelTask& task)
    : fusion_(fusion), facts_(facts) {
  kernel_.name = task.name;
  kernel_.arena = std::make_shared<index::IndexArena>();
  scheduler::declareSymbols(fusion, facts, *kernel_.arena);
  for (const std::string& symbol : fusion.symbols()) reserve(symbol);
  for (const ir::Input& input : fusion.inputs()) reserve(fusion.value(input.value).name());
  for (const scheduler::KernelOutput& output : task.outputs) reserve(output.name);
  for (const ir::ValueId value : task.materialised) reserve(fusion.value(value).name());
}

TensorId KernelBuilder::input(ir::ValueId value) {
  if (const auto it = inputs_.find(value); it != inputs_.end()) return it->second;
  const TensorId id{static_cast<uint32_t>(kernel_.tensors.size())};
  const ir::TensorView& tensor = fusion_.tensor(value);
  addTensor(tensor.name, tensor.dtype, false, scheduler::stridesOf(fusion_, facts_, arena(), value), tensor);
  inputs_.emplace(value, id);
  return id;
}

TensorId KernelBuilder::output(const scheduler::KernelOutput& output) {
  if (const auto it = outputs_.find(output.name); it != outputs_.end()) return it->second;
  const TensorId id{static_cast<uint32_t>(kernel_.tensors.size())};
  const ir::TensorView& tensor = fusion_.tensor(output.value);
  addTensor(output.name, tensor.dtype, true, scheduler::outputStrides(arena(), facts_, fusion_, output), tensor);
  outputs_.emplace(output.name, id);
  return id;
}

ParameterId KernelBuilder::parameter(ir::ValueId value) {
  if (const auto it = parameters_.find(value); it != parameters_.end()) return it->second;
  const ParameterId id{static_cast<uint32_t>(kernel_.parameters.size())};
  kernel_.parameters.push_back({fusion_.value(value).name(), fusion_.value(value).dtype()});
  parameters_.emplace(value, id);
  return id;
}

RegisterId KernelBuilder::newRegister(const std::string& base, DType dtype, int lanes) {
  kernel_.registers.push_back({uniqueName(base), dtype, lanes});
  return RegisterId{static_cast<uint32_t>(kernel_.registers.size() - 1)};
}

IndexExpr KernelBuilder::newSymbol(const std::string& base, IndexExpr value) {
  index::SymbolFacts facts;
  facts.range = arena().range(value);
  facts.divisor = std::max<int64_t>(1, arena().divisor(value));
  return arena().symbol(uniqueName(base), facts);
}

std::string KernelBuilder::uniqueName(const std::string& base) {
  std::string name = base;
  while (!names_.insert(name).second) name = fmt::format("{}_{}", base, ++nameCounts_[base]);
  return name;
}

void KernelBuilder::addTensor(const std::string& name, DType dtype, bool isOutput,
                              const std::vector<IndexExpr>& strides, const ir::TensorView& tensor) {
  index::IndexArena& a = arena();
  IndexExpr span = a.constant(1);
  IndexExpr elements = a.constant(1);
  for (size_t i = 0; i < strides.size(); ++i) {
    const IndexExpr extent = scheduler::importExtent(a, facts_, tensor.logical[i].extent);
    span = a.add(span, a.mul(a.sub(extent, 1), strides[i]));
    elements = a.mul(elements, extent);
  }
  // An empty tensor has no element at all, whatever its strides say.
  if (a.isConstant(elements, 0)) span = elements;
  TensorParam param;
  param.name = name;
  param.dtype = dtype;
  param.isOutput = isOutput;
  param.alignmentBytes = scheduler::alignmentOf(facts_, name);
  param.spanElements = span;
  if (isOutput) param.axes.emplace();
  for (size_t i = 0; isOutput && i < strides.size(); ++i) {
    const IndexExpr extent = scheduler::importExtent(a, facts_, tensor.logical[i].extent);
    if (a.isConstant(extent, 1)) continue;
    param.axes->sizes.push_back(extent);
    param.axes->strides.push_back(strides[i]);
  }
  kernel_.tensors.push_back(std::move(param));
}

void KernelBuilder::collectArguments() {
  index::IndexArena& a = arena();
  std::set<IndexExpr> seen;
  std::set<std::string> mentioned;
  const auto visit = [&](const auto& self, IndexExpr e) -> void {
    if (!e.valid() || !seen.insert(e).second) return;
    const index::ExprKind kind = a.kind(e);
    if (kind == index::ExprKind::Symbol) mentioned.insert(a.symbolName(e));
    for (const IndexExpr operand : a.operands(e)) self(self, operand);
    if (kind != index::ExprKind::FloorDiv && kind != index::ExprKind::Mod) return;
    const IndexExpr divisor = a.operands(e)[1];
    if (a.asConstant(divisor)) return;
    if (std::find(kernel_.divisors.begin(), kernel_.divisors.end(), divisor) == kernel_.divisors.end()) {
      kernel_.divisors.push_back(divisor);
    }
  };
  for (const TensorParam& tensor : kernel_.tensors) {
    visit(visit, tensor.spanElements);
    if (!tensor.axes) continue;
    for (const IndexExpr size : tensor.axes->sizes) visit(visit, size);
    for (const IndexExpr stride : tensor.axes->strides) visit(visit, stride);
  }
  for (const Part& part : kernel_.parts) {
    visit(visit, part.threads);
    forEachStatement(part.body, [&](const Statement& statement) {
      for (const IndexExpr e : indicesOf(statement)) visit(visit, e);
    });
  }
  const auto take = [&](const std::string& symbol) {
    if (mentioned.erase(symbol) != 0) kernel_.symbols.push_back(symbol);
  };
  for (const std::string& symbol : fusion_.symbols()) take(symbol);
  // Strides that the caller decides are no symbols of the text.
  for (const TensorParam& tensor : kernel_.tensors) {
    for (int axis = 0; axis < 64; ++axis) take(fmt::format("{}.stride{}", tensor.name, axis));
  }
}

void rewriteIndices(Statement& statement, const std::function<IndexExpr(IndexExpr)>& rewrite) {
  const auto replace = [&](IndexExpr& e) {
    if (e.valid()) e = rewrite(e);
  };
  std::visit(overloaded{
                 [&](LetIndex& s) { replace(s.value); },
                 [&](Load& s) {
                   replace(s.offset);
                   replace(s.predicate);
                 },
                 [&](Compute&) {},
                 [&](SelectLanes& s) { std::for_each(s.conditions.begin(), s.conditions.end(), replace); },
                 [&](FromIndex& s) { std::for_each(s.positions.begin(), s.positions.end(), replace); },
                 [&](Fill&) {},
                 [&](Store& s) {
                   replace(s.offset);
                   replace(s.predicate);
                 },
                 [&](Loop& s) { replace(s.extent); },
                 [&](Guard& s) { replace(s.condition); },
             },
             statement.node);
}

std::vector<IndexExpr> indicesOf(const Statement& statement) {
  std::vector<IndexExpr> indices = std::visit(overloaded{
                                                  [](const LetIndex& s) { return std::vector{s.value}; },
                                                  [](const Load& s) {
                                                    return std::vector{s.offset, s.predicate};
                                                  },
                                                  [](const Compute&) { return std::vector<IndexExpr>{}; },
                                                  [](const SelectLanes& s) { return s.conditions; },
                                                  [](const FromIndex& s) { return s.positions; },
                                                  [](const Fill&) { return std::vector<IndexExpr>{}; },
                                                  [](const Store& s) {
                                                    return std::vector{s.offset, s.predicate};
                                                  },
                                                  [](const Loop& s) { return std::vector{s.extent}; },
                                                  [](const Guard& s) { return std::vector{s.condition}; },
                                              },
                                              statement.node);
  std::erase_if(indices, [](IndexExpr e) { return !e.valid(); });
  return indices;
}

}  // namespace braid::device_lower
