// The hunt in one target, as a worker carries it out: search, then judge what was found.
#pragma once

#include "exec/reference.h"
#include "exec/worker.h"
#include "finding/job.h"
#include "judge/judge.h"
#include "judge/tasks/tell.h"
#include "search/evaluator.h"

#include <functional>

namespace faultline::judge {

// Retries are judged beside what the search finds.
void hunt_target(exec::Session& session, const finding::Settings& settings, const finding::HuntTask& task,
                 exec::Reference* reference, const exec::Channel& channel, const Tell& tell);

// The first finding on the screen while the search goes on: a promising input is judged in between, and told at once.
//
// In a long search only, and not often: what is sighted is found again at the end, with the rest. When that is depends
// on the work that was done and not on the clock, as a worker that died is started again and must make the same calls.
class Sightings {
public:
  // `judge` is one of its own: what it could not judge does not count.
  Sightings(const search::Evaluator& evaluator, Judge judge, std::function<void(const finding::Finding&)> tell)
      : evaluator_(evaluator), judge_(std::move(judge)), tell_(std::move(tell)) {}

  void promising(const exec::Input& input, double error);
  void between_runs();                        // may run the code
  double seconds() const { return seconds_; } // that it took: no part of the search

private:
  uint64_t work() const;

  const search::Evaluator& evaluator_;
  Judge judge_;
  std::function<void(const finding::Finding&)> tell_;
  exec::Input best_;
  double error_ = 0; // of it, by its score
  double told_ = 0;
  uint64_t next_ = 20'000'000; // at so much work
  double seconds_ = 0;
};

} // namespace faultline::judge
