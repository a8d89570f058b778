#include "finding/campaign/known_cause.h"

#include "finding/problem.h"

#include <algorithm>

namespace faultline::finding {
namespace {

bool is_of(const KnownCause& known, const Finding& finding) {
  return known.kind == finding.kind && finding.cause && known.file == finding.cause->file &&
         known.line == finding.cause->line && known.column == finding.cause->column &&
         known.operation == finding.cause->operation;
}

} // namespace

std::vector<KnownCause> known_causes(const std::vector<Finding>& findings) {
  std::vector<KnownCause> causes;
  for (const Finding& finding : findings) {
    if (!finding.cause || finding.cause->line == 0)
      continue;
    auto known = std::ranges::find_if(causes, [&](const KnownCause& cause) { return is_of(cause, finding); });
    if (known == causes.end())
      known = causes.insert(causes.end(), {finding.kind, finding.cause->file, finding.cause->line,
                                           finding.cause->column, finding.cause->operation});
    known->tier = std::min(known->tier, tier_of(finding));
    known->everyday = known->everyday || finding.everyday;
    known->size = std::max(known->size, capped_size(finding));
  }
  return causes;
}

bool says_nothing_new(const Collection::Entry& entry, const std::vector<KnownCause>& known) {
  constexpr double much = 2; // as is_much_larger has it
  const Finding& speaker = entry.speaker ? *entry.speaker : entry.largest;
  const auto cause = std::ranges::find_if(known, [&](const KnownCause& each) { return is_of(each, speaker); });
  return cause != known.end() && tier_of(speaker) >= cause->tier && (!speaker.everyday || cause->everyday) &&
         capped_size(entry.largest) <= much * cause->size;
}

} // namespace faultline::finding
