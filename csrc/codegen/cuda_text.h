#pragma once
// Kernel → CUDA C++ text.

#include <string>

#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// One self-contained translation unit: header comment, the parts of the preamble that the kernel uses, and one
/// `extern "C" __global__` function. No #include, no pointers or counters that change from run to run: the same kernel
/// gives byte-identical text. Arguments in the order that device_lower::Kernel documents.
std::string cudaText(const device_lower::Kernel& kernel, device_lower::IndexWidth width);

/// The name of that function: `kernel.name`, made a legal identifier.
std::string entryName(const device_lower::Kernel& kernel);

/// 32 hexadecimal digits that stand for the kernel's text, in either width: kernels with equal fingerprints compile to
/// the same code. Goes into `kernel.fingerprint` when a kernel is finished, so that no launch spells it again.
std::string fingerprintOf(const device_lower::Kernel& kernel);

}  // namespace braid::codegen
