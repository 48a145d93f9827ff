#pragma once
// How a pass builds a new fusion from an old one, which it never changes.

#include <set>
#include <string>
#include <vector>

#include "ir/builder.h"

namespace braid::ir {

/// Walks the old fusion in order, copying by default:
///   Rewriter rw(old);
///   for (const Expr& e : old.exprs()) { if (match) rw.replace(e.output, rw.add(op, {rw.map(x)}, "x.pad")); else
///   rw.copy(e); } return rw.finish();
class Rewriter {
 public:
  explicit Rewriter(const Fusion& old);

  /// The new value that stands for an old one (inputs, parameters and literals are there from the start).
  ValueId map(ValueId old) const;
  /// Copies an expression with its operands mapped, keeping name and location.
  ValueId copy(const Expr& old);
  /// Appends an expression over *new* values. The result type must come out as inferred without any implicit cast or
  /// broadcast. The name is made unique.
  ValueId add(Op op, std::vector<ValueId> operands, const std::string& name, const Location& loc = {});
  ValueId literal(Scalar value);
  /// Later `map(old)` gives `replacement`; when `old` is an output, the output follows. A replacement that stands for a
  /// value whose name the user gave takes over that name.
  void replace(ValueId old, ValueId replacement);
  /// Name, kind and layout of an output from now on; its value stays. No pass changes these; it serves a caller who has
  /// a buffer of their own for what is a view.
  void deliver(size_t output, Output how);
  const Fusion& current() const { return builder_.fusion(); }

  /// Adds outputs and constraints, drops what no output needs (inputs stay), renumbers, verifies.
  Fusion finish();

 private:
  const Fusion& old_;
  FusionBuilder builder_;
  IdMap<ValueId, ValueId> map_;
  std::set<std::string> oldNames_;  ///< kept free for the values that are still to be copied
  std::vector<Output> outputs_;     ///< with old values
  std::set<ValueId> named_;         ///< new values that carry an old one's name
};

}  // namespace braid::ir
