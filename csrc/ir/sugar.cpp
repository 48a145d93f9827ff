#include "ir/sugar.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/overloaded.h"
#include "ir/infer_context.h"

namespace braid::ir {

namespace {

class Expansion {
 public:
  Expansion(FusionBuilder& builder, std::string_view op, const std::vector<ValueId>& operands,
            const std::vector<std::string>& names, const Location& loc)
      : builder_(builder), op_(op), operands_(operands), names_(names), loc_(loc) {}

  std::vector<ValueId> expand(const Transpose& op) {
    one();
    std::vector<int64_t> dims(shape().size());
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = static_cast<int64_t>(i);
    std::swap(dims[axis(op.dim0)], dims[axis(op.dim1)]);
    return {add(Permute{dims}, operands_, name(0))};
  }
  std::vector<ValueId> expand(const Unsqueeze& op) {
    one();
    return {unsqueeze(operands_[0], op.dims, name(0))};
  }
  std::vector<ValueId> expand(const Stack& op) {
    expectNames(1);
    const auto dim = static_cast<int64_t>(context().axisOf(op.dim, context().commonRank() + 1, "dim"));
    std::vector<ValueId> parts;
    for (const ValueId operand : operands_) parts.push_back(unsqueeze(operand, {dim}, ""));
    return {add(Cat{dim}, parts, name(0))};
  }
  std::vector<ValueId> expand(const Chunk& op) {
    one(false);
    const size_t dim = axis(op.dim);
    const Extent n = shape()[dim];
    if (op.chunks < 1) throw context().error(ErrorCode::InvalidArgument, fmt::format("chunks={}", op.chunks));
    Extents sizes;
    if (const auto constant = n.asConstant()) {
      const int64_t size = std::max<int64_t>(1, (*constant + op.chunks - 1) / op.chunks);
      for (int64_t start = 0; start < *constant; start += size) sizes.push_back(std::min(size, *constant - start));
      if (*constant == 0) sizes.assign(static_cast<size_t>(op.chunks), Extent(0));
    } else {
      const Extent size = exactChunk(n, op.chunks, dim);
      sizes.assign(static_cast<size_t>(op.chunks), size);
    }
    return pieces(sizes, dim);
  }
  std::vector<ValueId> expand(const SplitSizes& op) {
    one(false);
    const size_t dim = axis(op.dim);
    Extent total = 0;
    for (const Extent& size : op.sizes) total = total + size;
    const std::string message = fmt::format("sizes={} add up to {}, axis {} of {} has {} elements", describe(op.sizes),
                                            total.text(), dim, context().tensor(0).name, shape()[dim].text());
    InferContext checks = context();
    checks.requireEqual(total, shape()[dim], ErrorCode::InvalidExtent, message);
    for (Constraint& each : checks.takeConstraints()) builder_.addConstraint(std::move(each));
    return pieces(op.sizes, dim);
  }
  std::vector<ValueId> expand(const Roll& op) {
    one();
    if (op.shifts.size() != op.dims.size() || op.dims.empty()) {
      throw context().error(ErrorCode::InvalidArgument,
                            fmt::format("{} shifts for {} dims", op.shifts.size(), op.dims.size()));
    }
    ValueId result = operands_[0];
    for (size_t i = 0; i < op.dims.size(); ++i) {
      const bool isLast = i + 1 == op.dims.size();
      result = roll(result, op.shifts[i], axis(op.dims[i]), isLast ? name(0) : "");
    }
    return {result};
  }
  std::vector<ValueId> expand(const Repeat& op) {
    one();
    const Extents own = shape();
    if (op.repeats.size() < own.size()) {
      throw context().error(ErrorCode::InvalidRank,
                            fmt::format("repeats={} has fewer entries than {} axes", describe(op.repeats), own.size()));
    }
    const size_t added = op.repeats.size() - own.size();
    Extents wide, result;
    std::vector<int64_t> dims;
    for (size_t i = 0; i < op.repeats.size(); ++i) {
      const Extent n = i < added ? Extent(1) : own[i - added];
      if (i >= added) {
        // The copies come one after the other: the repeat is the outer axis.
        if (!op.repeats[i].is(1)) wide.push_back(op.repeats[i]);
        dims.push_back(static_cast<int64_t>(wide.size()));
        wide.push_back(n);
      } else {
        wide.push_back(op.repeats[i]);
      }
      result.push_back(op.repeats[i] * n);
    }
    return {repeated(wide, dims, result)};
  }
  std::vector<ValueId> expand(const RepeatInterleave& op) {
    one();
    const size_t dim = axis(op.dim);
    Extents wide, result = shape();
    std::vector<int64_t> dims;
    for (size_t i = 0; i < result.size(); ++i) {
      dims.push_back(static_cast<int64_t>(wide.size()));
      wide.push_back(result[i]);
      if (i == dim) wide.push_back(op.repeats);
    }
    result[dim] = result[dim] * op.repeats;
    return {repeated(wide, dims, result)};
  }

