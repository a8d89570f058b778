// The version that reports carry.
#pragma once

namespace faultline::finding {

inline constexpr const char* version = FAULTLINE_VERSION;

} // namespace faultline::finding
