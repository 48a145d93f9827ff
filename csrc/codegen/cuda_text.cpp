#include "codegen/cuda_text.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "codegen/comments.h"
#include "codegen/kernel_writer.h"

namespace braid::codegen {

std::string cudaText(const device_lower::Kernel& kernel, device_lower::IndexWidth width) {
  Preamble preamble(width);
  const std::string function = KernelWriter(kernel, width, preamble).run();
  std::string text;
  for (const std::string& header : kernel.header) {
    for (const std::string& line : commentLines(header)) text += line + "\n";
  }
  text += fmt::format("// {} threads a block, {} bits of index arithmetic\n\n", kernel.blockThreads,
                      width == device_lower::IndexWidth::Bits32 ? 32 : 64);
  const std::string helpers = preamble.text();
  return text + helpers + (helpers.empty() ? "" : "\n") + function;
}

std::string entryName(const device_lower::Kernel& kernel) { return KernelNames(kernel).kernel; }

std::string fingerprintOf(const device_lower::Kernel& kernel) {
  // The 64-bit text differs by types alone, so one text stands for both.
  const std::string text = cudaText(kernel, device_lower::IndexWidth::Bits32);
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace braid::codegen
