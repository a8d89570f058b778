#include "model/finding.h"

#include "model/set_aside.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace faultline::model {

bool is_wanted(Kind kind, const WantedKinds& wanted) {
  if (is_ending(kind))
    return wanted.crashes;
  if (is_exception(kind))
    return wanted.exceptions;
  return kind == Kind::branch_flip ? wanted.branches : kind == Kind::bound_violated ? wanted.bound : wanted.error;
}

namespace {

constexpr auto tier_names = std::to_array<std::pair<Tier, std::string_view>>({
    {Tier::error, "error"},
    {Tier::warning, "warning"},
    {Tier::note, "note"},
});

Tier by_verdict(const Finding& finding) {
  switch (finding.verdict) {
  case Verdict::avoidable:
    return finding.everyday && !finding.half_digits ? Tier::error : Tier::warning;
  case Verdict::unknown:
    if (finding.is_truncated())
      return Tier::note; // a loop with a fixed number of iterations may be intentional
    return finding.everyday ? Tier::warning : Tier::note;
  case Verdict::ill_conditioned:
  case Verdict::inherent:
    break;
  }
  return Tier::note;
}

// The tier of an infinity, NaN or lost number that the hardware flagged.
Tier of_exception(const Finding& finding, const Aftermath& aftermath) {
  const bool has_effect = aftermath.reaches_output || aftermath.result == Result::wrong;
  if (!finding.counts() || !aftermath.silent() || aftermath.result == Result::right || !has_effect)
    return Tier::note;
  return by_verdict(finding);
}

constexpr auto verdict_names = std::to_array<std::pair<Verdict, std::string_view>>({
    {Verdict::avoidable, "avoidable"},
    {Verdict::ill_conditioned, "ill-conditioned"},
    {Verdict::inherent, "inherent"},
    {Verdict::unknown, "unknown"},
});

constexpr auto result_names = std::to_array<std::pair<Result, std::string_view>>({
    {Result::unknown, "unknown"},
    {Result::right, "right"},
    {Result::wrong, "wrong"},
});

} // namespace

std::string_view text(Tier tier) { return name_of(tier_names, tier); }
std::optional<Tier> tier_of(std::string_view text) { return id_of(tier_names, text); }

bool is_far_out(const Finding& finding) {
  if (finding.everyday || finding.handles_extremes)
    return false;
  const auto leaves_range = [](Kind kind) { return kind == Kind::overflow || kind == Kind::underflow; };
  if (finding.kind == Kind::inaccuracy)
    return finding.diagnosis && (finding.diagnosis->fault == Fault::intermediate_overflow ||
                                 finding.diagnosis->fault == Fault::intermediate_underflow);
  return leaves_range(finding.kind) ||
         (finding.aftermath && finding.aftermath->origin && leaves_range(finding.aftermath->origin->kind));
}

Tier tier_of(const Finding& finding) {
  if (!finding.built.empty() || is_far_out(finding))
    return Tier::note; // the user's own build does not fail, or no caller goes there
  if (is_error(finding.kind))
    return by_verdict(finding);
  if (is_exception(finding.kind))
    return of_exception(finding, finding.aftermath.value_or(Aftermath()));
  if (finding.kind == Kind::exception && finding.aftermath && !finding.aftermath->silent())
    return Tier::note; // the function reports the error to its caller
  if (finding.kind == Kind::crash && finding.doubtful)
    return finding.everyday ? Tier::warning : Tier::note; // treated like an unknown verdict
  return finding.everyday ? Tier::error : Tier::warning;
}

bool is_folded(const Finding& finding) {
  return finding.aftermath && (finding.aftermath->result == Result::right || finding.aftermath->harmless);
}

std::string_view text(Result result) { return name_of(result_names, result); }
std::optional<Result> result_of(std::string_view text) { return id_of(result_names, text); }

std::string_view text(Kind kind) { return info(kind).text; }

std::optional<Kind> kind_of(std::string_view text) {
  const auto* found = std::ranges::find(all_kinds, text, &KindInfo::text);
  return found == std::end(all_kinds) ? std::nullopt : std::optional(found->kind);
}

Kind kind_of(ops::Exception exception) {
  switch (exception) {
#define FAULTLINE_EXCEPTION_KIND(id, text)                                                                             \
  case ops::Exception::id:                                                                                             \
    return Kind::id;
    FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_KIND)
#undef FAULTLINE_EXCEPTION_KIND
  case ops::Exception::none:
    break;
  }
  return Kind::invalid;
}

bool is_at(const ChainLink& step, const std::optional<Cause>& cause) {
  return cause && step.file == cause->file && step.line == cause->line && step.column == cause->column &&
         step.operation == cause->operation;
}

std::string_view rule(const Finding& finding) {
  const bool classified = finding.kind == Kind::inaccuracy && finding.diagnosis;
  return classified ? text(finding.diagnosis->fault) : text(finding.kind);
}

std::string_view text(Verdict verdict) { return name_of(verdict_names, verdict); }
std::optional<Verdict> verdict_of(std::string_view text) { return id_of(verdict_names, text); }

std::string identify(const std::string& function, const Finding& finding) {
  Hash hash;
  hash.add(function);
  hash.add(text(finding.kind));
  if (finding.cause)
    hash.add(fmt::format("{}:{}:{}:{}", std::filesystem::path(finding.cause->file).filename().string(),
                         finding.cause->line, finding.cause->column, finding.cause->operation));
  for (const NamedNumber& number : finding.input)
    hash.add(number.value.hex);
  return hash.text();
}

} // namespace faultline::model
