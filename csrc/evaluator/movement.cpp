#include "evaluator/movement.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/overloaded.h"
#include "evaluator/scalar_ops.h"
#include "evaluator/strided_copy.h"

namespace braid::evaluator {

namespace {

using Sizes = std::vector<int64_t>;

class Mover {
 public:
  Mover(const std::vector<const HostArray*>& operands, const ir::Symbols& symbols, HostArray& result)
      : bytes_(bytesOf(result.dtype())), operands_(operands), symbols_(symbols), result_(result) {}

  void apply(const ir::Slice& op) {
    const Sizes strides = x().strides();
    int64_t offset = 0;
    Sizes steps = strides;
    for (size_t i = 0; i < strides.size(); ++i) {
      offset += value(op.start[i]) * strides[i];
      if (!op.step.empty()) steps[i] *= value(op.step[i]);
    }
    gather(offset, steps);
  }

  void apply(const ir::Pad& op) {
    fill(op.value);
    const size_t rank = x().sizes().size();
    Sizes lo(rank, 0);
    for (size_t pair = 0; 2 * pair < op.widths.size(); ++pair) lo[rank - 1 - pair] = value(op.widths[2 * pair]);
    place(x(), Sizes(rank, 0), x().sizes(), lo);
  }

  void apply(const ir::Cat& op) {
    const auto dim = static_cast<size_t>(op.dim);
    Sizes at(result_.sizes().size(), 0);
    for (const HostArray* operand : operands_) {
      place(*operand, Sizes(at.size(), 0), operand->sizes(), at);
      at[dim] += operand->sizes()[dim];
    }
  }

  void apply(const ir::SelectAt& op) {
    const auto dim = static_cast<size_t>(op.dim);
    const int64_t extent = result_.sizes()[dim];
    int64_t begin = 0;
    for (size_t k = 0; k < operands_.size(); ++k) {
      const int64_t bound = k < op.bounds.size() ? value(op.bounds[k]) : extent;
      const int64_t end = std::clamp(bound, begin, extent);
      Sizes from(result_.sizes().size(), 0), box = result_.sizes();
      from[dim] = begin;
      box[dim] = end - begin;
      place(*operands_[k], from, box, Sizes(box.size(), 0));
      begin = end;
    }
  }

  void apply(const ir::Reshape&) {
    // A null source of an empty array must not reach memcpy.
    if (x().elements() > 0) std::memcpy(result_.data(), x().data(), static_cast<size_t>(x().elements() * bytes_));
  }

  void apply(const ir::Permute& op) {
    Sizes strides;
    for (const int64_t dim : op.dims) strides.push_back(x().strides()[static_cast<size_t>(dim)]);
    gather(0, strides);
  }

  void apply(const ir::BroadcastInDim& op) {
    Sizes strides(result_.sizes().size(), 0);
    for (size_t i = 0; i < op.dims.size(); ++i) {
      if (x().sizes()[i] != 1) strides[static_cast<size_t>(op.dims[i])] = x().strides()[i];
    }
    gather(0, strides);
  }

  void apply(const ir::Expand&) {
    Sizes strides = x().strides();
    for (size_t i = 0; i < strides.size(); ++i) {
      if (x().sizes()[i] == 1) strides[i] = 0;
    }
    gather(0, strides);
  }

  void apply(const ir::Squeeze&) { apply(ir::Reshape{}); }

  void apply(const ir::Flip& op) {
    Sizes strides = x().strides();
    int64_t offset = 0;
    for (const int64_t dim : op.dims) {
      const auto axis = static_cast<size_t>(dim);
      offset += (x().sizes()[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
    gather(offset, strides);
  }

  void apply(const ir::Full& op) { fill(op.value); }

  void apply(const ir::Iota& op) {
    for (int64_t i = 0; i < result_.elements(); ++i) {
      storeIota(op.start, op.step, result_.dtype(), i, result_.data() + i * bytes_);
    }
  }

 private:
  const HostArray& x() const { return *operands_[0]; }
  int64_t value(const ir::Extent& extent) const { return extent.evaluate(symbols_); }

  /// Every element of the result from the operand's, at offset + index * strides.
  void gather(int64_t offset, const Sizes& strides) {
    if (result_.elements() == 0) return;
    copyStrided({result_.sizes(), bytes_}, {result_.data(), result_.strides()}, x().data() + offset * bytes_, strides);
  }

  /// The operand's box that starts at `from`, put at `from + at` of the result; what lies outside of it is cut off.
  void place(const HostArray& operand, Sizes from, Sizes box, const Sizes& at) {
    Sizes to(at.size());
    int64_t source = 0, target = 0;
    for (size_t i = 0; i < at.size(); ++i) {
      to[i] = from[i] + at[i];
      const int64_t cut = std::max<int64_t>(0, -to[i]);
      from[i] += cut;
      to[i] += cut;
      box[i] = std::min(box[i] - cut, result_.sizes()[i] - to[i]);
      if (box[i] <= 0) return;
      source += from[i] * operand.strides()[i];
      target += to[i] * result_.strides()[i];
    }
    copyStrided({box, bytes_}, {result_.data() + target * bytes_, result_.strides()}, operand.data() + source * bytes_,
                operand.strides());
  }

  void fill(const ir::Scalar& value) {
    applyCast(result_.dtype(), result_.dtype(), {nullptr, false, value}, result_.data(), result_.elements());
  }

  int64_t bytes_;
  const std::vector<const HostArray*>& operands_;
  const ir::Symbols& symbols_;
  HostArray& result_;
};

}  // namespace

void applyMovement(const ir::Op& op, const std::vector<const HostArray*>& operands, const ir::Symbols& symbols,
                   HostArray& result) {
  Mover mover(operands, symbols, result);
  const auto notMovement = [&] { BRAID_CHECK(false, "{} is no movement op", nameOf(op)); };
  std::visit(overloaded{
                 [&](const ir::Unary&) { notMovement(); },
                 [&](const ir::Binary&) { notMovement(); },
                 [&](const ir::Ternary&) { notMovement(); },
                 [&](const ir::Cast&) { notMovement(); },
                 [&](const ir::Slice& each) { mover.apply(each); },
                 [&](const ir::Pad& each) { mover.apply(each); },
                 [&](const ir::Cat& each) { mover.apply(each); },
                 [&](const ir::SelectAt& each) { mover.apply(each); },
                 [&](const ir::Reshape& each) { mover.apply(each); },
                 [&](const ir::Permute& each) { mover.apply(each); },
                 [&](const ir::BroadcastInDim& each) { mover.apply(each); },
                 [&](const ir::Expand& each) { mover.apply(each); },
                 [&](const ir::Squeeze& each) { mover.apply(each); },
                 [&](const ir::Flip& each) { mover.apply(each); },
                 [&](const ir::Full& each) { mover.apply(each); },
                 [&](const ir::Iota& each) { mover.apply(each); },
                 [&](const ir::Reduce&) { notMovement(); },
             },
             op);
}

}  // namespace braid::evaluator