 private:
  InferContext context() const { return InferContext(builder_.fusion(), op_, operands_, loc_); }
  void one(bool oneName = true) const {
    context().expectOperands(1);
    if (!context().isTensor(0)) throw context().error(ErrorCode::InvalidArgument, "takes a tensor");
    if (oneName) expectNames(1);
  }
  void expectNames(size_t count) const {
    if (names_.empty() || names_.size() == count) return;
    throw context().error(ErrorCode::InvalidArgument, fmt::format("gives {} result{}, {} names are given", count,
                                                                  count == 1 ? "" : "s", names_.size()));
  }
  std::string name(size_t i) const { return i < names_.size() ? names_[i] : ""; }
  Extents shape() const { return context().tensor(0).shape(); }
  size_t axis(int64_t dim) const { return context().axisOf(dim, static_cast<int64_t>(shape().size()), "dim"); }
  ValueId add(Op op, std::vector<ValueId> operands, const std::string& name) {
    return builder_.add(std::move(op), std::move(operands), name, loc_);
  }

  ValueId unsqueeze(ValueId x, const std::vector<int64_t>& dims, const std::string& name) {
    const Extents own = builder_.fusion().tensor(x).shape();
    const size_t rank = own.size() + dims.size();
    std::vector<char> isNew(rank, 0);
    for (const int64_t dim : dims) isNew[context().axisOf(dim, static_cast<int64_t>(rank), "dims")] = 1;
    if (std::count(isNew.begin(), isNew.end(), 1) != static_cast<int64_t>(dims.size())) {
      throw context().error(ErrorCode::InvalidArgument,
                            fmt::format("dims=[{}] names an axis twice", fmt::join(dims, ", ")));
    }
    BroadcastInDim op;
    for (size_t i = 0, next = 0; i < rank; ++i) {
      if (!isNew[i]) op.dims.push_back(static_cast<int64_t>(i));
      op.shape.push_back(isNew[i] ? Extent(1) : own[next++]);
    }
    return add(std::move(op), {x}, name);
  }

  /// n / chunks, which must come out even when n is not known.
  Extent exactChunk(const Extent& n, int64_t chunks, size_t dim) {
    if (const auto exact = index::exactQuotient(n, Extent(chunks))) return *exact;
    builder_.addConstraint(
        {Constraint::Kind::Equal, mod(n, Extent(chunks)), 0,
         fmt::format("chunk: axis {} of {} is a multiple of {}", dim, context().tensor(0).name, chunks)});
    return floorDiv(n, Extent(chunks));
  }

  ValueId cut(ValueId x, size_t dim, const Extent& start, const Extent& stop, const std::string& name) {
    Slice slice;
    slice.stop = builder_.fusion().tensor(x).shape();
    slice.start.assign(slice.stop.size(), Extent(0));
    slice.start[dim] = start;
    slice.stop[dim] = stop;
    return add(std::move(slice), {x}, name);
  }

  std::vector<ValueId> pieces(const Extents& sizes, size_t dim) {
    expectNames(sizes.size());
    std::vector<ValueId> results;
    Extent start = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      // The last piece ends where the axis ends, which constraints may know better than sums.
      const Extent stop = i + 1 == sizes.size() ? shape()[dim] : start + sizes[i];
      results.push_back(cut(operands_[0], dim, start, stop, name(i)));
      start = stop;
    }
    return results;
  }

  ValueId roll(ValueId x, const Extent& shift, size_t dim, const std::string& name) {
    const Extent n = builder_.fusion().tensor(x).logical[dim].extent;
    // An empty axis has nothing to roll; the divisor only has to be positive.
    const Extent by = mod(shift, max(n, Extent(1)));
    const ValueId tail = cut(x, dim, n - by, n, "");
    const ValueId head = cut(x, dim, 0, n - by, "");
    return add(Cat{static_cast<int64_t>(dim)}, {tail, head}, name);
  }

  ValueId repeated(const Extents& wide, const std::vector<int64_t>& dims, const Extents& result) {
    const ValueId copies = add(BroadcastInDim{wide, dims}, operands_, "");
    return add(Reshape{result}, {copies}, name(0));
  }

  FusionBuilder& builder_;
  std::string_view op_;
  const std::vector<ValueId>& operands_;
  const std::vector<std::string>& names_;
  const Location& loc_;
};

}  // namespace

std::vector<ValueId> addSugar(FusionBuilder& builder, const Sugar& op, const std::vector<ValueId>& operands,
                              const std::vector<std::string>& names, const Location& loc) {
  return std::visit([&](const auto& each) { return Expansion(builder, each.kName, operands, names, loc).expand(each); },
                    op);
}

}  // namespace braid::ir
