#include "model/report.h"

#include "model/finding.h"

#include <algorithm>
#include <cmath>

namespace faultline::model {

size_t CoverReport::count(BranchState state) const {
  return size_t(std::ranges::count(branches, state, &CoveredBranch::state));
}

namespace {

constexpr auto outcome_names = std::to_array<std::pair<TargetOutcome, std::string_view>>({
#define FAULTLINE_TARGET_OUTCOME_NAME(id, text) {TargetOutcome::id, text},
    FAULTLINE_TARGET_OUTCOMES(FAULTLINE_TARGET_OUTCOME_NAME)
#undef FAULTLINE_TARGET_OUTCOME_NAME
});

} // namespace

std::string_view text(TargetOutcome outcome) { return name_of(outcome_names, outcome); }
std::optional<TargetOutcome> target_outcome_of(std::string_view text) { return id_of(outcome_names, text); }

void keep_larger(std::optional<Largest>& largest, const std::optional<Largest>& other) {
  const auto size = [](const std::optional<Largest>& of) {
    return of && !std::isnan(of->error.relative) ? of->error.relative : -1;
  };
  if (size(other) > size(largest))
    largest = other;
}

size_t TargetReport::counted() const { return size_t(std::ranges::count_if(findings, &Finding::counts)); }

std::vector<std::string> input_names(const TargetReport& target) {
  std::vector<std::string> names;
  for (const InputRange& input : target.inputs)
    names.push_back(input.name);
  return names;
}

TargetOutcome outcome_found(const TargetReport& target) {
  auto only = [&](Kind kind) {
    return std::ranges::all_of(target.findings, [&](const Finding& finding) { return finding.kind == kind; });
  };
  return only(Kind::crash)     ? TargetOutcome::crashed
         : only(Kind::timeout) ? TargetOutcome::timed_out
                               : TargetOutcome::found;
}

} // namespace faultline::model
