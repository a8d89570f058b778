// Keeps quiet about what the user does not want to hear again: findings that a comment in the source suppresses, and
// those that a baseline has. They stay in the report, and do not count.
#pragma once

#include "finding/baseline.h"
#include "finding/suppressions.h"

#include <functional>
#include <memory>

namespace faultline::finding {

class SetAside {
public:
  explicit SetAside(std::shared_ptr<const Baseline> baseline)
      : baseline_(std::move(baseline)), suppressions_(source_) {}

  // Gives the finding its fingerprint and the texts of its places, and says whether it is suppressed or known.
  void apply(const TargetReport& target, Finding& finding);

  // What is to be said of the baseline and of the comments when all is done. `functions` tells what functions the
  // program has, and is asked only if there are comments.
  void conclude(Report& report, const std::function<std::vector<frontend::Target>()>& functions, const Wanted& wanted);

private:
  std::shared_ptr<const Baseline> baseline_; // or none
  SourceText source_;
  Suppressions suppressions_;
};

} // namespace faultline::finding
