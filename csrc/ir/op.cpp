#include "ir/op.h"

#include <bit>

#include "base/overloaded.h"

namespace braid::ir {

bool Scalar::operator==(const Scalar& other) const {
  return kind == other.kind && integer == other.integer &&
         std::bit_cast<uint64_t>(floating) == std::bit_cast<uint64_t>(other.floating);
}

std::string_view nameOf(const Op& op) {
  return std::visit(overloaded{
                        [](const Unary& each) { return nameOf(each.kind); },
                        [](const Binary& each) { return nameOf(each.kind); },
                        [](const Ternary& each) { return nameOf(each.kind); },
                        [](const Reduce& each) { return nameOf(each.kind); },
                        [](const auto& each) { return std::string_view(each.kName); },
                    },
                    op);
}

namespace {

enum class Category { Pointwise, Movement, Creation, Reduction };

Category categoryOf(const Op& op) {
  return std::visit(overloaded{
                        [](const Unary&) { return Category::Pointwise; },
                        [](const Binary&) { return Category::Pointwise; },
                        [](const Ternary&) { return Category::Pointwise; },
                        [](const Cast&) { return Category::Pointwise; },
                        [](const Slice&) { return Category::Movement; },
                        [](const Pad&) { return Category::Movement; },
                        [](const Cat&) { return Category::Movement; },
                        [](const SelectAt&) { return Category::Movement; },
                        [](const Reshape&) { return Category::Movement; },
                        [](const Permute&) { return Category::Movement; },
                        [](const BroadcastInDim&) { return Category::Movement; },
                        [](const Expand&) { return Category::Movement; },
                        [](const Squeeze&) { return Category::Movement; },
                        [](const Flip&) { return Category::Movement; },
                        [](const Full&) { return Category::Creation; },
                        [](const Iota&) { return Category::Creation; },
                        [](const Reduce&) { return Category::Reduction; },
                    },
                    op);
}

}  // namespace

bool isMovement(const Op& op) { return categoryOf(op) == Category::Movement; }
bool isPointwise(const Op& op) { return categoryOf(op) == Category::Pointwise; }

}  // namespace braid::ir
