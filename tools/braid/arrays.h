#pragma once
// Host arrays to the memory of an executor and back.

#include <string>
#include <vector>

#include "evaluator/host_array.h"
#include "runtime/fusion_executor.h"
#include "runtime/kernel_executor.h"
#include "runtime/safetensors.h"

namespace braid::tool {

/// A tensor in an executor's memory, with that memory.
struct DeviceArray {
  runtime::TensorView view;
  runtime::DeviceMemory memory;
  int64_t bytes = 0;  ///< of the memory
};

/// Copies the array's whole storage, so that its place and what lies around it stay as they are.
DeviceArray upload(runtime::KernelExecutor& executor, const evaluator::HostArray& array);
/// The elements of a tensor, in its own layout.
evaluator::HostArray download(runtime::KernelExecutor& executor, const runtime::TensorView& view);

/// A file's tensor laid out with these strides (empty: contiguous), `offset` elements into its storage.
evaluator::HostArray placed(const runtime::FileTensor& tensor, const std::vector<int64_t>& strides, int64_t offset);
runtime::FileTensor fileTensorOf(const evaluator::HostArray& array);

}  // namespace braid::tool
