#include "preseg_passes/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "braid/error.h"
#include "ir/verify.h"
#include "preseg_passes/passes.h"

namespace braid::preseg {

namespace {

std::string passNames() {
  std::vector<std::string_view> names;
  for (const PassInfo& pass : kPasses) names.push_back(pass.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const PassInfo* findPass(std::string_view name) {
  const auto it =
      std::find_if(std::begin(kPasses), std::end(kPasses), [&](const PassInfo& pass) { return pass.name == name; });
  return it == std::end(kPasses) ? nullptr : it;
}

void checkOutputs(const ir::Fusion& before, const ir::Fusion& after, std::string_view pass) {
  const auto same = [](const ir::Output& a, const ir::Output& b) {
    return a.name == b.name && a.kind == b.kind && a.layout == b.layout && a.explicitLayout == b.explicitLayout;
  };
  BRAID_CHECK(std::equal(before.outputs().begin(), before.outputs().end(), after.outputs().begin(),
                         after.outputs().end(), same),
              "the pass {} changed what the outputs of {} are", pass, before.name());
}

ir::Fusion runVerified(const PassInfo& pass, const ir::Fusion& in, const PassContext& context) {
  ir::Fusion result = pass.run(in, context);
  ir::verify(result);
  checkOutputs(in, result, pass.name);
  return result;
}

}  // namespace

ir::Fusion runPasses(const ir::Fusion& in, const PassContext& context, const AfterPass& after) {
  for (const std::string& name : context.disabled) {
    if (findPass(name) != nullptr) continue;
    throw Error(ErrorCode::InvalidArgument, fmt::format("there is no pass or scheduler feature {}", name))
        .note(fmt::format("the passes are {}", passNames()));
  }
  ir::Fusion fusion = in;
  for (const PassInfo& pass : kPasses) {
    if (context.disabled.contains(std::string(pass.name))) continue;
    fusion = runVerified(pass, fusion, context);
    if (after) after(pass.name, fusion);
  }
  return fusion;
}

ir::Fusion runPass(std::string_view name, const ir::Fusion& in, const PassContext& context) {
  const PassInfo* pass = findPass(name);
  if (pass == nullptr) {
    throw Error(ErrorCode::UnknownName, fmt::format("there is no pass {}", name))
        .note(fmt::format("the passes are {}", passNames()));
  }
  return runVerified(*pass, in, context);
}

}  // namespace braid::preseg
