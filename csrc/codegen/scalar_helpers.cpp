#include "codegen/scalar_helpers.h"

namespace braid::codegen {
namespace {

// Templates serve every type that an op takes; T is spelled where it is called, so a literal converts to it.
constexpr Helper kScalarHelpers[] = {
    // Floating types. `a != a` is a test for NaN.
    {"sigmoid", "", "template <class T> DEVICE T sigmoid(T a) { return T(1) / (T(1) + exp(-a)); }"},
    {"silu", "", "template <class T> DEVICE T silu(T a) { return a / (T(1) + exp(-a)); }"},
    {"gelu", "",
     "template <class T> DEVICE T gelu(T a) { return T(0.5) * a * (T(1) + erf(a * T(0.70710678118654752440))); }"},
    {"float_mod", "",
     "template <class T> DEVICE T float_mod(T a, T b) {\n"
     "  const T r = fmod(a, b);\n"
     "  return r != 0 && (b < 0) != (r < 0) ? r + b : r;\n"
     "}"},
    {"float_floor_div", "",
     "template <class T> DEVICE T float_floor_div(T a, T b) {\n"
     "  if (b == 0) return a / b;\n"
     "  const T r = fmod(a, b);\n"
     "  T q = (a - r) / b;\n"
     "  if (r != 0 && (b < 0) != (r < 0)) q -= T(1);\n"
     "  if (q == 0) return copysign(T(0), a / b);\n"
     "  const T f = floor(q);\n"
     "  return q - f > T(0.5) ? f + T(1) : f;\n"
     "}"},
    {"lerp", "",
     "template <class T> DEVICE T lerp(T a, T b, T w) {\n"
     "  return fabs(w) < T(0.5) ? a + w * (b - a) : b - (b - a) * (T(1) - w);\n"
     "}"},
    // The device's fmax and fmin take -0 for less than +0, and pass over a NaN.
    {"float_maximum", "",
     "template <class T> DEVICE T float_maximum(T a, T b) { return a != a || b != b ? a + b : fmax(a, b); }"},
    {"float_minimum", "",
     "template <class T> DEVICE T float_minimum(T a, T b) { return a != a || b != b ? a + b : fmin(a, b); }"},
    {"float_clamp", "float_minimum float_maximum",
     "template <class T> DEVICE T float_clamp(T a, T lo, T hi) { return float_minimum<T>(float_maximum<T>(a, lo), hi); "
     "}"},
    // Any type.
    {"relu", "", "template <class T> DEVICE T relu(T a) { return a <= 0 ? T(0) : a; }"},
    {"sign", "", "template <class T> DEVICE T sign(T a) { return T((a > 0) - (a < 0)); }"},
    // Integers. Arithmetic wraps; what C++ leaves undefined is fixed here.
    {"int_maximum", "", "template <class T> DEVICE T int_maximum(T a, T b) { return a > b ? a : b; }"},
    {"int_minimum", "", "template <class T> DEVICE T int_minimum(T a, T b) { return a < b ? a : b; }"},
    {"int_clamp", "int_minimum int_maximum",
     "template <class T> DEVICE T int_clamp(T a, T lo, T hi) { return int_minimum<T>(int_maximum<T>(a, lo), hi); }"},
    {"int_neg", "", "template <class T> DEVICE T int_neg(T a) { return (T)(0ULL - (unsigned long long)a); }"},
    {"int_abs", "int_neg", "template <class T> DEVICE T int_abs(T a) { return a < 0 ? int_neg<T>(a) : a; }"},
    {"int_floor_div", "int_neg",
     "template <class T> DEVICE T int_floor_div(T a, T b) {\n"
     "  if (b == 0) return (T)-1;\n"
     "  if (b == -1) return int_neg<T>(a);\n"
     "  const T q = (T)(a / b);\n"
     "  return a % b != 0 && (a < 0) != (b < 0) ? (T)(q - 1) : q;\n"
     "}"},
    {"int_mod", "",
     "template <class T> DEVICE T int_mod(T a, T b) {\n"
     "  if (b == 0) return a;\n"
     "  if (b == -1) return 0;\n"
     "  const T r = (T)(a % b);\n"
     "  return r != 0 && (b < 0) != (r < 0) ? (T)(r + b) : r;\n"
     "}"},
    {"int_fmod", "",
     "template <class T> DEVICE T int_fmod(T a, T b) { return b == 0 ? a : b == -1 ? T(0) : (T)(a % b); }"},
    {"int_pow", "",
     "template <class T> DEVICE T int_pow(T a, T b) {\n"
     "  if (b < 0) return a == 1 ? T(1) : a == -1 ? T(b & 1 ? -1 : 1) : T(0);\n"
     "  unsigned long long power = (unsigned long long)a, result = 1;\n"
     "  for (; b != 0; b = (T)(b >> 1), power *= power) {\n"
     "    if (b & 1) result *= power;\n"
     "  }\n"
     "  return (T)result;\n"
     "}"},
    {"int_lshift", "",
     "template <class T> DEVICE T int_lshift(T a, T b) {\n"
     "  return b < 0 || b >= (int)sizeof(T) * 8 ? T(0) : (T)((unsigned long long)a << b);\n"
     "}"},
    {"int_rshift", "",
     "template <class T> DEVICE T int_rshift(T a, T b) {\n"
     "  return b < 0 || b >= (int)sizeof(T) * 8 ? (T)(a < 0 ? -1 : 0) : (T)(a >> b);\n"
     "}"},
    // Floating to integer: truncates and saturates, NaN is 0.
    {"to_int", "",
     "DEVICE int to_int(float a) { return a != a ? 0 : __float2int_rz(a); }\n"
     "DEVICE int to_int(double a) { return a != a ? 0 : __double2int_rz(a); }"},
    {"to_int64", "",
     "DEVICE long long to_int64(float a) { return a != a ? 0 : __float2ll_rz(a); }\n"
     "DEVICE long long to_int64(double a) { return a != a ? 0 : __double2ll_rz(a); }"},
    {"saturate_int", "", "DEVICE int saturate_int(int n, int lo, int hi) { return n < lo ? lo : n > hi ? hi : n; }"},
};

}  // namespace

std::span<const Helper> scalarHelpers() { return kScalarHelpers; }

}  // namespace braid::codegen
