// The exceptions of IEEE 754 that are looked for (inexact is none: nearly every operation is): one list of name and
// text.
#pragma once

#include <cstdint>
#include <string_view>

namespace faultline::ops {

#define FAULTLINE_EXCEPTIONS(X)                                                                                        \
  X(overflow, "overflow")                                                                                              \
  X(underflow, "underflow")                                                                                            \
  X(invalid, "invalid")                                                                                                \
  X(divide_by_zero, "divide-by-zero")

enum class Exception : uint8_t {
  none,
#define FAULTLINE_EXCEPTION_ID(name, text) name,
  FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_ID)
#undef FAULTLINE_EXCEPTION_ID
};

inline constexpr Exception all_exceptions[] = {
#define FAULTLINE_EXCEPTION_LISTED(name, text) Exception::name,
    FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_LISTED)
#undef FAULTLINE_EXCEPTION_LISTED
};
// `none` is not one of them: an array that is indexed by an Exception has one element more.
inline constexpr int exception_count = int(sizeof(all_exceptions) / sizeof(all_exceptions[0]));

std::string_view name(Exception exception); // the text; "none" of none

} // namespace faultline::ops
