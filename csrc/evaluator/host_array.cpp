#include "evaluator/host_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "braid/error.h"
#include "evaluator/strided_copy.h"

namespace braid::evaluator {

std::vector<int64_t> contiguousStrides(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<int64_t>(1, sizes[i]);
  return strides;
}

namespace {

int64_t productOf(const std::vector<int64_t>& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) product *= size;
  return product;
}

constexpr size_t kAlignment = 64;

/// Where 64-byte alignment begins in a vector of bytes.
size_t alignedStart(const std::vector<std::byte>& bytes) {
  return (kAlignment - reinterpret_cast<uintptr_t>(bytes.data()) % kAlignment) % kAlignment;
}

}  // namespace

std::shared_ptr<std::vector<std::byte>> makeStorage(int64_t bytes) {
  return std::make_shared<std::vector<std::byte>>(static_cast<size_t>(bytes) + kAlignment);
}

HostArray::HostArray(DType dtype, std::vector<int64_t> sizes)
    : dtype_(dtype), sizes_(std::move(sizes)), strides_(contiguousStrides(sizes_)) {
  storage_ = makeStorage(elements() * bytesOf(dtype_));
}

HostArray::HostArray(DType dtype, std::vector<int64_t> sizes, std::vector<int64_t> strides,
                     std::shared_ptr<std::vector<std::byte>> storage, int64_t offset)
    : dtype_(dtype),
      sizes_(std::move(sizes)),
      strides_(std::move(strides)),
      storage_(std::move(storage)),
      offset_(offset) {
  if (elements() == 0) return;
  int64_t first = offset_, last = offset_;
  for (size_t i = 0; i < sizes_.size(); ++i) {
    (strides_[i] < 0 ? first : last) += strides_[i] * (sizes_[i] - 1);
  }
  const int64_t room = (static_cast<int64_t>(storage_->size()) - static_cast<int64_t>(kAlignment)) / bytesOf(dtype_);
  if (first >= 0 && last < room) return;
  throw Error(ErrorCode::InvalidStrides,
              fmt::format("sizes [{}] with strides [{}] from element {} leave a storage of {} elements",
                          fmt::join(sizes_, ", "), fmt::join(strides_, ", "), offset_, room));
}

int64_t HostArray::elements() const { return productOf(sizes_); }

bool HostArray::contiguous() const {
  if (elements() == 0) return true;
  const std::vector<int64_t> expected = contiguousStrides(sizes_);
  for (size_t i = 0; i < sizes_.size(); ++i) {
    if (sizes_[i] != 1 && strides_[i] != expected[i]) return false;
  }
  return true;
}

std::byte* HostArray::data() {
  if (storage_ == nullptr) return nullptr;
  return storage_->data() + alignedStart(*storage_) + offset_ * bytesOf(dtype_);
}

const std::byte* HostArray::data() const { return const_cast<HostArray*>(this)->data(); }

std::vector<std::byte> HostArray::packed() const {
  std::vector<std::byte> result(static_cast<size_t>(elements() * bytesOf(dtype_)));
  copyStrided({sizes_, bytesOf(dtype_)}, {result.data(), contiguousStrides(sizes_)}, data(), strides_);
  return result;
}

HostArray HostArray::contiguousCopy() const {
  HostArray result(dtype_, sizes_);
  copyStrided({sizes_, bytesOf(dtype_)}, {result.data(), result.strides_}, data(), strides_);
  return result;
}

}  // namespace braid::evaluator
