#include "codegen/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "codegen/preamble.h"

namespace braid::codegen {
namespace {

// Keywords and predefined names that a fusion might use for a value. Names with two leading underscores cannot occur:
// a leading underscore is cut.
constexpr std::string_view kReserved[] = {
    "alignas",  "alignof",   "and",           "and_eq",    "asm",          "auto",      "bitand",   "bitor",
    "bool",     "break",     "case",          "catch",     "char",         "class",     "compl",    "concept",
    "const",    "consteval", "constexpr",     "constinit", "const_cast",   "continue",  "co_await", "co_return",
    "co_yield", "decltype",  "default",       "delete",    "do",           "double",    "else",     "enum",
    "explicit", "export",    "extern",        "false",     "float",        "for",       "friend",   "goto",
    "if",       "inline",    "int",           "long",      "mutable",      "namespace", "new",      "noexcept",
    "not",      "not_eq",    "nullptr",       "operator",  "or",           "or_eq",     "private",  "protected",
    "public",   "register",  "requires",      "return",    "short",        "signed",    "sizeof",   "static",
    "struct",   "switch",    "template",      "this",      "thread_local", "throw",     "true",     "try",
    "typedef",  "typeid",    "typename",      "union",     "unsigned",     "using",     "virtual",  "void",
    "volatile", "wchar_t",   "while",         "xor",       "xor_eq",       "main",      "char8_t",  "char16_t",
    "char32_t", "NULL",      "static_assert", "blockIdx",  "threadIdx",    "blockDim",  "gridDim",  "warpSize",
    "clock",    "signbit",   "memcpy",        "memset",    "printf",       "malloc",    "free",     "assert",
    "isnan",    "isinf",     "isfinite",      "min",       "max",          "abs",       "size_t",   "ptrdiff_t",
    "clock_t",  "clock64",   "NAN",           "INFINITY",  "linux",        "unix",      "uint2",    "uint4",
};
// Functions of the C library that the text calls. A value may have such a name, since the text calls ::exp and expf,
// but a kernel stands beside ::exp, and no value may hide expf.
constexpr std::string_view kLibrary[] = {
    "exp",  "exp2", "expm1", "log",  "log2", "log10", "log1p", "sqrt",     "sin",  "cos",
    "tan",  "asin", "acos",  "atan", "sinh", "cosh",  "tanh",  "erf",      "erfc", "floor",
    "ceil", "rint", "trunc", "fmod", "pow",  "atan2", "fabs",  "copysign",
};
// What the generated text itself declares.
constexpr std::string_view kOwn[] = {"w", "i", "wide", "Divisor"};

}  // namespace

NameTable::NameTable() {
  for (const std::string_view name : kReserved) taken_.emplace(name);
  for (const std::string_view name : kOwn) taken_.emplace(name);
  for (const std::string_view name : kLibrary) taken_.insert(std::string(name) + "f");
  for (const std::string_view name : preambleNames()) taken_.emplace(name);
}

std::string NameTable::claim(std::string_view wanted) {
  std::string base;
  for (const char c : wanted) {
    const bool legal = c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    // Two underscores in a row are reserved.
    if (const char mapped = legal ? c : '_'; mapped != '_' || (!base.empty() && base.back() != '_')) base += mapped;
  }
  while (!base.empty() && base.back() == '_') base.pop_back();
  if (base.empty()) base = "v";
  if (std::isdigit(static_cast<unsigned char>(base.front())) != 0) base.insert(0, "v");
  std::string name = base;
  for (int n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", base, n);
  return name;
}

KernelNames::KernelNames(const device_lower::Kernel& source) {
  const bool isLibrary = std::find(std::begin(kLibrary), std::end(kLibrary), source.name) != std::end(kLibrary);
  kernel = table.claim(isLibrary ? source.name + "_kernel" : source.name);
  for (const auto& tensor : source.tensors) tensors.push_back(table.claim(tensor.name + "_ptr"));
  for (const auto& parameter : source.parameters) parameters.push_back(table.claim(parameter.name));
  for (const std::string& symbol : source.symbols) symbols.push_back(table.claim(symbol));
  for (const index::IndexExpr divisor : source.divisors) {
    const bool isSymbol = source.arena->kind(divisor) == index::ExprKind::Symbol;
    divisors.push_back(table.claim((isSymbol ? source.arena->symbolName(divisor) : "size") + "_div"));
  }
  for (size_t i = 0; i + 1 < source.parts.size(); ++i) partEnds.push_back(table.claim(source.parts[i].name + "_end"));
  for (const auto& reg : source.registers) registers.push_back(table.claim(reg.name));
}

}  // namespace braid::codegen
