#include "codegen/preamble.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "codegen/scalar_helpers.h"

namespace braid::codegen {
namespace {

using device_lower::IndexWidth;

// `Index` and `Unsigned` stand for the types of index arithmetic, mulhi for the product's upper half.
constexpr Helper kIndexHelpers[] = {
    {"Divisor", "", "struct Divisor { Unsigned divisor, multiplier, shift; };"},
    {"min_index", "", "DEVICE Index min_index(Index a, Index b) { return a < b ? a : b; }"},
    {"max_index", "", "DEVICE Index max_index(Index a, Index b) { return a < b ? b : a; }"},
    // n >= 0; a constant divisor, so that the division becomes a multiplication
    {"const_div", "", "DEVICE Index const_div(Index n, Unsigned d) { return (Index)((Unsigned)n / d); }"},
    {"const_mod", "", "DEVICE Index const_mod(Index n, Unsigned d) { return (Index)((Unsigned)n % d); }"},
    // any n: floor(n / d) == ~floor(~n / d) for n < 0
    {"floor_const_div", "const_div",
     "DEVICE Index floor_const_div(Index n, Unsigned d) { return n < 0 ? ~const_div(~n, d) : const_div(n, d); }"},
    {"floor_const_mod", "floor_const_div",
     "DEVICE Index floor_const_mod(Index n, Unsigned d) { return n - floor_const_div(n, d) * (Index)d; }"},
    {"fast_div", "Divisor",
     "DEVICE Index fast_div(Index n, Divisor d) {\n"
     "  return (Index)((mulhi((Unsigned)n, d.multiplier) + (Unsigned)n) >> d.shift);\n"
     "}"},
    {"fast_mod", "fast_div",
     "DEVICE Index fast_mod(Index n, Divisor d) { return n - fast_div(n, d) * (Index)d.divisor; }"},
    {"floor_fast_div", "fast_div",
     "DEVICE Index floor_fast_div(Index n, Divisor d) { return n < 0 ? ~fast_div(~n, d) : fast_div(n, d); }"},
    {"floor_fast_mod", "floor_fast_div",
     "DEVICE Index floor_fast_mod(Index n, Divisor d) { return n - floor_fast_div(n, d) * (Index)d.divisor; }"},
    {"floor_div_index", "",
     "DEVICE Index floor_div_index(Index a, Index b) {\n"
     "  const Index q = a / b;\n"
     "  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;\n"
     "}"},
    {"floor_mod_index", "floor_div_index",
     "DEVICE Index floor_mod_index(Index a, Index b) { return a - floor_div_index(a, b) * b; }"},
};

// A 32-bit word holds two elements of a 16-bit floating type, the first in its low half.
constexpr Helper kWordHelpers[] = {
    {"lo_bf16", "", "DEVICE float lo_bf16(unsigned w) { return __uint_as_float(w << 16); }"},
    {"hi_bf16", "", "DEVICE float hi_bf16(unsigned w) { return __uint_as_float(w & 0xffff0000u); }"},
    {"pack_bf16", "",
     "DEVICE unsigned pack_bf16(float lo, float hi) {\n"
     "  unsigned w;\n"
     "  asm(\"cvt.rn.bf16x2.f32 %0, %1, %2;\" : \"=r\"(w) : \"f\"(hi), \"f\"(lo));\n"
     "  return w;\n"
     "}"},
    {"lane_bf16", "lo_bf16 hi_bf16",
     "DEVICE float lane_bf16(const unsigned* w, int i) { return i & 1 ? hi_bf16(w[i >> 1]) : lo_bf16(w[i >> 1]); }"},
    {"lo_f16", "",
     "DEVICE float lo_f16(unsigned w) {\n"
     "  float f;\n"
     "  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"((unsigned short)w));\n"
     "  return f;\n"
     "}"},
    {"hi_f16", "lo_f16", "DEVICE float hi_f16(unsigned w) { return lo_f16(w >> 16); }"},
    {"pack_f16", "",
     "DEVICE unsigned pack_f16(float lo, float hi) {\n"
     "  unsigned w;\n"
     "  asm(\"cvt.rn.f16x2.f32 %0, %1, %2;\" : \"=r\"(w) : \"f\"(hi), \"f\"(lo));\n"
     "  return w;\n"
     "}"},
    {"lane_f16", "lo_f16 hi_f16",
     "DEVICE float lane_f16(const unsigned* w, int i) { return i & 1 ? hi_f16(w[i >> 1]) : lo_f16(w[i >> 1]); }"},
    {"both", "", "DEVICE unsigned both(unsigned w) { return __byte_perm(w, 0, 0x1010); }"},
    {"lane_word", "", "DEVICE unsigned lane_word(const unsigned* w, int i) { return w[i >> 1] >> (i & 1) * 16; }"},
    {"pack_words", "", "DEVICE unsigned pack_words(unsigned lo, unsigned hi) { return __byte_perm(lo, hi, 0x5410); }"},
    {"select_halves", "",
     "DEVICE unsigned select_halves(bool lo, bool hi, unsigned a, unsigned b) {\n"
     "  const unsigned mask = (lo ? 0xffffu : 0u) | (hi ? 0xffff0000u : 0u);\n"
     "  return (a & mask) | (b & ~mask);\n"
     "}"},
    // A sum, difference or product in the 16-bit type itself has the bits of the one in float rounded once, since a
    // float has more than twice as many digits and two. Before sm_90 bf16 has the fused form alone.
    {"add_bf16", "",
     "DEVICE unsigned add_bf16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "#if __CUDA_ARCH__ >= 900\n"
     "  asm(\"add.rn.bf16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "#else\n"
     "  asm(\"fma.rn.bf16x2 %0, %1, %3, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b), \"r\"(0x3f803f80u));\n"
     "#endif\n"
     "  return w;\n"
     "}"},
    {"sub_bf16", "",
     "DEVICE unsigned sub_bf16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "#if __CUDA_ARCH__ >= 900\n"
     "  asm(\"sub.rn.bf16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "#else\n"
     "  asm(\"fma.rn.bf16x2 %0, %2, %3, %1;\" : \"=r\"(w) : \"r\"(a), \"r\"(b), \"r\"(0xbf80bf80u));\n"
     "#endif\n"
     "  return w;\n"
     "}"},
    {"mul_bf16", "",
     "DEVICE unsigned mul_bf16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "#if __CUDA_ARCH__ >= 900\n"
     "  asm(\"mul.rn.bf16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "#else\n"
     "  asm(\"fma.rn.bf16x2 %0, %1, %2, %3;\" : \"=r\"(w) : \"r\"(a), \"r\"(b), \"r\"(0x80008000u));\n"
     "#endif\n"
     "  return w;\n"
     "}"},
    {"add_f16", "",
     "DEVICE unsigned add_f16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "  asm(\"add.rn.f16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "  return w;\n"
     "}"},
    {"sub_f16", "",
     "DEVICE unsigned sub_f16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "  asm(\"sub.rn.f16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "  return w;\n"
     "}"},
    {"mul_f16", "",
     "DEVICE unsigned mul_f16(unsigned a, unsigned b) {\n"
     "  unsigned w;\n"
     "  asm(\"mul.rn.f16x2 %0, %1, %2;\" : \"=r\"(w) : \"r\"(a), \"r\"(b));\n"
     "  return w;\n"
     "}"},
};

struct AccessType {
  int bytes;
  std::string_view type;
};
constexpr AccessType kAccessTypes[] = {
    {1, "unsigned char"}, {2, "unsigned short"}, {4, "unsigned"}, {8, "uint2"}, {16, "uint4"}};

/// load16_stream and its like: one access of 1 to 16 bytes between memory and lanes of a register.
std::vector<std::pair<std::string, std::string>> accessHelpers() {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [bytes, type] : kAccessTypes) {
    const auto load = [&, bytes = bytes, type = type](std::string_view suffix, const std::string& access) {
      const std::string name = fmt::format("load{}{}", bytes, suffix);
      result.emplace_back(
          name, fmt::format("DEVICE void {}(void* lanes, const void* p) {{ const {} v = {}; memcpy(lanes, &v, {}); }}",
                            name, type, access, bytes));
    };
    load("", fmt::format("*(const {}*)p", type));
    load("_readonly", fmt::format("__ldg((const {}*)p)", type));
    load("_stream", fmt::format("__ldcs((const {}*)p)", type));
    const auto store = [&, bytes = bytes, type = type](std::string_view suffix, const std::string& access) {
      const std::string name = fmt::format("store{}{}", bytes, suffix);
      result.emplace_back(
          name, fmt::format("DEVICE void {}(void* p, const void* lanes) {{ {} v; memcpy(&v, lanes, {}); {}; }}", name,
                            type, bytes, access));
    };
    store("", fmt::format("*({}*)p = v", type));
    store("_stream", fmt::format("__stcs(({}*)p, v)", type));
  }
  return result;
}

struct Entry {
  std::string name, calls, text;
};

std::vector<Entry> makeEntries() {
  std::vector<Entry> entries;
  for (const Helper& helper : kIndexHelpers) {
    entries.push_back({std::string(helper.name), std::string(helper.calls), std::string(helper.text)});
  }
  for (auto& [name, text] : accessHelpers()) entries.push_back({name, "", text});
  for (const Helper& helper : kWordHelpers) {
    entries.push_back({std::string(helper.name), std::string(helper.calls), std::string(helper.text)});
  }
  for (const Helper& helper : scalarHelpers()) {
    entries.push_back({std::string(helper.name), std::string(helper.calls), std::string(helper.text)});
  }
  return entries;
}

/// In the order in which they are printed: a function comes after those it calls.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> kEntries = makeEntries();
  return kEntries;
}

std::string replaceWord(std::string text, std::string_view word, std::string_view replacement) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + replacement.size())) {
    text.replace(at, word.size(), replacement);
  }
  return text;
}

