#include "judge/endings.h"

#include <fmt/format.h>

namespace faultline::judge {

using finding::Finding;
using finding::Kind;

bool End::is_like(const End& other) const {
  return outcome == other.outcome && ending.thrown == other.ending.thrown && at == other.at;
}

End end_of(const exec::Run& run) { return {run.outcome, run.ending, run.ended_at}; }

Finding finding_of(const End& end, const exec::Input& input, const Judge& judge, const std::string& strategy) {
  if (!end.by_choice())
    return judge.crash(input, end.outcome, strategy);
  Finding finding = judge.blank(Kind::exception, input, strategy);
  finding.oracle = "none";
  if (end.at) {
    judge.name_cause(finding, end.at->place);
    finding.cause->operation = end.at->function;
  }
  if (end.ending.thrown.empty()) {
    finding.detail = end.ending.words;
    return finding;
  }
  finding.thrown = finding::Thrown{end.ending.thrown, end.ending.words};
  finding.detail =
      fmt::format("threw {}{}{}", end.ending.thrown, end.ending.words.empty() ? "" : ": ", end.ending.words);
  if (end.ending.refuses)
    finding.aftermath.emplace().reported_by = "exception";
  return finding;
}

std::string advice_on_missing(const exec::Ending& ending) {
  return ending.missing.empty()
             ? "name the file that defines it, too"
             : fmt::format("name the file that defines it, too, or --reject {} if it reports an error", ending.missing);
}

std::string refusal_words(const exec::Run& run) {
  if (!run.refused_at)
    return {};
  const runtime::Site& place = run.refused_at->place;
  return fmt::format("{} was called{}", run.refused_at->function,
                     place.line > 0 ? fmt::format(" at {}:{}", place.file, place.line) : "");
}

} // namespace faultline::judge
