// A remedy that helps one input (explain/remedy.h) is tried on a thousand others before it is offered: it must never be
// worse than the code by more than a change may cost (judge/diagnosis/comparison.h), and better where the code is
// wrong. Where it helps on one side of a bound only, it is offered with that condition.
//
// How many inputs there are is counted, so that the same seed has the same hints; the clock is a fuse. What was not
// tried on enough inputs is not offered.
#pragma once

#include "explain/remedy.h"
#include "finding/settings/settings.h"
#include "judge/diagnosis/remedy_attempt.h"
#include "judge/tasks/deadline.h"

#include <span>

namespace faultline::judge {

class RemedyTrial {
public:
  // `everyday` is a part of `space`, which has the inputs that are searched. No deadline: it takes as long as it takes.
  RemedyTrial(exec::Session& session, const finding::Settings& settings, Judge& judge, const search::Space& space,
              const search::Space& everyday, Deadline* deadline = nullptr)
      : session_(session), settings_(settings), space_(space), everyday_(everyday), deadline_(deadline),
        comparison_(session, judge) {}

  // Gives the finding's diagnosis the first of these remedies that stands the trial. The code is run on the way.
  void choose(finding::Finding& finding, std::span<const explain::Remedy> remedies);

private:
  bool begin(const finding::Finding& finding);
  void fill(Bench& bench, const finding::Finding& finding);
  void add_borders(Bench& bench, size_t count);
  std::vector<exec::Input> shown_by(const finding::Finding& finding) const;
  finding::Remedy offered(const explain::Remedy& remedy, const Stood& stood) const;
  bool out_of_time();

  exec::Session& session_;
  const finding::Settings& settings_;
  const search::Space& space_;
  const search::Space& everyday_;
  Deadline* deadline_;
  Comparison comparison_;
};

} // namespace faultline::judge
