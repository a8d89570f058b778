#include "judge/tasks/end_told.h"

#include "judge/diagnosis/operation_text.h"
#include "judge/endings.h"
#include "judge/tasks/explainer.h"

#include <fmt/format.h>

namespace faultline::judge {

using finding::Sentence;
using finding::SentenceRole;

std::string place_of(const tape::Site& site) {
  return site.line > 0 ? fmt::format("{}:{}:{}", site.file, site.line, site.column)
                       : fmt::format("a place in {}", site.function);
}

void tell_end(const exec::Run& run, const exec::Input& input, const Judge& judge, const Tell& tell) {
  if (run.outcome == exec::Outcome::missing)
    tell(Sentence{SentenceRole::unknown,
                  fmt::format("unknown: it {}; {}", run.ending.words, advice_on_missing(run.ending))});
  else if (!run.refused_at)
    tell(finding::FindingMessage{finding::FindingRole::found, finding_of(end_of(run), input, judge, given_strategy)});
}

void tell_last_operation(const tape::Tape& tape, const Tell& tell) {
  for (uint32_t last = tape.size(); last-- > 1;) {
    if (ops::is_leaf(tape.site(last).op))
      continue;
    tell(Sentence{SentenceRole::note, fmt::format("the last floating-point operation before that is at {}: {}",
                                                  place_of(tape.site(last)), carried_out(tape, last))});
    return;
  }
}

} // namespace faultline::judge
