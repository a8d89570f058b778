// The version, from the build (project(faultline VERSION ...)).
#pragma once

#ifndef FAULTLINE_VERSION
#define FAULTLINE_VERSION "0.0.0"
#endif

namespace faultline::cli {

inline constexpr const char* version = FAULTLINE_VERSION;

} // namespace faultline::cli
