#pragma once
// Ops that are written in terms of the basic ones when they are defined.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/builder.h"

namespace braid::ir {

struct Transpose {
  int64_t dim0, dim1;
  static constexpr std::string_view kName = "transpose";
  static constexpr auto kFields = std::tuple{Field{"dim0", &Transpose::dim0}, Field{"dim1", &Transpose::dim1}};
};
/// A new axis of extent 1 at each dim, counted in the result.
struct Unsqueeze {
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "unsqueeze";
  static constexpr auto kFields = std::tuple{Field{"dims", &Unsqueeze::dims}};
};
struct Stack {
  int64_t dim;
  static constexpr std::string_view kName = "stack";
  static constexpr auto kFields = std::tuple{Field{"dim", &Stack::dim}};
};
/// As torch.chunk: pieces of ceil(n / chunks), the last shorter, fewer pieces where they do not suffice. Where n is
/// symbolic it must be a multiple of `chunks`.
struct Chunk {
  int64_t chunks, dim;
  static constexpr std::string_view kName = "chunk";
  static constexpr auto kFields = std::tuple{Field{"chunks", &Chunk::chunks}, Field{"dim", &Chunk::dim}};
};
struct SplitSizes {
  Extents sizes;
  int64_t dim;
  static constexpr std::string_view kName = "split";
  static constexpr auto kFields = std::tuple{Field{"sizes", &SplitSizes::sizes}, Field{"dim", &SplitSizes::dim}};
};
struct Roll {
  Extents shifts;
  std::vector<int64_t> dims;
  static constexpr std::string_view kName = "roll";
  static constexpr auto kFields = std::tuple{Field{"shifts", &Roll::shifts}, Field{"dims", &Roll::dims}};
};
/// As torch.Tensor.repeat: the last axes are the operand's, more entries make new leading axes.
struct Repeat {
  Extents repeats;
  static constexpr std::string_view kName = "repeat";
  static constexpr auto kFields = std::tuple{Field{"repeats", &Repeat::repeats}};
};
struct RepeatInterleave {
  Extent repeats;
  int64_t dim;
  static constexpr std::string_view kName = "repeat_interleave";
  static constexpr auto kFields =
      std::tuple{Field{"repeats", &RepeatInterleave::repeats}, Field{"dim", &RepeatInterleave::dim}};
};

using Sugar = std::variant<Transpose, Unsqueeze, Stack, Chunk, SplitSizes, Roll, Repeat, RepeatInterleave>;

/// Appends the basic ops; one result for each piece (chunk, split), else one. `names` are those of the results (none:
/// derived). Throws Error as the basic ops do, and InvalidArgument when the names are too few or too many.
std::vector<ValueId> addSugar(FusionBuilder& builder, const Sugar& op, const std::vector<ValueId>& operands,
                              const std::vector<std::string>& names = {}, const Location& loc = {});

}  // namespace braid::ir
