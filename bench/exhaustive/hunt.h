// `faultline hunt` as a user runs it: a process of its own, its findings read from JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace faultline::bench {

struct ReportedInput {
  float input = 0;
  std::optional<double> ulps; // that the report says; the further witnesses of a finding come without
};

// Hunts in a function of one float with these options: the findings, and the largest error that was seen. Throws
// std::runtime_error.
std::vector<ReportedInput> hunt(const std::string& faultline, const std::string& source, const std::string& function,
                                const std::vector<std::string>& options);

} // namespace faultline::bench
