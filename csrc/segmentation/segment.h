#pragma once
// Which outputs one launch computes, and which values must be written between launches.
//
// Pulling crosses every slice, pad, cat, reshape and permute, so one kernel is the rule. A value is materialised only
// when a kernel would become too large: it is read through so many different index maps that computing it again for
// each is more code than a kernel may hold.

#include <cstdint>
#include <string>
#include <vector>

#include "ir/fusion.h"

namespace braid::segmentation {

/// What one kernel may hold. `pipeline/` tightens it when the scheduler or the lowering declines.
struct KernelLimits {
  int64_t maxTensors = 400;  ///< pointer arguments: 4 KiB of kernel parameters before CUDA 12.1
  int64_t maxNodes = 4096;   ///< values computed for one position, counted by segmentation/cost.h
};

/// Outputs that share an iteration domain: equal extents, so that one range of threads may write them all.
struct Region {
  ir::Extents domain;
  std::vector<size_t> outputs;  ///< positions in Fusion::outputs()
};

struct Segment {
  enum class Kind : uint8_t { NoOp, Kernel };
  Kind kind = Kind::Kernel;
  std::string name;
  std::vector<size_t> outputs;            ///< positions in Fusion::outputs() that it delivers
  std::vector<ir::ValueId> materialises;  ///< values it writes for later segments
  std::vector<ir::ValueId> reads;         ///< values that earlier segments wrote
  std::vector<Region> regions;            ///< of its outputs
};

/// In launch order. Aliases make one no-op segment (no launch); computed outputs one kernel, more only beyond the
/// limits.
std::vector<Segment> segment(const ir::Fusion& fusion, const KernelLimits& limits = {});

}  // namespace braid::segmentation
