#pragma once

#include "preseg_passes/pass.h"

namespace braid::preseg {

/// cast(cast(x, A), B)  ->  cast(x, B), or x where B is its dtype,
/// when A holds every value of dtype of x (bf16 in f32, i8 in i32), so that the first cast loses nothing. A NaN may
/// keep a payload that the two casts would have dropped. Not for bool to bool, where the casts make any byte 0 or 1.
ir::Fusion consecutiveCast(const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
