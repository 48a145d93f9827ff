#pragma once
// The small functions that generated text may call. A kernel's text holds those it uses and no others.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device_lower/kernel_ir.h"

namespace braid::codegen {

/// Every name that a preamble may declare, so that nothing else in the text takes one.
const std::vector<std::string>& preambleNames();

/// Collects what is used and spells it, in an order that does not depend on the order of use.
class Preamble {
 public:
  explicit Preamble(device_lower::IndexWidth width) : width_(width) {}

  /// Notes the use of a function, and of what it calls; returns its name. An internal error if there is none.
  const std::string& use(std::string_view name);
  std::string text() const;

 private:
  device_lower::IndexWidth width_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace braid::codegen
