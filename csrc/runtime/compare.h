#pragma once
// Bit for bit comparison of results.

#include <cstdint>
#include <string>

#include "evaluator/host_array.h"
#include "ir/fusion.h"

namespace braid::runtime {

/// Whether a NaN is itself alone or as good as any other. Arithmetic may give either payload; what only moves may not.
enum class NanRule : uint8_t { AnyNan, Bitwise };

struct Comparison {
  bool equal = true;
  int64_t elements = 0;
  int64_t differences = 0;       ///< how many elements differ
  int64_t firstDifference = -1;  ///< row-major position of the first one
  double maxAbsDiff = 0;         ///< over the differing elements; infinite where only one of the two is finite
};

/// Element by element; strides do not matter. Throws Error when dtypes or sizes differ.
Comparison compareBitwise(const evaluator::HostArray& actual, const evaluator::HostArray& expected, NanRule rule);

/// Bitwise where only movement ops and copies lie between the output and the inputs, else AnyNan.
NanRule nanRuleOf(const ir::Fusion& fusion, const ir::Output& output);

/// "3 of 4096 elements differ, first at [0, 2, 17]: 0.5 (0x3f00), expected -0.5 (0xbf00)".
std::string describe(const Comparison& comparison, const evaluator::HostArray& actual,
                     const evaluator::HostArray& expected);

}  // namespace braid::runtime
