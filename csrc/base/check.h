#pragma once
// Internal invariants. No user input may reach a failing BRAID_CHECK; where one fails, Braid has a defect and says so.

#include <fmt/format.h>

#include <string>

namespace braid {

[[noreturn]] void failInternalCheck(const char* file, int line, const char* condition, const std::string& message);

}  // namespace braid

#define BRAID_CHECK(condition, ...)                                                                           \
  do {                                                                                                        \
    if (!(condition)) ::braid::failInternalCheck(__FILE__, __LINE__, #condition, ::fmt::format(__VA_ARGS__)); \
  } while (false)
