#include "arrays.h"

#include <algorithm>

#include "evaluator/strided_copy.h"

namespace braid::tool {

namespace {

/// One more than the largest offset of an element.
int64_t spanOf(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  int64_t span = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    span += (sizes[i] - 1) * strides[i];
  }
  return span;
}

}  // namespace

DeviceArray upload(runtime::KernelExecutor& executor, const evaluator::HostArray& array) {
  const int64_t bytesPerElement = bytesOf(array.dtype());
  const int64_t elements = array.offset() + spanOf(array.sizes(), array.strides());
  DeviceArray result;
  result.bytes = std::max<int64_t>(elements, 1) * bytesPerElement;
  result.memory = executor.allocate(result.bytes);
  auto* base = static_cast<std::byte*>(result.memory.get());
  const std::byte* source = array.data() - array.offset() * bytesPerElement;
  if (elements > 0) executor.copyFromHost(base, source, elements * bytesPerElement, nullptr);
  result.view = {base + array.offset() * bytesPerElement, array.dtype(), array.sizes(), array.strides()};
  return result;
}

evaluator::HostArray download(runtime::KernelExecutor& executor, const runtime::TensorView& view) {
  const int64_t span = spanOf(view.sizes, view.strides) * bytesOf(view.dtype);
  evaluator::HostArray array(view.dtype, view.sizes, view.strides, evaluator::makeStorage(span), 0);
  if (span > 0) executor.copyToHost(array.data(), view.data, span, nullptr);
  return array;
}

evaluator::HostArray placed(const runtime::FileTensor& tensor, const std::vector<int64_t>& strides, int64_t offset) {
  const std::vector<int64_t> layout = strides.empty() ? evaluator::contiguousStrides(tensor.sizes) : strides;
  const int64_t span = offset + spanOf(tensor.sizes, layout);
  evaluator::HostArray array(tensor.dtype, tensor.sizes, layout, evaluator::makeStorage(span * bytesOf(tensor.dtype)),
                             offset);
  evaluator::copyStrided({tensor.sizes, bytesOf(tensor.dtype)}, {array.data(), layout}, tensor.bytes.data(),
                         evaluator::contiguousStrides(tensor.sizes));
  return array;
}

runtime::FileTensor fileTensorOf(const evaluator::HostArray& array) {
  return {array.dtype(), array.sizes(), array.packed()};
}

}  // namespace braid::tool
