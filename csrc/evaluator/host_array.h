#pragma once
// Tensors on the host: a strided view of shared bytes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "braid/dtype.h"

namespace braid::evaluator {

/// Strides and offset count elements. Storage (made by makeStorage) is shared between views; element 0 of
/// it lies on a 64-byte boundary.
class HostArray {
 public:
  HostArray() = default;
  /// A contiguous array of zeros.
  HostArray(DType dtype, std::vector<int64_t> sizes);
  /// A view of `storage` that starts `offset` elements in. Throws Error(InvalidStrides) if it would leave the storage.
  HostArray(DType dtype, std::vector<int64_t> sizes, std::vector<int64_t> strides,
            std::shared_ptr<std::vector<std::byte>> storage, int64_t offset);

  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& sizes() const { return sizes_; }
  const std::vector<int64_t>& strides() const { return strides_; }
  int64_t rank() const { return static_cast<int64_t>(sizes_.size()); }
  int64_t elements() const;
  bool contiguous() const;

  /// The first element.
  std::byte* data();
  const std::byte* data() const;
  const std::shared_ptr<std::vector<std::byte>>& storage() const { return storage_; }
  int64_t offset() const { return offset_; }

  /// Row-major copy of the elements, without gaps.
  std::vector<std::byte> packed() const;
  HostArray contiguousCopy() const;

 private:
  DType dtype_ = DType::Float32;
  std::vector<int64_t> sizes_, strides_;
  std::shared_ptr<std::vector<std::byte>> storage_;
  int64_t offset_ = 0;
};

/// Zeroed storage with room for that many bytes from a 64-byte boundary on.
std::shared_ptr<std::vector<std::byte>> makeStorage(int64_t bytes);

/// Row-major strides in elements.
std::vector<int64_t> contiguousStrides(const std::vector<int64_t>& sizes);

}  // namespace braid::evaluator
