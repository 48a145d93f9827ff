#pragma once
// Comparison within units in the last place of an output's largest value: for programs with functions that a GPU
// computes with an error of its own (sin, exp, …).

#include "evaluator/host_array.h"
#include "ir/fusion.h"
#include "runtime/compare.h"

namespace braid::runtime {

/// True if an expression on the way to some output is not exactly rounded (sin, exp, pow, …): a GPU's result may differ
/// from the host's in its last places.
bool roundsInexactly(const ir::Fusion& fusion);

/// Equal if each element differs by at most `ulps` units in the last place of the largest finite expected value, and
/// NaN and infinite elements are the same. Differences are counted against that bound.
Comparison compareScaled(const evaluator::HostArray& actual, const evaluator::HostArray& expected, double ulps);

}  // namespace braid::runtime
