#pragma once
// Small strong ids: an index into the vector of whoever owns the thing. Ids of different things cannot be mixed.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace braid {

template <class Tag>
struct Id {
  uint32_t value = UINT32_MAX;

  constexpr bool valid() const { return value != UINT32_MAX; }
  auto operator<=>(const Id&) const = default;
};

/// A table with one entry for each id 0 … size-1. Iteration order is definition order.
template <class Key, class T>
class IdMap {
 public:
  IdMap() = default;
  explicit IdMap(size_t size, T initial = T{}) : entries_(size, initial) {}

  T& operator[](Key id) { return entries_[id.value]; }
  const T& operator[](Key id) const { return entries_[id.value]; }
  size_t size() const { return entries_.size(); }

 private:
  std::vector<T> entries_;
};

}  // namespace braid

template <class Tag>
struct std::hash<braid::Id<Tag>> {
  size_t operator()(braid::Id<Tag> id) const noexcept { return std::hash<uint32_t>{}(id.value); }
};
