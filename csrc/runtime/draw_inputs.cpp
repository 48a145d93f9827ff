#include "runtime/draw_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "braid/error.h"
#include "evaluator/scalar_ops.h"

namespace braid::runtime {

namespace {

/// splitmix64's finaliser: neighbouring inputs give unrelated outputs.
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

template <class T>
void put(std::byte* element, T value) {
  std::memcpy(element, &value, sizeof value);
}

/// Bit patterns of a floating type that ops treat in their own way; the sign is drawn besides.
struct FloatPatterns {
  uint64_t infinity, smallestDenormal, largestDenormal, smallestNormal, largest, quietNan, payloadNan, one;
};

constexpr FloatPatterns patternsOf(int bits, int mantissaBits) {
  const uint64_t sign = uint64_t(1) << (bits - 1);
  const uint64_t mantissa = (uint64_t(1) << mantissaBits) - 1;
  const uint64_t infinity = (sign - 1) & ~mantissa;
  const uint64_t quiet = infinity | (mantissa + 1) >> 1;
  const uint64_t one = (infinity >> 1) & infinity;
  return {infinity, 1, mantissa, mantissa + 1, infinity - 1, quiet, quiet | (0x2a & mantissa >> 1), one};
}

/// True for one value in four, which is then special.
bool isSpecial(uint64_t random) { return (random & 3) == 0; }

uint64_t specialFloat(DType dtype, uint64_t random) {
  const int bits = static_cast<int>(bytesOf(dtype)) * 8;
  const int mantissaBits = dtype == DType::Float16    ? 10
                           : dtype == DType::BFloat16 ? 7
                           : dtype == DType::Float32  ? 23
                                                      : 52;
  const FloatPatterns p = patternsOf(bits, mantissaBits);
  const uint64_t patterns[] = {
      0,     p.infinity, p.smallestDenormal, p.largestDenormal, p.smallestNormal, p.largest, p.quietNan, p.payloadNan,
      p.one, 0};
  const uint64_t sign = random >> 32 & 1;
  return patterns[(random >> 8) % std::size(patterns)] | sign << (bits - 1);
}

/// In (-4, 4), of all magnitudes down to 2^-9, with every bit of the mantissa drawn.
double ordinaryFloat(uint64_t random) {
  const double mantissa = 1.0 + static_cast<double>(random >> 12) * 0x1p-52;
  const int exponent = 1 - static_cast<int>(random >> 4 & 7) - static_cast<int>(random >> 2 & 1) * 2;
  return ((random & 2) != 0 ? -mantissa : mantissa) * std::ldexp(1.0, exponent);
}

void putFloat(DType dtype, uint64_t random, bool special, std::byte* element) {
  if (special && isSpecial(random)) {
    const uint64_t pattern = specialFloat(dtype, random);
    std::memcpy(element, &pattern, static_cast<size_t>(bytesOf(dtype)));  // little-endian, as all of Braid's targets
    return;
  }
  evaluator::storeScalar(ir::Scalar::real(ordinaryFloat(random)), dtype, element);
}

template <class T>
void putInteger(uint64_t random, bool special, std::byte* element) {
  using Limits = std::numeric_limits<T>;
  const T extremes[] = {Limits::min(), Limits::max(), static_cast<T>(Limits::min() + 1), static_cast<T>(-1), 0, 1};
  if (special && isSpecial(random)) return put(element, extremes[(random >> 8) % std::size(extremes)]);
  const int64_t small = static_cast<int64_t>(random >> 8 & 63);
  put(element, static_cast<T>(Limits::is_signed ? small - 32 : small));
}

void putElement(DType dtype, uint64_t random, bool special, std::byte* element) {
  switch (dtype) {
    case DType::Bool: {
      const bool isTrue = (random >> 40 & 1) != 0;
      const auto odd = static_cast<uint8_t>(2 + (random >> 8) % 254);
      return put(element, static_cast<uint8_t>(!isTrue ? 0 : special && isSpecial(random) ? odd : 1));
    }
    case DType::UInt8:
      return putInteger<uint8_t>(random, special, element);
    case DType::Int8:
      return putInteger<int8_t>(random, special, element);
    case DType::Int16:
      return putInteger<int16_t>(random, special, element);
    case DType::Int32:
      return putInteger<int32_t>(random, special, element);
    case DType::Int64:
      return putInteger<int64_t>(random, special, element);
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      return putFloat(dtype, random, special, element);
  }
}

/// Draws the elements of a strided array in row-major order.
class Drawing {
 public:
  Drawing(evaluator::HostArray& array, uint64_t seed, bool special) : array_(array), seed_(seed), special_(special) {}

