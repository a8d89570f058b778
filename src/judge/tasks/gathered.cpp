#include "judge/tasks/gathered.h"

namespace faultline::judge {

using finding::Collection;
using finding::Finding;

void Gathered::keep(std::vector<Found> all) {
  for (auto& [finding, analysis] : all) {
    finding.id = identify(function_, finding);
    analyses_.keep(finding.id, std::move(analysis));
    findings_.add(std::move(finding));
  }
}

void Gathered::keep(std::vector<Finding> findings) {
  for (Finding& finding : findings)
    keep(std::optional(std::move(finding)));
}

void Gathered::keep(std::optional<Finding> finding) {
  if (!finding)
    return;
  finding->id = identify(function_, *finding);
  findings_.add(std::move(*finding));
}

Gathered::Finished Gathered::finished(Completion& completion, Occurrence& occurrence, Deadline& deadline,
                                      Finish finish) {
  std::vector<Finding> finished, again;
  auto diagnose = [&](Found& found) {
    deadline.within(end_of_diagnosing, [&] {
      completion.diagnose(found, finish == Finish::whole ? Completion::Inputs::any : Completion::Inputs::its_own);
    });
  };
  for (Collection::Entry& entry : findings_.entries()) {
    Finding& speaker = entry.speaker ? *entry.speaker : entry.largest;
    if (says_nothing_new(entry, known_)) {
      again.push_back(std::move(speaker));
      continue;
    }
    Found speaking{speaker, analyses_.find(speaker.id)};
    if (finish != Finish::own_inputs)
      deadline.within(end_of_simplifying, [&] {
        completion.simplify(speaking, finish == Finish::whole ? Simplest::wanted : Simplest::everyday_will_do);
      });
    Found largest{std::move(entry.largest), nullptr};
    if (finish == Finish::whole)
      deadline.within(end_of_simplifying, [&] { completion.approach_root(largest); });
    const bool moved = speaking.finding.id != largest.finding.id;
    if (moved && is_much_larger(largest.finding, speaking.finding)) {
      speaking.finding.also.clear();
      speaking.finding.merged = 0;
      if (!largest.analysis)
        largest.analysis = analyses_.find(largest.finding.id);
      diagnose(largest);
      finished.push_back(std::move(largest.finding));
    } else if (moved && is_error(speaking.finding.kind)) {
      absorb(speaking.finding, std::move(largest.finding));
    }
    diagnose(speaking);
    if (tier_of(speaking.finding) != finding::Tier::note && finish == Finish::whole)
      deadline.within(end_of_simplifying, [&] { occurrence.measure(speaking.finding); });
    finished.push_back(std::move(speaking.finding));
  }
  sort_findings(finished);
  return {std::move(finished), std::move(again)};
}

} // namespace faultline::judge
