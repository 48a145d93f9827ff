#pragma once
// The values that programs are made of: extents, numbers, tensors of a definition, finished fusions.

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <braid/dtype.h>
#include <braid/source_loc.h>

namespace braid {

namespace detail {
struct ExtentNode;
struct FusionNode;
struct Definition;
}  // namespace detail

/// The size of an axis, or an integer attribute: a constant, or an expression over named sizes.
class Extent {
 public:
  template <std::integral Integer>
  Extent(Integer value) : constant_(static_cast<int64_t>(value)) {}  // NOLINT: an integer is an extent

  /// As in the text form: "T * 2 + 1".
  std::string text() const;

  friend Extent operator+(const Extent& a, const Extent& b);
  friend Extent operator-(const Extent& a, const Extent& b);
  friend Extent operator*(const Extent& a, const Extent& b);
  /// Rounds down.
  friend Extent operator/(const Extent& a, const Extent& b);
  /// The remainder of the division that rounds down.
  friend Extent operator%(const Extent& a, const Extent& b);

 private:
  friend struct detail::ExtentNode;
  explicit Extent(std::shared_ptr<const detail::ExtentNode> node) : node_(std::move(node)) {}
  int64_t constant_ = 0;
  std::shared_ptr<const detail::ExtentNode> node_;  // null for a constant
};

/// A list of extents: `{B, 16, T, 32}` or a vector.
class ExtentList {
 public:
  ExtentList() = default;
  ExtentList(std::initializer_list<Extent> values) : values_(values) {}
  ExtentList(std::vector<Extent> values) : values_(std::move(values)) {}                     // NOLINT
  ExtentList(const std::vector<int64_t>& values) : values_(values.begin(), values.end()) {}  // NOLINT
  const std::vector<Extent>& values() const { return values_; }

 private:
  std::vector<Extent> values_;
};

/// One stride of a layout, in elements: an extent (0 repeats the axis), or whatever the caller has.
class Stride {
 public:
  template <class Value>
  requires std::convertible_to<Value, Extent> Stride(const Value& value) : any_(false), value_(value) {}  // NOLINT
  static Stride any() { return Stride(); }

  bool isAny() const { return any_; }
  const Extent& value() const { return value_; }

 private:
  Stride() : any_(true), value_(0) {}
  bool any_;
  Extent value_;
};

/// The layout of an input or output: row-major without gaps, or one stride for each axis.
class Strides {
 public:
  static Strides contiguous() { return Strides(); }
  Strides(std::initializer_list<Stride> values) : contiguous_(false), values_(values) {}
  Strides(std::vector<Stride> values) : contiguous_(false), values_(std::move(values)) {}  // NOLINT

  bool isContiguous() const { return contiguous_; }
  const std::vector<Stride>& values() const { return values_; }

 private:
  Strides() : contiguous_(true) {}
  bool contiguous_;
  std::vector<Stride> values_;
};

/// A number, weakly typed as in PyTorch: it takes part in promotion by its category only.
class Scalar {
 public:
  enum class Kind : uint8_t { Bool, Int, Float };

  Scalar(bool value) : kind_(Kind::Bool), integer_(value ? 1 : 0) {}  // NOLINT
  template <std::integral Integer>
  Scalar(Integer value) : kind_(Kind::Int), integer_(static_cast<int64_t>(value)) {}  // NOLINT
  template <std::floating_point Real>
  Scalar(Real value) : kind_(Kind::Float), floating_(static_cast<double>(value)) {}  // NOLINT

  Kind kind() const { return kind_; }
  int64_t integer() const { return integer_; }
  double floating() const { return floating_; }

 private:
  Kind kind_;
  int64_t integer_ = 0;
  double floating_ = 0;
};

/// A value of a definition: a tensor, or a host parameter. Cheap to copy; keeps its definition alive.
class Tensor {
 public:
  std::string name() const;
  DType dtype() const;
  /// The extents of its axes; none for a host parameter.
  std::vector<Extent> shape() const;

 private:
  friend struct detail::Definition;
  Tensor(std::shared_ptr<detail::Definition> definition, uint32_t id) : definition_(std::move(definition)), id_(id) {}
  std::shared_ptr<detail::Definition> definition_;
  uint32_t id_;
};

/// An operand of a pointwise op, a tensor or a number, with the place where it was written.
class Operand {
 public:
  Operand(const Tensor& tensor, SourceLoc loc = SourceLoc::here())  // NOLINT
      : tensor_(std::make_shared<Tensor>(tensor)), number_(0), loc_(loc) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Operand(Number number, SourceLoc loc = SourceLoc::here())
      : number_(number), loc_(loc) {}                                                               // NOLINT
  Operand(const Scalar& number, SourceLoc loc = SourceLoc::here()) : number_(number), loc_(loc) {}  // NOLINT

  const Tensor* tensor() const { return tensor_.get(); }
  const Scalar& number() const { return number_; }
  SourceLoc loc() const { return loc_; }

 private:
  std::shared_ptr<Tensor> tensor_;
  Scalar number_;
  SourceLoc loc_;
};

Tensor operator+(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a, const Operand& b);
Tensor operator*(const Operand& a, const Operand& b);
Tensor operator/(const Operand& a, const Operand& b);
Tensor operator-(const Operand& a);

/// A finished program: a value. Copy, print, compare, store, hand to an Executor.
class Fusion {
 public:
  /// Reads the text form. Throws Error(Parse) with file, line, column and what was expected, or the error of the
  /// statement that is wrong.
  static Fusion parse(std::string_view text, std::string_view file = "<text>");

  std::string name() const;
  /// The text form: parses back to an equal fusion.
  std::string text() const;
  std::vector<std::string> inputNames() const;
  std::vector<std::string> outputNames() const;
  bool operator==(const Fusion& other) const;

 private:
  friend struct detail::FusionNode;
  explicit Fusion(std::shared_ptr<const detail::FusionNode> node) : node_(std::move(node)) {}
  std::shared_ptr<const detail::FusionNode> node_;
};

}  // namespace braid
