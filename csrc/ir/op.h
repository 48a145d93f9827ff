#pragma once
// Every operation as a plain struct of attributes. Operands live in Expr, outside the variant.
//
// `kFields` is the whole reflection: printer, parser, equality and hash of attributes come from it. Adding an op is one
// struct, one word in the variant, and the exhaustive visits that the compiler then points at.

#include <cstdint>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "braid/dtype.h"
#include "index/extent.h"
#include "ir/op_table.h"

namespace braid::ir {

using index::Extent;
using Extents = std::vector<Extent>;

/// A number in the program text, weakly typed as in PyTorch: it takes part in promotion by its category only.
struct Scalar {
  enum class Kind : uint8_t { Bool, Int, Float };
  Kind kind = Kind::Int;
  int64_t integer = 0;  ///< Bool (0 or 1) and Int
  double floating = 0;  ///< Float; keeps -0.0, infinities and NaN payloads

  static Scalar boolean(bool value) { return {Kind::Bool, value ? 1 : 0, 0}; }
  static Scalar integral(int64_t value) { return {Kind::Int, value, 0}; }
  static Scalar real(double value) { return {Kind::Float, 0, value}; }
  bool operator==(const Scalar& other) const;  // bitwise for floats: -0.0 differs from 0.0, a NaN equals itself
};

template <class Struct, class Member>
struct Field {
  std::string_view name;
  Member Struct::*member;
};
template <class Struct, class Member>
Field(std::string_view, Member Struct::*) -> Field<Struct, Member>;

struct Unary {
  UnaryKind kind;
  bool operator==(const Unary&) const = default;
};
struct Binary {
  BinaryKind kind;
  bool operator==(const Binary&) const = default;
};
struct Ternary {
  TernaryKind kind;
  bool operator==(const Ternary&) const = default;
};

/// Converts element by element, as torch.Tensor.to does.
struct Cast {
  DType dtype;
  static constexpr std::string_view kName = "cast";
  static constexpr auto kFields = std::tuple{Field{"dtype", &Cast::dtype}};
  bool operator==(const Cast&) const = default;
};

/// Every axis is named; step >= 1 (empty means ones). Result extent: ceil((stop - start) / step).
struct Slice {
  Extents start, stop, step;
  static constexpr std::string_view kName = "slice";
  static constexpr auto kFields =
      std::tuple{Field{"start", &Slice::start}, Field{"stop", &Slice::stop}, Field{"step", &Slice::step}};
  bool operator==(const Slice&) const = default;
};

/// `widths` holds lo, hi for each axis, innermost axis first, missing outer axes 0; negative widths crop.
struct Pad {
  Extents widths;
  Scalar value;
  static constexpr std::string_view kName = "pad";
  static constexpr auto kFields = std::tuple{Field{"widths", &Pad::widths}, Field{"value", &Pad::value}};
  bool operator==(const Pad&) const = default;
};

/// Operands of one rank, equal extents but on `dim` (stored non-negative; text may count from the end).
struct Cat {
  int64_t dim;
  static constexpr std::string_view kName = "cat";
  static constexpr auto kFields = std::tuple{Field{"dim", &Cat::dim}};
  bool operator==(const Cat&) const = default;
};

/// Select by position: operands all have the result's shape; at position i of axis `dim` the result is the element of
/// operand k where bounds[k - 1] <= i < bounds[k] (bounds: one fewer than operands, ascending).
struct SelectAt {
  int64_t dim;
  Extents bounds;
  static constexpr std::string_view kName = "select_at";
  static constexpr auto kFields = std::tuple{Field{"dim", &SelectAt::dim}, Field{"bounds", &SelectAt::bounds}};
  bool operator==(const SelectAt&) const = default;
};

struct Reshape {
  Extents shape;
  static constexpr std::string_view kName = "reshape";
  static constexpr auto kFields = std::tuple{Field{"shape", &Reshape::shape}};
  bool operator==(const Reshape&) const = default;
};

/// Result axis i is operand axis dims[i].
struct Permute {
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "permute";
  static constexpr auto kFields = std::tuple{Field{"dims", &Permute::dims}};
  bool operator==(const Permute&) const = default;
};

/// Operand axis i becomes result axis dims[i] (ascending); every other result axis is new and repeats the operand.
/// An operand axis of constant extent 1 may also become an axis of any extent.
struct BroadcastInDim {
  Extents shape;
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "broadcast_in_dim";
  static constexpr auto kFields =
      std::tuple{Field{"shape", &BroadcastInDim::shape}, Field{"dims", &BroadcastInDim::dims}};
  bool operator==(const BroadcastInDim&) const = default;
};

/// Axes of constant extent 1 repeat to `shape`; the others keep their extent.
struct Expand {
  Extents shape;
  static constexpr std::string_view kName = "expand";
  static constexpr auto kFields = std::tuple{Field{"shape", &Expand::shape}};
  bool operator==(const Expand&) const = default;
};

/// Drops axes of extent 1.
struct Squeeze {
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "squeeze";
  static constexpr auto kFields = std::tuple{Field{"dims", &Squeeze::dims}};
  bool operator==(const Squeeze&) const = default;
};

struct Flip {
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "flip";
  static constexpr auto kFields = std::tuple{Field{"dims", &Flip::dims}};
  bool operator==(const Flip&) const = default;
};

struct Full {
  Extents shape;
  Scalar value;
  DType dtype;
  static constexpr std::string_view kName = "full";
  static constexpr auto kFields =
      std::tuple{Field{"shape", &Full::shape}, Field{"value", &Full::value}, Field{"dtype", &Full::dtype}};
  bool operator==(const Full&) const = default;
};

/// start + step * i for i in [0, extent), computed in i64 for integer dtypes and in f64 for floating ones, then
/// converted.
struct Iota {
  Extent extent;
  Scalar start, step;
  DType dtype;
  static constexpr std::string_view kName = "iota";
  static constexpr auto kFields = std::tuple{Field{"extent", &Iota::extent}, Field{"start", &Iota::start},
                                             Field{"step", &Iota::step}, Field{"dtype", &Iota::dtype}};
  bool operator==(const Iota&) const = default;
};

/// Known to the text form; no later room takes it yet.
struct Reduce {
  ReduceKind kind;
  std::vector<int64_t> dims;
  bool keepdim = false;
  bool operator==(const Reduce&) const = default;
};

using Op = std::variant<Unary, Binary, Ternary, Cast, Slice, Pad, Cat, SelectAt, Reshape, Permute, BroadcastInDim,
                        Expand, Squeeze, Flip, Full, Iota, Reduce>;

/// The name in the text form.
std::string_view nameOf(const Op& op);
/// True for ops that only decide which element is read: they keep every bit.
bool isMovement(const Op& op);
/// True for ops that compute each result element from the operands' elements at the same position.
bool isPointwise(const Op& op);

}  // namespace braid::ir
