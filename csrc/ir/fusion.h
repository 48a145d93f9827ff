#pragma once
// A Fusion is a value: inputs, expressions in topological order, outputs. Ids are positions; a copy is a deep copy.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "braid/dtype.h"
#include "braid/source_loc.h"
#include "ir/op.h"

namespace braid::ir {

using ValueId = Id<struct ValueTag>;
using ExprId = Id<struct ExprTag>;

/// What an axis is: Broadcast axes repeat one element by construction (broadcast_in_dim, expand); a reshape, pad, cat
/// or slice result axis is Iteration unless it only passes a broadcast axis on.
enum class IterKind : uint8_t { Iteration, Broadcast, Reduction };

/// One axis of a TensorView.
struct IterDomain {
  Extent extent;
  IterKind kind = IterKind::Iteration;
  bool operator==(const IterDomain&) const = default;
};

/// A source location that owns its text, since a fusion outlives the program text it was parsed from.
struct Location {
  std::string file;
  uint32_t line = 0;
  /// "rope.cpp:41", or "" when unknown.
  std::string text() const;
};

/// One tensor value. Rank 0 is a tensor of one element.
struct TensorView {
  std::string name;  ///< unique in the fusion
  DType dtype = DType::Float32;
  std::vector<IterDomain> logical;
  Location loc;

  int64_t rank() const { return static_cast<int64_t>(logical.size()); }
  const Extent& extent(int64_t axis) const { return logical[static_cast<size_t>(axis)].extent; }
  Extents shape() const;
};

/// Values: tensors, host parameters (`s: f32`, passed by value) and number literals.
enum class ValueKind : uint8_t { Tensor, Parameter, Literal };

struct Value {
  ValueKind kind = ValueKind::Tensor;
  TensorView tensor;  ///< Tensor: all of it. Parameter: name, dtype, loc. Literal: nothing
  Scalar literal;     ///< Literal only
  ExprId definition;  ///< invalid for inputs, parameters and literals

  const std::string& name() const { return tensor.name; }
  DType dtype() const { return tensor.dtype; }
};

struct Expr {
  Op op;
  std::vector<ValueId> inputs;
  ValueId output;
  Location loc;
};

/// One stride of a declared layout, in elements: any, or an extent expression (0 repeats the axis).
struct StrideSpec {
  std::optional<Extent> value;  ///< nothing: `*`, whatever the caller has
  bool operator==(const StrideSpec&) const = default;
};

/// A declared layout; `contiguous` says row-major without gaps.
struct Layout {
  bool contiguous = true;
  std::vector<StrideSpec> strides;  ///< one for each axis when not contiguous
  bool operator==(const Layout&) const = default;
};

struct Input {
  ValueId value;
  Layout layout;  ///< contiguous for parameters
};

/// How an output reaches its caller.
enum class OutputKind : uint8_t { Alias, Computed };

struct Output {
  std::string name;
  ValueId value;
  /// Alias: the value is a view of an input for every stride that the input may have; no kernel writes it. Decided at
  /// definition (see docs/text_form.md); no pass changes it.
  OutputKind kind = OutputKind::Computed;
  Layout layout;                ///< of a computed output
  bool explicitLayout = false;  ///< the program wrote strides(...)
};

/// `where a == b`, `a % n == 0`, `a <= b` …: what the extents must satisfy, checked at run time.
struct Constraint {
  enum class Kind : uint8_t { Equal, LessEqual, Less };
  Kind kind;
  Extent a, b;
  /// For the error: "add: axis 2 of x (bf16[B, T]) and axis 2 of y". Not printed, not compared.
  std::string origin;
  /// Which side of an equality comes first does not matter.
  bool operator==(const Constraint& other) const {
    if (kind != other.kind) return false;
    return (a == other.a && b == other.b) || (kind == Kind::Equal && a == other.b && b == other.a);
  }
};

class Fusion {
 public:
  const std::string& name() const { return name_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<Output>& outputs() const { return outputs_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const std::vector<Value>& values() const { return values_; }
  /// In topological order: operands before users.
  const std::vector<Expr>& exprs() const { return exprs_; }

  const Value& value(ValueId id) const { return values_[id.value]; }
  const TensorView& tensor(ValueId id) const { return values_[id.value].tensor; }
  const Expr& expr(ExprId id) const { return exprs_[id.value]; }
  /// The expression that defines a value, or null for inputs, parameters and literals.
  const Expr* definition(ValueId id) const;
  /// The expressions that read a value, in order.
  std::vector<ExprId> uses(ValueId id) const;
  bool isInput(ValueId id) const;
  bool isOutput(ValueId id) const;
  std::optional<ValueId> find(std::string_view name) const;
  /// Every extent symbol in the fusion, in order of first appearance (inputs first).
  std::vector<std::string> symbols() const;

  /// Same program: names, ops, dtypes, extents, layouts, outputs, constraints. Locations do not count.
  bool operator==(const Fusion& other) const;

 private:
  friend class FusionBuilder;
  std::string name_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Constraint> constraints_;
  std::vector<Value> values_;
  std::vector<Expr> exprs_;
};

/// "x: bf16[B, 16, T, 32]" for messages.
std::string describe(const Fusion& fusion, ValueId id);
/// "[B, 16, T, 32]"
std::string describe(const Extents& shape);

}  // namespace braid::ir
