// Rounds in functions, chosen by yield, carried out by workers on this machine, and recorded in a store: the campaign's
// own, or that of a task which has some of its functions elsewhere.
#pragma once

#include "campaign/arms.h"
#include "campaign/recording.h"
#include "campaign/store/database.h"
#include "campaign/store/finding_table.h"
#include "finding/job.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "hunt/job_chain.h"
#include "hunt/targets.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace faultline::campaign {

// The functions of a program beside what a store knows of them: what rounds are chosen from, here or elsewhere.
struct CampaignTargets {
  HuntTargets selected;
  std::vector<TargetRow> rows;                           // one a target, as all that follow
  std::vector<std::vector<finding::Retry>> first_inputs; // tried in the first look
  std::vector<bool> has_outputs;                         // some that --output names

  CampaignTargets(HuntTargets selected, std::vector<TargetRow> rows,
                  std::vector<std::vector<finding::Retry>> first_inputs);

  // `evaluations`: of each function, in all runs together.
  bool has_had_all(size_t i, std::optional<uint64_t> evaluations) const;
};

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

// The inputs that are known to break a function, to be tried again when it has changed.

// Those of its findings and of their witnesses, as far as they fit its ranges and formats.
std::vector<finding::Retry> known_inputs(Database& database, int64_t row, const frontend::Target& target,
                                         const finding::Settings& settings);

// The same of what a first look has found, to be diagnosed. Crashes and hangs are left out: all is known of them.
std::vector<finding::Retry> inputs_to_diagnose(Database& database, int64_t row, const frontend::Target& target,
                                               const finding::Settings& settings);

// Of its findings: what another search need not diagnose again.
std::vector<finding::KnownCause> known_causes_of(Database& database, int64_t row);

} // namespace faultline::campaign
