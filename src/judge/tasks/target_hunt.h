// The hunt in one target, in a worker: searches, then judges the candidates.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "search/evaluator.h"

#include <functional>

namespace faultline::judge {

// Retries are judged in addition to the search's candidates.
void hunt_target(exec::Session& session, const finding::Settings& settings, const finding::HuntTask& task,
                 exec::Reference* reference, const exec::Channel& channel, const Tell& tell);

// The first finding on the screen during the search: a promising input is judged and reported at once.
//
// Only in a long search, and rarely: the final judgement finds it again with the rest. The time of a sighting depends
// on the work done and not on the clock, since a worker that is restarted must make the same calls.
class Sightings {
public:
  // `judge` is a separate one: its failures do not count.
  Sightings(const search::Evaluator& evaluator, Judge judge, std::function<void(const finding::Finding&)> tell)
      : evaluator_(evaluator), judge_(std::move(judge)), tell_(std::move(tell)) {}

  void promising(const exec::Input& input, double error);
  void between_runs();                        // may run the code
  double seconds() const { return seconds_; } // its own, which are not part of the search

private:
  uint64_t work() const;

  const search::Evaluator& evaluator_;
  Judge judge_;
  std::function<void(const finding::Finding&)> tell_;
  exec::Input best_;
  double error_ = 0; // estimated by its score
  double told_ = 0;
  uint64_t next_ = 20'000'000; // in records of work
  double seconds_ = 0;
};

} // namespace faultline::judge
