#pragma once

#include "braid/error.h"
#include "ir/bind.h"
#include "ir/fusion.h"
#include "scheduler/facts.h"

namespace braid::runtime {

/// Writes what reproduces a failed compilation into one file in the temporary directory (the fusion, with dims and
/// facts as comments) and says in a note where it is. Without such a directory the error stays as it is.
void noteReproduction(Error& error, const ir::Fusion& fusion, const scheduler::Facts& facts,
                      const ir::Symbols& symbols) noexcept;

}  // namespace braid::runtime
