#pragma once
// A schedule is a value: how one kernel segment is mapped to blocks, threads, vectors and loops. It prints, parses,
// compares, and can be stored, edited and given back.
//
//   schedule v1 rope {
//     threads 128
//     part q {
//       outputs q
//       split i1 by 4 -> i1o, i1i
//       split i3 by 8 -> i3o, i3i
//       grid i0, i1o, i2, i3o
//       loop i1i
//       vector i3i
//       cached cos, sin
//     }
//   }
//
// The axes of a part's output are i0, i1, … (outermost first). Splits and merges replace axes; every axis that is left
// is bound once: `grid` axes, outermost first, are counted through by the threads of the part's blocks; `loop` axes are
// serial in a thread, around the stores; `jam` axes are written out in a thread, all at once, so that what their
// positions read in common is read once (both halves of a rotation); the `vector` axis is the lanes of one access.

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "index/extent.h"

namespace braid::scheduler {

/// axis -> outer * factor + inner. Where the factor does not divide the extent, the last inner run is guarded.
struct SplitAxis {
  std::string axis;
  index::Extent factor;
  std::string outer, inner;
  bool operator==(const SplitAxis&) const = default;
};
/// (outer, inner) -> one axis; the two must be neighbours of the output.
struct MergeAxes {
  std::string outer, inner, result;
  bool operator==(const MergeAxes&) const = default;
};
using DomainStep = std::variant<SplitAxis, MergeAxes>;

struct PartSchedule {
  std::string name;
  std::vector<std::string> outputs;  ///< of equal extents; one walk stores them all
  std::vector<DomainStep> steps;
  std::vector<std::string> grid;    ///< outermost first
  std::vector<std::string> loops;   ///< outermost first
  std::vector<std::string> jam;     ///< of constant extents
  std::string vector;               ///< "" for one element a thread
  std::vector<std::string> cached;  ///< tensors that many threads read; the others are streamed
  bool operator==(const PartSchedule&) const = default;
};

struct Schedule {
  std::string name;
  int threads = 128;  ///< a block
  std::vector<PartSchedule> parts;
  bool operator==(const Schedule&) const = default;
};

std::string print(const Schedule& schedule);
/// Throws Error(Parse) with line, column and what was expected.
Schedule parseSchedule(std::string_view text, std::string_view file = "<schedule>");

}  // namespace braid::scheduler