  void run() { axis(0, 0, 0); }

 private:
  /// `position` is row-major over the sizes, `offset` in elements.
  void axis(size_t depth, uint64_t position, int64_t offset) {
    if (depth == array_.sizes().size()) {
      std::byte* element = array_.data() + offset * bytesOf(array_.dtype());
      return putElement(array_.dtype(), mixed(seed_ + position), special_, element);
    }
    const int64_t size = array_.sizes()[depth], stride = array_.strides()[depth];
    const int64_t drawn = stride == 0 ? std::min<int64_t>(size, 1) : size;
    for (int64_t i = 0; i < drawn; ++i) {
      axis(depth + 1, position * static_cast<uint64_t>(size) + static_cast<uint64_t>(i), offset + i * stride);
    }
  }

  evaluator::HostArray& array_;
  uint64_t seed_;
  bool special_;
};

/// What fills the gaps: as a float a NaN of no drawn payload, as a bool a byte of its own.
constexpr std::byte kGap{0xfb};

}  // namespace

uint64_t inputSeed(uint64_t seed, const std::string& name) {
  uint64_t hash = mixed(seed);
  for (const char letter : name) hash = mixed(hash ^ static_cast<unsigned char>(letter));
  return hash;
}

evaluator::HostArray drawInput(DType dtype, const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                               int64_t offsetElements, uint64_t seed, bool special) {
  const std::vector<int64_t> layout = strides.empty() ? evaluator::contiguousStrides(sizes) : strides;
  if (layout.size() != sizes.size()) {
    throw Error(ErrorCode::InvalidStrides, fmt::format("{} strides for {} axes", layout.size(), sizes.size()));
  }
  int64_t span = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (layout[i] < 0) throw Error(ErrorCode::InvalidStrides, "strides are not negative");
    span = sizes[i] == 0 || span == 0 ? 0 : span + (sizes[i] - 1) * layout[i];
  }
  auto storage = evaluator::makeStorage((offsetElements + span) * bytesOf(dtype));
  std::fill(storage->begin(), storage->end(), kGap);
  evaluator::HostArray array(dtype, sizes, layout, std::move(storage), offsetElements);
  Drawing(array, seed, special).run();
  return array;
}

std::vector<int64_t> inputSizes(const ir::Fusion& fusion, const ir::Input& input, const ir::Symbols& dims) {
  std::vector<int64_t> sizes;
  for (const ir::IterDomain& axis : fusion.tensor(input.value).logical) sizes.push_back(axis.extent.evaluate(dims));
  return sizes;
}

std::vector<int64_t> inputStrides(const ir::Fusion& fusion, const ir::Input& input, const ir::Symbols& dims,
                                  const InputPlacement& placement) {
  if (!placement.strides.empty()) return placement.strides;
  const std::vector<int64_t> rowMajor = evaluator::contiguousStrides(inputSizes(fusion, input, dims));
  if (input.layout.contiguous) return rowMajor;
  std::vector<int64_t> strides;
  for (size_t axis = 0; axis < rowMajor.size(); ++axis) {
    const auto& declared = input.layout.strides[axis].value;
    const std::vector<std::string> names = declared ? declared->symbols() : std::vector<std::string>{};
    const bool isKnown = declared && std::all_of(names.begin(), names.end(),
                                                 [&](const std::string& name) { return dims.contains(name); });
    if (declared && !isKnown && !declared->asSymbol()) {
      throw Error(ErrorCode::InvalidStrides,
                  fmt::format("stride {} of {} is {}: give the strides of {}", axis, fusion.value(input.value).name(),
                              declared->text(), fusion.value(input.value).name()));
    }
    strides.push_back(isKnown ? declared->evaluate(dims) : rowMajor[axis]);
  }
  return strides;
}

}  // namespace braid::runtime
