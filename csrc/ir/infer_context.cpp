#include "ir/infer_context.h"

#include <fmt/format.h>

#include "ir/prove.h"

namespace braid::ir {

Error definitionError(ErrorCode code, const Fusion& fusion, std::span<const ValueId> operands, const Location& loc,
                      const std::string& message) {
  std::vector<std::string> places;
  if (!loc.text().empty()) places.push_back(fmt::format("at {}", loc.text()));
  for (const ValueId id : operands) {
    const Value& value = fusion.value(id);
    if (value.kind == ValueKind::Literal) continue;
    const std::string where = value.tensor.loc.text();
    places.push_back(describe(fusion, id) + (where.empty() ? "" : fmt::format(" (defined at {})", where)));
  }
  if (places.empty()) return Error(code, message);
  return Error(code, fmt::format("{}\n  {}", message, fmt::join(places, ", ")));
}

Error InferContext::error(ErrorCode code, const std::string& message) const {
  return definitionError(code, fusion_, operands_, loc_, fmt::format("{}: {}", op_, message));
}

void InferContext::expectOperands(size_t count) const {
  if (operands_.size() == count) return;
  throw error(ErrorCode::InvalidArgument,
              fmt::format("takes {} operand{}, not {}", count, count == 1 ? "" : "s", operands_.size()));
}

size_t InferContext::axisOf(int64_t dim, int64_t rank, std::string_view attribute) const {
  if (dim < -rank || dim >= rank) {
    throw error(ErrorCode::InvalidRank, fmt::format("{}={} does not name one of {} axes", attribute, dim, rank));
  }
  return static_cast<size_t>(dim < 0 ? dim + rank : dim);
}

int64_t InferContext::commonRank() const {
  if (operands_.empty()) throw error(ErrorCode::InvalidArgument, "needs at least one operand");
  const TensorView& x = tensor(0);
  for (size_t k = 1; k < operands_.size(); ++k) {
    const TensorView& y = tensor(k);
    if (y.rank() == x.rank()) continue;
    throw error(ErrorCode::InvalidRank, fmt::format("{} has {} axes, {} has {}", x.name, x.rank(), y.name, y.rank()));
  }
  return x.rank();
}

void InferContext::requireEqual(const Extent& a, const Extent& b, ErrorCode code, const std::string& message) {
  if (index::mustEqual(a, b)) return;
  if (index::mustDiffer(a, b)) throw error(code, message);
  constraints_.push_back({Constraint::Kind::Equal, a, b, fmt::format("{}: {}", op_, message)});
}

void InferContext::requireLessEqual(const Extent& a, const Extent& b, ErrorCode code, const std::string& message) {
  if (provedLessEqual(a, b)) return;
  if (provedLess(b, a)) throw error(code, message);
  constraints_.push_back({Constraint::Kind::LessEqual, a, b, fmt::format("{}: {}", op_, message)});
}

Extent productOf(std::span<const Extent> extents) {
  Extent result = 1;
  for (const Extent& extent : extents) result = result * extent;
  return result;
}

}  // namespace braid::ir
