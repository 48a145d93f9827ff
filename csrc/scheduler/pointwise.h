#pragma once
// The pointwise scheduler. It makes the *plain form*: a thread computes one 16-byte vector of one output and pulls what
// it needs; each output is a part with its own range of blocks; an axis that nothing read depends on is a serial loop
// around the stores; loads that no other thread repeats are streamed.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/fusion.h"
#include "scheduler/facts.h"
#include "scheduler/schedule.h"
#include "scheduler/task.h"

namespace braid::scheduler {

/// One sentence about one choice, for `braid explain`.
struct Choice {
  std::string part, what, why;
};

/// What can be switched off, to measure what it is worth.
struct Feature {
  std::string_view name, summary;
};
inline constexpr Feature kFeatures[] = {
    {"split", "axes are split where the accesses take them apart"},
    {"hoist", "axes that nothing read depends on become loops around the stores"},
    {"merge", "axes that every access walks as one become one"},
    {"vectorize", "a thread computes a vector of the innermost axis"},
};

/// The schedule for a task; always succeeds. `disabled` names features; `choices` may be null.
Schedule schedulePointwise(const ir::Fusion& fusion, const Facts& facts, const KernelTask& task,
                           const std::set<std::string>& disabled = {}, std::vector<Choice>* choices = nullptr);

}  // namespace braid::scheduler
