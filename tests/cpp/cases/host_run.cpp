#include "cases/host_run.h"

#include "ir/text.h"
#include "runtime/kernel_executor.h"

namespace braid::test {

HostRun::HostRun(std::string_view text, const ir::Symbols& dims,
                 const std::map<std::string, runtime::InputPlacement>& placements)
    : executor(ir::parse(text), runtime::makeHostExecutor()) {
  const ir::Fusion fusion = ir::parse(text);
  arguments.dims = dims;
  for (const ir::Input& input : fusion.inputs()) {
    const ir::Value& value = fusion.value(input.value);
    const auto given = placements.find(value.name());
    const runtime::InputPlacement placement = given == placements.end() ? runtime::InputPlacement{} : given->second;
    evaluator::HostArray array = runtime::drawInput(
        value.dtype(), runtime::inputSizes(fusion, input, dims), runtime::inputStrides(fusion, input, dims, placement),
        placement.offset, runtime::inputSeed(1, value.name()), /*special=*/true);
    arguments.inputs[value.name()] = {array.data(), array.dtype(), array.sizes(), array.strides()};
    arrays_.emplace(value.name(), std::move(array));
  }
}

Error errorOf(const std::function<void()>& function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::Internal, "nothing was wrong");
}

Error HostRun::failure() {
  return errorOf([this] { run(); });
}

Error parseError(std::string_view text) {
  return errorOf([text] { ir::parse(text); });
}

namespace {

template <class Access>
void forEachAccess(const pipeline::CompiledProgram& program, const std::string& tensor,
                   const std::function<void(int64_t bytes)>& visit) {
  for (const pipeline::CompiledSegment& segment : program.segments) {
    if (segment.kernel == nullptr) continue;
    for (const device_lower::Part& part : segment.kernel->parts) {
      device_lower::forEachStatement(part.body, [&](const device_lower::Statement& statement) {
        const auto* access = std::get_if<Access>(&statement.node);
        if (access == nullptr) return;
        const device_lower::TensorParam& parameter = segment.kernel->tensor(access->tensor);
        if (parameter.name == tensor) visit(access->width * parameter.elementBytes());
      });
    }
  }
}

}  // namespace

std::set<int64_t> loadBytes(const pipeline::CompiledProgram& program, const std::string& tensor) {
  std::set<int64_t> widths;
  forEachAccess<device_lower::Load>(program, tensor, [&](int64_t bytes) { widths.insert(bytes); });
  return widths;
}

std::set<int64_t> storeBytes(const pipeline::CompiledProgram& program, const std::string& tensor) {
  std::set<int64_t> widths;
  forEachAccess<device_lower::Store>(program, tensor, [&](int64_t bytes) { widths.insert(bytes); });
  return widths;
}

int64_t loadCount(const pipeline::CompiledProgram& program, const std::string& tensor) {
  int64_t count = 0;
  forEachAccess<device_lower::Load>(program, tensor, [&](int64_t) { ++count; });
  return count;
}

}  // namespace braid::test
