// The version that reports carry.
#pragma once

namespace faultline::campaign {

inline constexpr const char* version = FAULTLINE_VERSION;

} // namespace faultline::campaign