bool isIndexHelper(std::string_view name) {
  return std::any_of(std::begin(kIndexHelpers), std::end(kIndexHelpers),
                     [&](const Helper& helper) { return helper.name == name; });
}

}  // namespace

const std::vector<std::string>& preambleNames() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names{"DEVICE"};
    for (const Entry& entry : entries()) names.push_back(entry.name);
    return names;
  }();
  return kNames;
}

const std::string& Preamble::use(std::string_view name) {
  const auto entry =
      std::find_if(entries().begin(), entries().end(), [&](const Entry& each) { return each.name == name; });
  BRAID_CHECK(entry != entries().end(), "the preamble has no function {}", name);
  if (used_.insert(entry->name).second) {
    std::string_view calls = entry->calls;
    while (!calls.empty()) {
      const size_t end = std::min(calls.find(' '), calls.size());
      use(calls.substr(0, end));
      calls.remove_prefix(std::min(end + 1, calls.size()));
    }
  }
  return entry->name;
}

std::string Preamble::text() const {
  if (used_.empty()) return "";
  const bool wide = width_ == IndexWidth::Bits64;
  std::string result = "#define DEVICE static __device__ __forceinline__\n";
  for (const Entry& entry : entries()) {
    if (!used_.contains(entry.name)) continue;
    std::string text = entry.text;
    if (isIndexHelper(entry.name)) {
      text = replaceWord(text, "Index", wide ? "long long" : "int");
      text = replaceWord(text, "Unsigned", wide ? "unsigned long long" : "unsigned");
      text = replaceWord(text, "mulhi", wide ? "__umul64hi" : "__umulhi");
    }
    result += text + "\n";
  }
  return result;
}

}  // namespace braid::codegen
