#include "finding/tier.h"

#include "finding/names.h"

namespace faultline::finding {
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
      return Tier::note; // a loop with a fixed number of turns: that many may be meant
    return finding.everyday ? Tier::warning : Tier::note;
  case Verdict::ill_conditioned:
  case Verdict::inherent:
    break;
  }
  return Tier::note;
}

// Of an infinity, NaN or lost number that the hardware has flagged.
Tier of_exception(const Finding& finding, const Aftermath& aftermath) {
  const bool has_effect = aftermath.reaches_output || aftermath.result == Result::wrong;
  if (!finding.counts() || !aftermath.silent() || aftermath.result == Result::right || !has_effect)
    return Tier::note;
  return by_verdict(finding);
}

} // namespace

std::string_view text(Tier tier) { return name_of(tier_names, tier); }
std::optional<Tier> tier_of(std::string_view text) { return id_of(tier_names, text); }

Tier tier_of(const Finding& finding) {
  if (is_error(finding.kind))
    return by_verdict(finding);
  if (is_exception(finding.kind))
    return of_exception(finding, finding.aftermath.value_or(Aftermath()));
  if (finding.kind == Kind::exception && finding.aftermath && !finding.aftermath->silent())
    return Tier::note; // the caller is told what is wrong with the input
  if (finding.kind == Kind::crash && finding.doubtful)
    return finding.everyday ? Tier::warning : Tier::note; // as what is unknown
  return finding.everyday ? Tier::error : Tier::warning;
}

bool is_folded(const Finding& finding) {
  return finding.aftermath && (finding.aftermath->result == Result::right || finding.aftermath->harmless);
}

} // namespace faultline::finding
