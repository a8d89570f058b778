// A map in words: "safe for |x| >= 1.3e-05 (proved); wrong by up to 100 % within |x| <= 9.6e-06".
#pragma once

#include "finding/bound/safety_map.h"

#include <string>
#include <string_view>

namespace faultline::finding {

// Returns "12 %" for a relative error that is not tiny, else "1.2e-07" or "3 ulps". The error is rounded down.
std::string found_words(double error, ErrorMeasure measure);

// Describes the safe part of a map over input number `input`: "safe for x >= 2 (proved)"; empty if nothing is safe.
// Numbers are rounded towards the inside of the proved part.
std::string safe_words(const SafetyMap& map, size_t input, const std::string& name);
// Returns "wrong by up to 100 % within |x| <= 9.6e-06"; empty if nothing was found. The stretch contains every witness
// and no safe input.
std::string unsafe_words(const SafetyMap& map, size_t input, const std::string& name, ErrorMeasure measure);
// Returns "open for 9.6e-06 <= |x| <= 1.3e-05": the inputs outside of the other two.
std::string open_words(const SafetyMap& map, size_t input, const std::string& name);

} // namespace faultline::finding
