// Rounds in functions, chosen by yield, carried out by workers on this machine, and recorded in a store: the campaign's
// own, or that of a task which has some of its functions elsewhere.
#pragma once

#include "campaign/campaign_targets.h"
#include "campaign/recording.h"
#include "campaign/schedule/arms.h"
#include "hunt/job_chain.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace faultline::campaign {

// What the rounds of a run have in common.
struct RoundsOf {
  Database& database;
  const Options& options;
  uint64_t seed = 1;                   // the campaign's
  int64_t run = 0;                     // its row
  std::optional<uint64_t> evaluations; // of each function, in all runs together
};

// A round that has come to its end.
struct FinishedRound {
  const JobRow& row;
  const JobChain& chain;
  const finding::TargetReport& found;
};

// `i`: the target. Its row is that of after the round.
using OnRecorded = std::function<void(size_t i, const FinishedRound& round, const Recorded& recorded)>;

class Rounds {
public:
  Rounds(const RoundsOf& of, CampaignTargets& targets, OnRecorded on_recorded);

  // Until all have had what they may, or `may_begin` says no. `halt`: nobody waits for jobs that are under way any
  // more. `on_idle` is called a few times a second.
  void run(const std::atomic<bool>& halt, const std::function<bool()>& may_begin, const std::function<void()>& on_idle);

private:
  std::optional<Assignment> next();
  JobRow row_of_next(const TargetRow& row, const finding::Settings& settings);
  Assignment begin(size_t i);
  void end(size_t i, const JobRow& row, JobChain& chain);

  RoundsOf of_;
  CampaignTargets& targets_;
  OnRecorded on_recorded_;
  const Listener quiet_;
  HuntContext context_;
  std::vector<bool> busy_; // by target
  std::vector<std::optional<exec::Reference>> references_;
  std::map<int64_t, JobRow> left_over_; // by target's row
  uint64_t turn_ = 0;
};

} // namespace faultline::campaign
