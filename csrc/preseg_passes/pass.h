#pragma once
// What a pre-segmentation pass is: a pure function from fusion to fusion.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/fusion.h"

namespace braid::preseg {

/// One decision of one pass, for `braid explain` and the golden tests.
struct Remark {
  std::string pass, value, rule;
  bool fired = false;
  std::string reason;  ///< why it was declined, or what it did
};

struct PassContext {
  std::set<std::string> disabled;          ///< names of passes that do not run
  std::vector<Remark>* remarks = nullptr;  ///< where decisions go; may be null

  void remark(Remark remark) const {
    if (remarks != nullptr) remarks->push_back(std::move(remark));
  }
};

struct PassInfo {
  std::string_view name;  ///< also the file's name and the golden folder's
  std::string_view summary;
  ir::Fusion (*run)(const ir::Fusion& in, const PassContext& context);
};

}  // namespace braid::preseg
