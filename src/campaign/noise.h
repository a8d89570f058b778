// Keeps quiet about what the user does not want to hear again: findings that a comment in the source suppresses, and
// those that a baseline has. They stay in the report, and do not count.
#pragma once

#include "campaign/baseline.h"
#include "campaign/suppressions.h"

namespace faultline::campaign {

class Noise {
public:
  explicit Noise(const Options& options) : options_(options), suppressions_(source_) {}

  // Gives the finding its fingerprint, and says whether it is suppressed or known.
  void apply(const TargetReport& target, Finding& finding);

  // What is to be said of the baseline and of the comments when all is done. The program tells where functions begin.
  void conclude(Report& report, frontend::Program& program);

private:
  const Options& options_;
  SourceText source_;
  Suppressions suppressions_;
};

// Was the hunt asked to show all (--all, on the command line or in the configuration)?
bool shows_all(const std::vector<std::string>& command, const TargetReport& target);

// The report without the findings that are set aside, as a person wants to read it; with --all it is as it was.
Report shown(Report report);

} // namespace faultline::campaign
