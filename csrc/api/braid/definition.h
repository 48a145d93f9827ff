#pragma once
// FusionDefinition: how a C++ program writes down a fusion. Op names are those of the text form.

#include <memory>
#include <string>
#include <vector>

#include <braid/error.h>
#include <braid/types.h>

namespace braid {

/// The operations. Each appends to the definition, infers dtype and shape at once, and records the line of the call;
/// mistakes throw Error there. Semantics are PyTorch eager's, op by op: half types compute in f32 and round once per
/// op, operands are promoted and broadcast as in PyTorch (an axis broadcasts when its extent is the constant 1).
class Ops {
 public:
  // Unary: one element in, one out.
  Tensor neg(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< -x
  Tensor abs(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< |x|
  Tensor exp(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor exp2(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor expm1(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< exp(x) - 1
  Tensor log(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor log2(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor log10(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor log1p(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< log(1 + x)
  Tensor sqrt(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor rsqrt(const Operand& x, SourceLoc loc = SourceLoc::here());       ///< 1 / sqrt(x)
  Tensor reciprocal(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< 1 / x
  Tensor sin(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor cos(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor tan(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor asin(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor acos(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor atan(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor sinh(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor cosh(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor tanh(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor erf(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor erfc(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor sigmoid(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< 1 / (1 + exp(-x))
  Tensor silu(const Operand& x, SourceLoc loc = SourceLoc::here());     ///< x * sigmoid(x)
  Tensor gelu(const Operand& x, SourceLoc loc = SourceLoc::here());     ///< x / 2 * (1 + erf(x / sqrt(2)))
  Tensor relu(const Operand& x, SourceLoc loc = SourceLoc::here());     ///< NaN passes
  Tensor floor(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor ceil(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor round(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< half to even
  Tensor trunc(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor isnan(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor isinf(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor isfinite(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor sign(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor logical_not(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor bitwise_not(const Operand& x, SourceLoc loc = SourceLoc::here());
  Tensor set(const Operand& x, SourceLoc loc = SourceLoc::here());  ///< a copy
  /// Converts as torch.Tensor.to does; floating to integer truncates and saturates, NaN gives 0.
  Tensor cast(const Tensor& x, DType dtype, SourceLoc loc = SourceLoc::here());

  // Binary.
  Tensor add(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor sub(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor mul(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor div(const Operand& a, const Operand& b,
             SourceLoc loc = SourceLoc::here());  ///< true division; integers give f32
  Tensor floordiv(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());  ///< rounds down
  Tensor mod(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());       ///< the divisor's sign
  Tensor fmod(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());      ///< the dividend's sign
  Tensor pow(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor atan2(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor maximum(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());  ///< NaN passes
  Tensor minimum(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());  ///< NaN passes
  Tensor eq(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor ne(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor lt(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor le(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor gt(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor ge(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor logical_and(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor logical_or(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor logical_xor(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor bitwise_and(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor bitwise_or(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor bitwise_xor(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor lshift(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor rshift(const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());

  // Ternary.
  /// condition ? a : b; the condition is a bool tensor. Numbers become elements.
  Tensor where(const Tensor& condition, const Operand& a, const Operand& b, SourceLoc loc = SourceLoc::here());
  Tensor clamp(const Operand& x, const Operand& min, const Operand& max, SourceLoc loc = SourceLoc::here());
  Tensor lerp(const Operand& a, const Operand& b, const Operand& weight, SourceLoc loc = SourceLoc::here());
  /// a + value * b * c, rounded once.
  Tensor addcmul(const Operand& a, const Operand& b, const Operand& c, const Operand& value = 1,
                 SourceLoc loc = SourceLoc::here());

  // Movement: which element is read, never its value. Every bit stays.
  /// Elements start, start + step, … below stop of each axis. Nothing clamps: out of range is an error, at once where
  /// the extents are known, else at execution. An empty `step` means ones.
  Tensor slice(const Tensor& x, const ExtentList& start, const ExtentList& stop, const ExtentList& step = {},
               SourceLoc loc = SourceLoc::here());
  /// Cuts or extends each axis. `widths` holds [lo, hi] pairs in elements, innermost axis first; negative values crop.
  /// Result extent: lo + n + hi. `value` is cast to x's dtype. Semantics: torch.nn.functional.pad, mode="constant".
  /// Throws Error(InvalidExtent) when an axis would become negative; for symbolic extents the check runs at execution.
  Tensor pad(const Tensor& x, const ExtentList& widths, const Scalar& value = 0, SourceLoc loc = SourceLoc::here());
  Tensor cat(const std::vector<Tensor>& tensors, int64_t dim, SourceLoc loc = SourceLoc::here());
  /// cat along a new axis.
  Tensor stack(const std::vector<Tensor>& tensors, int64_t dim, SourceLoc loc = SourceLoc::here());
  /// As many elements as before, in row-major order. One extent may be -1.
  Tensor reshape(const Tensor& x, const ExtentList& shape, SourceLoc loc = SourceLoc::here());
  /// Result axis i is axis dims[i] of x.
  Tensor permute(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc = SourceLoc::here());
  Tensor transpose(const Tensor& x, int64_t dim0, int64_t dim1, SourceLoc loc = SourceLoc::here());
  /// Axis i of x becomes axis dims[i] of the result; every other axis repeats x.
  Tensor broadcast_in_dim(const Tensor& x, const ExtentList& shape, const std::vector<int64_t>& dims,
                          SourceLoc loc = SourceLoc::here());
  /// Axes of extent 1 repeat; -1 keeps an axis; more entries than axes add leading ones.
  Tensor expand(const Tensor& x, const ExtentList& shape, SourceLoc loc = SourceLoc::here());
  Tensor squeeze(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc = SourceLoc::here());
  Tensor unsqueeze(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc = SourceLoc::here());
  Tensor flip(const Tensor& x, const std::vector<int64_t>& dims, SourceLoc loc = SourceLoc::here());
  Tensor roll(const Tensor& x, const ExtentList& shifts, const std::vector<int64_t>& dims,
              SourceLoc loc = SourceLoc::here());
  /// As torch.chunk: pieces of ceil(n / chunks), the last shorter; a symbolic n must be a multiple of `chunks`.
  std::vector<Tensor> chunk(const Tensor& x, int64_t chunks, int64_t dim, SourceLoc loc = SourceLoc::here());
  std::vector<Tensor> split(const Tensor& x, const ExtentList& sizes, int64_t dim, SourceLoc loc = SourceLoc::here());
  Tensor repeat(const Tensor& x, const ExtentList& repeats, SourceLoc loc = SourceLoc::here());
  Tensor repeat_interleave(const Tensor& x, const Extent& repeats, int64_t dim, SourceLoc loc = SourceLoc::here());

  // Creation.
  Tensor full(const ExtentList& shape, const Scalar& value, DType dtype, SourceLoc loc = SourceLoc::here());
  /// start + step * i for i in [0, extent).
  Tensor iota(const Extent& extent, const Scalar& start = 0, const Scalar& step = 1, DType dtype = DType::Int64,
              SourceLoc loc = SourceLoc::here());

 private:
  friend class FusionDefinition;
  explicit Ops(std::shared_ptr<detail::Definition> definition) : definition_(std::move(definition)) {}
  std::shared_ptr<detail::Definition> definition_;
};

/// One fusion in the making. Nothing global: several may be defined at once, in one thread or in many.
class FusionDefinition {
 public:
  explicit FusionDefinition(const std::string& name);

  /// A named size: one name is one size everywhere.
  Extent define_dim(const std::string& name);
  /// A tensor input. An extent of -1 is a size of its own. Throws Error(InvalidArgument) for a name already taken.
  Tensor define_tensor(const std::string& name, const ExtentList& shape, DType dtype,
                       const Strides& strides = Strides::contiguous(), SourceLoc loc = SourceLoc::here());
  /// The same with a name of the definition's choice.
  Tensor define_tensor(const ExtentList& shape, DType dtype, const Strides& strides = Strides::contiguous(),
                       SourceLoc loc = SourceLoc::here());
  /// A host parameter, passed by value.
  Tensor define_scalar(const std::string& name, DType dtype, SourceLoc loc = SourceLoc::here());
  /// Sizes that must be equal, checked at execution.
  void require_equal(const Extent& a, const Extent& b);

  /// Gives a value a name, for texts, errors and the generated code.
  Tensor name(const Tensor& tensor, const std::string& name);

  /// Without a layout the output is an alias where it is a view of an input, else a contiguous tensor.
  void add_output(const Tensor& tensor, const std::string& name = "", SourceLoc loc = SourceLoc::here());
  /// With one it is always computed, into that layout.
  void add_output(const Tensor& tensor, const std::string& name, const Strides& strides,
                  SourceLoc loc = SourceLoc::here());

  /// The finished, verified fusion.
  Fusion finish();

 private:
  std::shared_ptr<detail::Definition> definition_;

 public:
  Ops ops;
};

}  // namespace braid
