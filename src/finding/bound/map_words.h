// A map in words: "safe for |x| >= 1.3e-05 (proved); wrong by up to 100 % within |x| <= 9.6e-06".
#pragma once

#include "finding/bound/safety_map.h"

#include <string>
#include <string_view>

namespace faultline::finding {

// "12 %" of a relative error that is no tiny one, else "1.2e-07", "3 ulps"; what was found is rounded down.
std::string found_words(double error, ErrorMeasure measure);

// Of a map over one input, at this place of its boxes: "safe for x >= 2 (proved)", or empty if nothing is. Numbers are
// rounded into what is proved.
std::string safe_words(const SafetyMap& map, size_t input, const std::string& name);
// "wrong by up to 100 % within |x| <= 9.6e-06", or empty if nothing was found. Witnesses are there, and nothing safe.
std::string unsafe_words(const SafetyMap& map, size_t input, const std::string& name, ErrorMeasure measure);
// "open for 9.6e-06 <= |x| <= 1.3e-05": what lies outside of these.
std::string open_words(const SafetyMap& map, size_t input, const std::string& name);

} // namespace faultline::finding
