#pragma once
// The only way to make a Fusion. Definition mistakes throw braid::Error at the call that made them.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/fusion.h"

namespace braid::ir {

/// Appends inputs, expressions and outputs; infers result types. `add` takes basic ops only; sugar (transpose,
/// unsqueeze, stack, chunk, split, roll, repeat, repeat_interleave) is rewritten by ir/sugar.h.
class FusionBuilder {
 public:
  explicit FusionBuilder(std::string name);

  /// A tensor input. Extents of -1 become fresh symbols. Throws Error(InvalidArgument) for a name already taken.
  ValueId addInput(const std::string& name, DType dtype, Extents shape, Layout layout = {}, Location loc = {});
  ValueId addParameter(const std::string& name, DType dtype, Location loc = {});
  ValueId literal(Scalar value);

  /// Appends an expression and returns its result. An empty name becomes `slice_2` and the like, after the op. Inserts
  /// what the language leaves implicit: dtype promotion as explicit casts, broadcasting of missing axes and of axes of
  /// constant extent 1 as explicit broadcast_in_dim and expand; adds constraints where two extents must be equal or a
  /// bound must hold and cannot be proved. Resolves negative dims and one -1 in a reshape.
  ValueId add(Op op, std::vector<ValueId> operands, const std::string& name = "", Location loc = {});

  /// What the language leaves implicit. Like the name of an unnamed result, `name` makes way where the program gives
  /// the same name later.
  ValueId addImplicit(Op op, std::vector<ValueId> operands, const std::string& name, Location loc);

  /// `explicitLayout` is what the program wrote after the output, if anything.
  void addOutput(const std::string& name, ValueId value, const Layout* explicitLayout = nullptr, Location loc = {});
  /// Passes state the decision that was made at definition.
  void addOutput(Output output);
  void addConstraint(Constraint constraint);
  /// Renames a value (`fd.name("q_rot")`, or a name given in the text).
  void rename(ValueId value, const std::string& name);

  /// `name`, or with a number behind it where that is taken.
  std::string unusedName(const std::string& name) const;

  const Fusion& fusion() const { return fusion_; }
  /// The finished, verified fusion. Keeps only what the program defined; nothing is dropped.
  Fusion finish();

 private:
  std::string freshName(std::string_view op);
  void takeName(const std::string& name, const Location& loc);
  /// Turns each -1 into a symbol named after the axis.
  Extents withFreshSymbols(const std::string& name, Extents shape);
  ValueId append(Value value);

  Fusion fusion_;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> automatic_;    ///< those that the program did not give
  std::map<std::string, int, std::less<>> counts_;  ///< of unnamed results, by op
};

}  // namespace braid::ir
