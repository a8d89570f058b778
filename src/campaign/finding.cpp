#include "campaign/finding.h"

#include "campaign/names.h"

#include <algorithm>

namespace faultline::campaign {
namespace {

constexpr auto kind_names = std::to_array<std::pair<Kind, std::string_view>>({
#define FAULTLINE_KIND_NAME(id, text) {Kind::id, text},
    FAULTLINE_FINDING_KINDS(FAULTLINE_KIND_NAME)
#undef FAULTLINE_KIND_NAME
});

constexpr auto verdict_names = std::to_array<std::pair<Verdict, std::string_view>>({
    {Verdict::avoidable, "avoidable"},
    {Verdict::ill_conditioned, "ill-conditioned"},
    {Verdict::inherent, "inherent"},
    {Verdict::unknown, "unknown"},
});

constexpr auto outcome_names = std::to_array<std::pair<TargetOutcome, std::string_view>>({
#define FAULTLINE_TARGET_OUTCOME_NAME(id, text) {TargetOutcome::id, text},
    FAULTLINE_TARGET_OUTCOMES(FAULTLINE_TARGET_OUTCOME_NAME)
#undef FAULTLINE_TARGET_OUTCOME_NAME
});

bool is_inconclusive(TargetOutcome outcome) {
  return outcome != TargetOutcome::found && outcome != TargetOutcome::none;
}

} // namespace

std::string_view text(Kind kind) { return name_of(kind_names, kind); }
std::optional<Kind> kind_of(std::string_view text) { return id_of(kind_names, text); }

bool is_at(const Step& step, const std::optional<Cause>& cause) {
  return cause && step.file == cause->file && step.line == cause->line && step.column == cause->column &&
         step.operation == cause->operation;
}

std::string_view rule(const Finding& finding) {
  const bool classified = finding.kind == Kind::inaccuracy && finding.diagnosis;
  return classified ? text(finding.diagnosis->fault) : text(finding.kind);
}

bool is_error(Kind kind) {
  return kind == Kind::inaccuracy || kind == Kind::branch_flip || kind == Kind::bound_violated;
}

std::string_view text(Verdict verdict) { return name_of(verdict_names, verdict); }
std::optional<Verdict> verdict_of(std::string_view text) { return id_of(verdict_names, text); }

std::string_view text(TargetOutcome outcome) { return name_of(outcome_names, outcome); }
std::optional<TargetOutcome> target_outcome_of(std::string_view text) { return id_of(outcome_names, text); }

size_t TargetReport::counted() const { return size_t(std::ranges::count_if(findings, &Finding::counts)); }

TargetOutcome outcome_found(const TargetReport& target) {
  auto only = [&](Kind kind) {
    return std::ranges::all_of(target.findings, [&](const Finding& finding) { return finding.kind == kind; });
  };
  return only(Kind::crash)     ? TargetOutcome::crashed
         : only(Kind::timeout) ? TargetOutcome::timed_out
                               : TargetOutcome::found;
}

int exit_status(const Report& report) {
  if (std::ranges::any_of(report.targets, [](const TargetReport& target) { return target.counted() > 0; }))
    return 1;
  if (std::ranges::any_of(report.targets, is_inconclusive, &TargetReport::outcome))
    return 4;
  return 0;
}

} // namespace faultline::campaign
