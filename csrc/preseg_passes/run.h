#pragma once
// The pipeline of pre-segmentation passes: order, verification and logging live here, not in the passes.

#include <functional>
#include <string>
#include <string_view>

#include "ir/fusion.h"
#include "preseg_passes/pass.h"

namespace braid::preseg {

/// Called after each pass with its name and result.
using AfterPass = std::function<void(std::string_view pass, const ir::Fusion& result)>;

/// Runs every pass of kPasses that `context` does not disable, in order, verifying after each. Outputs keep their
/// names, kinds and layouts; results are bit-identical. Throws Error(InvalidArgument) for a disabled name that is no
/// pass.
ir::Fusion runPasses(const ir::Fusion& in, const PassContext& context, const AfterPass& after = {});

/// Runs the one pass with that name. Throws Error(UnknownName) listing the passes.
ir::Fusion runPass(std::string_view name, const ir::Fusion& in, const PassContext& context);

}  // namespace braid::preseg
