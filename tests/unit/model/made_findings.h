// Findings of which only what tiers and problems go by is made.
#pragma once

#include "model/problem.h"

#include <fmt/format.h>

namespace faultline::model {

inline Finding wrong(int line, double x, double relative, bool everyday = true, Verdict verdict = Verdict::avoidable) {
  Finding finding;
  finding.kind = Kind::inaccuracy;
  finding.input = {{"x", {fmt::format("{}", x), fmt::format("{:a}", x)}}};
  finding.cause = Cause{"a.c", line, 4, "f", "fsub", 0, 0};
  finding.error = Error{relative, 1, 1e6, 20};
  finding.everyday = everyday;
  finding.verdict = verdict;
  finding.diagnosis = Diagnosis{.fault = Fault::cancellation};
  finding.id = fmt::format("{}:{}", line, x);
  return finding;
}

inline Finding exception(Kind kind, int line, bool everyday = true, Verdict verdict = Verdict::avoidable) {
  Finding finding = wrong(line, 1e200, 1, everyday, verdict);
  finding.kind = kind;
  finding.error.reset();
  finding.diagnosis.reset();
  finding.aftermath.emplace();
  finding.aftermath->reaches_output = true;
  finding.id += text(kind);
  return finding;
}

} // namespace faultline::model
