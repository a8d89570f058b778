// Reports as a hunt makes them, with what scoring looks at.
#pragma once

#include "finding/report.h"

namespace faultline::suite {

inline finding::TargetReport report(const std::string& function, double seconds = 0, uint64_t evaluations = 0) {
  finding::TargetReport report;
  report.function = function;
  report.seconds = seconds;
  report.evaluations = evaluations;
  report.outcome = finding::TargetOutcome::found;
  return report;
}

inline finding::Finding finding(std::vector<finding::NamedNumber> input, const std::string& computed,
                                finding::Kind kind = finding::Kind::inaccuracy) {
  finding::Finding finding;
  finding.kind = kind;
  finding.input = std::move(input);
  finding.output = finding::Output{"return", {computed, computed}, {}};
  return finding;
}

} // namespace faultline::suite
