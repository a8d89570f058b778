#include "judge/tasks/sighting.h"

#include "base/clock.h"

namespace faultline::judge {

using finding::Finding;
namespace {

constexpr uint64_t pause = 20'000'000; // records: about half a second
constexpr uint64_t work_of_a_run = 200;
constexpr double news = 8; // times larger than what was told

} // namespace

uint64_t Sightings::work() const { return evaluator_.records() + work_of_a_run * evaluator_.evaluations(); }

void Sightings::promising(const exec::Input& input, double error) {
  if (error > error_) {
    best_ = input;
    error_ = error;
  }
}

void Sightings::between_runs() {
  if (!(error_ > news * told_) || work() < next_)
    return;
  next_ = work() + pause;
  const base::Stopwatch watch;
  const double score = error_;
  try {
    for (const auto& [finding, analysis] : judge_.errors(best_, ""))
      if (is_error(finding.kind) && finding.error) {
        tell_(finding);
        break;
      }
  } catch (const base::TimeLimitExceeded&) { // the search is over soon
  }
  told_ = score; // whatever the judge said of it
  seconds_ += watch.seconds();
}

} // namespace faultline::judge
