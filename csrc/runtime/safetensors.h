#pragma once
// Tensors in files: the safetensors format (a JSON header, then the bytes; it has a name for every dtype of Braid).

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "braid/dtype.h"

namespace braid::runtime {

/// A row-major tensor without gaps.
struct FileTensor {
  DType dtype = DType::Float32;
  std::vector<int64_t> sizes;
  std::vector<std::byte> bytes;
};

/// Reads every tensor of a file. Throws Error(File) naming the file and what is wrong with it: missing, cut short,
/// a header that is no JSON, offsets that leave the file or do not fit the shape, a dtype that Braid does not have.
std::map<std::string, FileTensor> readSafetensors(const std::string& path);

/// Writes a file whole or not at all (under another name first, then renamed). Throws Error(File).
void writeSafetensors(const std::string& path, const std::map<std::string, FileTensor>& tensors);

}  // namespace braid::runtime
