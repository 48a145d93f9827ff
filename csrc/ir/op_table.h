#pragma once
// The scalar operations, one row each: enumerator, name in the text form, rule for the result's dtype.

#include <cstdint>
#include <string_view>

namespace braid::ir {

/// How the dtype of a scalar operation's result follows from its (already promoted) operand dtype.
enum class TypeRule : uint8_t {
  Same,         ///< the operand's dtype; bool is refused
  SameOrBool,   ///< the operand's dtype, bool included
  Float,        ///< floating dtypes keep theirs, integers and bool compute in f32
  FloatOnly,    ///< integers and bool are refused
  Predicate,    ///< bool
  BitPattern,   ///< integers and bool only
  IntegerOnly,  ///< integers only
};

// clang-format off
#define BRAID_UNARY_OPS(X)                  \
  X(Neg, "neg", Same)                       \
  X(Abs, "abs", Same)                       \
  X(Exp, "exp", Float)                      \
  X(Exp2, "exp2", Float)                    \
  X(Expm1, "expm1", Float)                  \
  X(Log, "log", Float)                      \
  X(Log2, "log2", Float)                    \
  X(Log10, "log10", Float)                  \
  X(Log1p, "log1p", Float)                  \
  X(Sqrt, "sqrt", Float)                    \
  X(Rsqrt, "rsqrt", Float)                  \
  X(Reciprocal, "reciprocal", Float)        \
  X(Sin, "sin", Float)                      \
  X(Cos, "cos", Float)                      \
  X(Tan, "tan", Float)                      \
  X(Asin, "asin", Float)                    \
  X(Acos, "acos", Float)                    \
  X(Atan, "atan", Float)                    \
  X(Sinh, "sinh", Float)                    \
  X(Cosh, "cosh", Float)                    \
  X(Tanh, "tanh", Float)                    \
  X(Erf, "erf", Float)                      \
  X(Erfc, "erfc", Float)                    \
  X(Sigmoid, "sigmoid", Float)              \
  X(Silu, "silu", FloatOnly)                \
  X(Gelu, "gelu", FloatOnly)                \
  X(Relu, "relu", Same)                     \
  X(Floor, "floor", Same)                   \
  X(Ceil, "ceil", Same)                     \
  X(Round, "round", Same)                   \
  X(Trunc, "trunc", Same)                   \
  X(IsNan, "isnan", Predicate)              \
  X(IsInf, "isinf", Predicate)              \
  X(IsFinite, "isfinite", Predicate)        \
  X(Sign, "sign", SameOrBool)               \
  X(LogicalNot, "logical_not", Predicate)   \
  X(BitwiseNot, "bitwise_not", BitPattern)  \
  X(Set, "set", SameOrBool)

#define BRAID_BINARY_OPS(X)                     \
  X(Add, "add", SameOrBool)                     \
  X(Sub, "sub", Same)                           \
  X(Mul, "mul", SameOrBool)                     \
  X(Div, "div", Float)                          \
  X(FloorDiv, "floordiv", Same)                 \
  X(Mod, "mod", Same)                           \
  X(Fmod, "fmod", Same)                         \
  X(Pow, "pow", Same)                           \
  X(Atan2, "atan2", Float)                      \
  X(Maximum, "maximum", SameOrBool)             \
  X(Minimum, "minimum", SameOrBool)             \
  X(Eq, "eq", Predicate)                        \
  X(Ne, "ne", Predicate)                        \
  X(Lt, "lt", Predicate)                        \
  X(Le, "le", Predicate)                        \
  X(Gt, "gt", Predicate)                        \
  X(Ge, "ge", Predicate)                        \
  X(LogicalAnd, "logical_and", Predicate)       \
  X(LogicalOr, "logical_or", Predicate)         \
  X(LogicalXor, "logical_xor", Predicate)       \
  X(BitwiseAnd, "bitwise_and", BitPattern)      \
  X(BitwiseOr, "bitwise_or", BitPattern)        \
  X(BitwiseXor, "bitwise_xor", BitPattern)      \
  X(LShift, "lshift", IntegerOnly)              \
  X(RShift, "rshift", IntegerOnly)

// Operands: where(condition, a, b), clamp(x, min, max), lerp(a, b, weight), addcmul(a, b, c, value).
#define BRAID_TERNARY_OPS(X)         \
  X(Where, "where", SameOrBool)      \
  X(Clamp, "clamp", Same)            \
  X(Lerp, "lerp", FloatOnly)         \
  X(Addcmul, "addcmul", Same)

#define BRAID_REDUCE_OPS(X) \
  X(Sum, "sum")             \
  X(Mean, "mean")           \
  X(Prod, "prod")           \
  X(Max, "max")             \
  X(Min, "min")             \
  X(Amax, "amax")           \
  X(Amin, "amin")           \
  X(Any, "any")             \
  X(All, "all")
// clang-format on

#define BRAID_ENUMERATOR(name, text, ...) name,
enum class UnaryKind : uint8_t { BRAID_UNARY_OPS(BRAID_ENUMERATOR) };
enum class BinaryKind : uint8_t { BRAID_BINARY_OPS(BRAID_ENUMERATOR) };
enum class TernaryKind : uint8_t { BRAID_TERNARY_OPS(BRAID_ENUMERATOR) };
enum class ReduceKind : uint8_t { BRAID_REDUCE_OPS(BRAID_ENUMERATOR) };
#undef BRAID_ENUMERATOR

#define BRAID_TEXT(name, text, ...) text,
inline constexpr std::string_view kUnaryNames[] = {BRAID_UNARY_OPS(BRAID_TEXT)};
inline constexpr std::string_view kBinaryNames[] = {BRAID_BINARY_OPS(BRAID_TEXT)};
inline constexpr std::string_view kTernaryNames[] = {BRAID_TERNARY_OPS(BRAID_TEXT)};
inline constexpr std::string_view kReduceNames[] = {BRAID_REDUCE_OPS(BRAID_TEXT)};
#undef BRAID_TEXT

#define BRAID_RULE(name, text, rule) TypeRule::rule,
inline constexpr TypeRule kUnaryRules[] = {BRAID_UNARY_OPS(BRAID_RULE)};
inline constexpr TypeRule kBinaryRules[] = {BRAID_BINARY_OPS(BRAID_RULE)};
inline constexpr TypeRule kTernaryRules[] = {BRAID_TERNARY_OPS(BRAID_RULE)};
#undef BRAID_RULE

constexpr std::string_view nameOf(UnaryKind kind) { return kUnaryNames[static_cast<int>(kind)]; }
constexpr std::string_view nameOf(BinaryKind kind) { return kBinaryNames[static_cast<int>(kind)]; }
constexpr std::string_view nameOf(TernaryKind kind) { return kTernaryNames[static_cast<int>(kind)]; }
constexpr std::string_view nameOf(ReduceKind kind) { return kReduceNames[static_cast<int>(kind)]; }

}  // namespace braid::ir
