#pragma once
// Kernel → CUDA C++ text.

#include <string>

#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// One self-contained translation unit: header comment, the parts of the preamble that the kernel uses, and one
/// `extern "C" __global__` function named `kernel.name`. No #include, no pointers or counters that change from run to
/// run: the same kernel gives byte-identical text. Arguments in the order that device_lower::Kernel documents.
std::string cudaText(const device_lower::Kernel& kernel, device_lower::IndexWidth width);

}  // namespace braid::codegen
