#pragma once
// The passes in the order in which they run. A pass, its files, its remarks and its golden folder share one name.

#include "preseg_passes/common_subexpressions.h"
#include "preseg_passes/consecutive_cast.h"
#include "preseg_passes/dead_code.h"
#include "preseg_passes/extent_substitution.h"
#include "preseg_passes/move_pad.h"
#include "preseg_passes/remove_empty.h"

namespace braid::preseg {

inline constexpr PassInfo kPasses[] = {
    {"remove_empty", "tensors with an extent of 0 take no part", &removeEmpty},
    {"consecutive_cast", "a cast that loses nothing before another cast goes", &consecutiveCast},
    {"dead_code", "values that no output needs go", &deadCode},
    {"common_subexpressions", "the same operation on the same operands is done once", &commonSubexpressions},
    {"extent_substitution", "one extent for each class of axes", &extentSubstitution},
    {"move_pad", "pads and cats move to the inputs, what follows them is done once", &movePad},
};

}  // namespace braid::preseg
