#include "segmentation/segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "segmentation/cost.h"

namespace braid::segmentation {

namespace {

using ir::ValueId;

class Segmenter {
 public:
  Segmenter(const ir::Fusion& fusion, const KernelLimits& limits) : fusion_(fusion), limits_(limits) {}

  std::vector<Segment> run() {
    std::vector<Segment> segments;
    Segment views;
    views.kind = Segment::Kind::NoOp;
    views.name = fusion_.name() + ".views";
    std::vector<size_t> computed;
    for (size_t i = 0; i < fusion_.outputs().size(); ++i) {
      const bool isView = fusion_.outputs()[i].kind == ir::OutputKind::Alias;
      (isView ? views.outputs : computed).push_back(i);
    }
    if (!views.outputs.empty()) segments.push_back(views);

    std::vector<ValueId> written;
    materialiseWhatIsTooDeep(computed, written, segments);
    for (const std::vector<size_t>& group : grouped(computed, written)) {
      segments.push_back(kernel(group, {}, written));
    }
    nameKernels(segments);
    return segments;
  }

 private:
  size_t mapLimit() const { return static_cast<size_t>(limits_.maxNodes) + 1; }

  int64_t nodes(const std::vector<ValueId>& wanted, const std::vector<ValueId>& written) const {
    return pulledNodes(readingMaps(fusion_, wanted, written, mapLimit()));
  }

  ValueId valueOf(size_t output) const { return fusion_.outputs()[output].value; }

  bool fits(const std::vector<ValueId>& wanted, const std::vector<ValueId>& written) const {
    return nodes(wanted, written) <= limits_.maxNodes && tensors(wanted, written) <= limits_.maxTensors;
  }

  /// While one output alone is more than a kernel may hold, a value on the way to it gets its own kernel.
  void materialiseWhatIsTooDeep(const std::vector<size_t>& computed, std::vector<ValueId>& written,
                                std::vector<Segment>& segments) const {
    for (const size_t output : computed) {
      while (!fits({valueOf(output)}, written)) {
        const ValueId cut = deepest(valueOf(output), written);
        if (!cut.valid()) break;
        segments.push_back(kernel({}, {cut}, written));
        written.push_back(cut);
      }
    }
  }

  /// Of the values whose own pull fits: the earliest that is read through the most maps; where all are read through
  /// one, the largest.
  ValueId deepest(ValueId wanted, const std::vector<ValueId>& written) const {
    const auto maps = readingMaps(fusion_, {wanted}, written, mapLimit());
    ValueId best;
    size_t bestMaps = 0;
    int64_t bestSize = 0;
    for (const ir::Expr& expr : fusion_.exprs()) {
      const bool isWritten = std::find(written.begin(), written.end(), expr.output) != written.end();
      const bool computes = !ir::isMovement(expr.op) && !std::holds_alternative<ir::Full>(expr.op) &&
                            !std::holds_alternative<ir::Iota>(expr.op);
      const size_t count = maps[expr.output].size();
      if (isWritten || !computes || expr.output == wanted || count == 0 || !fits({expr.output}, written)) continue;
      const int64_t size = count > 1 ? 0 : nodes({expr.output}, written) + tensors({expr.output}, written);
      if (std::pair(count, size) <= std::pair(bestMaps, bestSize)) continue;
      best = expr.output;
      bestMaps = count;
      bestSize = size;
    }
    return best;
  }

  /// Outputs in order, as many in one kernel as the limits allow.
  std::vector<std::vector<size_t>> grouped(const std::vector<size_t>& computed,
                                           const std::vector<ValueId>& written) const {
    std::vector<std::vector<size_t>> groups;
    std::vector<ValueId> wanted;
    for (const size_t output : computed) {
      wanted.push_back(valueOf(output));
      if (!groups.empty() && fits(wanted, written)) {
        groups.back().push_back(output);
      } else {
        groups.push_back({output});
        wanted = {valueOf(output)};
      }
    }
    return groups;
  }

  int64_t tensors(const std::vector<ValueId>& wanted, const std::vector<ValueId>& written) const {
    const auto maps = readingMaps(fusion_, wanted, written, 1);
    int64_t count = static_cast<int64_t>(wanted.size());
    for (const ir::Input& input : fusion_.inputs()) count += maps[input.value].empty() ? 0 : 1;
    for (const ValueId value : written) count += maps[value].empty() ? 0 : 1;
    return count;
  }

  Segment kernel(const std::vector<size_t>& outputs, const std::vector<ValueId>& materialises,
                 const std::vector<ValueId>& written) const {
    Segment segment;
    segment.outputs = outputs;
    segment.materialises = materialises;
    std::vector<ValueId> wanted = materialises;
    for (const size_t output : outputs) wanted.push_back(valueOf(output));
    const auto maps = readingMaps(fusion_, wanted, written, 1);
    for (const ValueId value : written) {
      if (!maps[value].empty()) segment.reads.push_back(value);
    }
    for (const size_t output : outputs) {
      const ir::Extents domain = fusion_.tensor(valueOf(output)).shape();
      const auto region = std::find_if(segment.regions.begin(), segment.regions.end(),
                                       [&](const Region& each) { return each.domain == domain; });
      if (region == segment.regions.end()) {
        segment.regions.push_back({domain, {output}});
      } else {
        region->outputs.push_back(output);
      }
    }
    return segment;
  }

  void nameKernels(std::vector<Segment>& segments) const {
    size_t kernels = 0;
    for (const Segment& segment : segments) kernels += segment.kind == Segment::Kind::Kernel;
    size_t number = 0;
    for (Segment& segment : segments) {
      if (segment.kind != Segment::Kind::Kernel) continue;
      segment.name = kernels == 1 ? fusion_.name() : fmt::format("{}_{}", fusion_.name(), number++);
    }
  }

  const ir::Fusion& fusion_;
  const KernelLimits& limits_;
};

}  // namespace

std::vector<Segment> segment(const ir::Fusion& fusion, const KernelLimits& limits) {
  return Segmenter(fusion, limits).run();
}

}  // namespace braid::segmentation
