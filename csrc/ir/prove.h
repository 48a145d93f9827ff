#pragma once
// What can be said of extents before any of them is known. Symbols of extents are sizes: at least 0.

#include "index/extent.h"

namespace braid::ir {

bool provedLessEqual(const index::Extent& a, const index::Extent& b);
bool provedLess(const index::Extent& a, const index::Extent& b);

}  // namespace braid::ir
