#pragma once

#include "ir/op.h"

namespace braid::runtime {

/// What a host parameter of that dtype is when it is given as `value`: rounded or wrapped to an element, read back.
ir::Scalar roundedTo(const ir::Scalar& value, DType dtype);

}  // namespace braid::runtime
