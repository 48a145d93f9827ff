#include "runtime/prepared_program.h"

#include <algorithm>

#include "base/check.h"

namespace braid::runtime {

namespace {

class Preparer {
 public:
  explicit Preparer(std::shared_ptr<const pipeline::CompiledProgram> compiled) : fusion_(compiled->fusion) {
    program_.compiled = std::move(compiled);
  }

  PreparedProgram run() {
    for (const pipeline::CompiledSegment& segment : program_.compiled->segments) {
      for (const ir::ValueId value : segment.segment.materialises) program_.intermediates.push_back(value);
    }
    for (const pipeline::CompiledSegment& segment : program_.compiled->segments) {
      if (segment.kernel == nullptr) continue;
      PreparedKernel prepared{segment.kernel.get(), LaunchPlanner(*segment.kernel), {}, {}};
      for (const device_lower::TensorParam& tensor : segment.kernel->tensors) {
        prepared.tensors.push_back(find(segment.segment, tensor));
      }
      for (const device_lower::ScalarParam& each : segment.kernel->parameters) prepared.parameters.push_back(each.name);
      program_.kernels.push_back(std::move(prepared));
    }
    return std::move(program_);
  }

 private:
  TensorSource find(const segmentation::Segment& segment, const device_lower::TensorParam& tensor) const {
    if (tensor.isOutput) {
      for (const size_t output : segment.outputs) {
        if (fusion_.outputs()[output].name == tensor.name) return {TensorSource::Kind::Output, output};
      }
    } else {
      for (size_t i = 0; i < fusion_.inputs().size(); ++i) {
        if (fusion_.value(fusion_.inputs()[i].value).name() == tensor.name) return {TensorSource::Kind::Input, i};
      }
    }
    for (size_t i = 0; i < program_.intermediates.size(); ++i) {
      if (fusion_.value(program_.intermediates[i]).name() == tensor.name) return {TensorSource::Kind::Intermediate, i};
    }
    BRAID_CHECK(false, "nothing gives a kernel of {} its argument {}", fusion_.name(), tensor.name);
    return {};
  }

  const ir::Fusion& fusion_;
  PreparedProgram program_;
};

}  // namespace

PreparedProgram prepareProgram(std::shared_ptr<const pipeline::CompiledProgram> compiled) {
  return Preparer(std::move(compiled)).run();
}

}  // namespace braid::runtime
