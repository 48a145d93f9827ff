#pragma once
// What the parts of one kernel share while it is lowered: arguments and unique names.

#include <map>
#include <set>
#include <string>

#include "device_lower/kernel_ir.h"
#include "scheduler/task.h"

namespace braid::device_lower {

class KernelBuilder {
 public:
  KernelBuilder(const ir::Fusion& fusion, const scheduler::Facts& facts, const scheduler::KernelTask& task);

  index::IndexArena& arena() { return *kernel_.arena; }
  Kernel& kernel() { return kernel_; }

  TensorId input(ir::ValueId value);
  TensorId output(const scheduler::KernelOutput& output);
  ParameterId parameter(ir::ValueId value);
  RegisterId newRegister(const std::string& base, DType dtype, int lanes);
  /// An index symbol for a let, with the range and divisor that its value has.
  IndexExpr newSymbol(const std::string& base, IndexExpr value);
  /// Keeps a name from being given to a register or a let.
  void reserve(const std::string& name) { names_.insert(name); }

  /// Lists the symbols and divisors that the statements mention.
  void collectArguments();

 private:
  std::string uniqueName(const std::string& base);
  void addTensor(const std::string& name, DType dtype, bool isOutput, const std::vector<IndexExpr>& strides,
                 const ir::TensorView& tensor);

  const ir::Fusion& fusion_;
  const scheduler::Facts& facts_;
  Kernel kernel_;
  std::map<ir::ValueId, TensorId> inputs_;
  std::map<std::string, TensorId> outputs_;
  std::map<ir::ValueId, ParameterId> parameters_;
  std::map<std::string, int> nameCounts_;
  std::set<std::string> names_;
};

/// Every index expression of a statement, not those of the statements inside it.
std::vector<IndexExpr> indicesOf(const Statement& statement);
/// Replaces every index expression of a statement by rewrite(expression), not those of the statements inside it.
void rewriteIndices(Statement& statement, const std::function<IndexExpr(IndexExpr)>& rewrite);

}  // namespace braid::device_lower
