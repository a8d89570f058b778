// Chooses rounds by yield, carries them out by workers on this machine, and records them in a store: the campaign's, or
// that of a task with some of its functions.
#pragma once

#include "campaign/arms.h"
#include "campaign/recording.h"
#include "campaign/store/database.h"
#include "campaign/store/finding_table.h"
#include "hunt/job_chain.h"
#include "hunt/targets.h"
#include "model/job.h"
#include "model/settings/settings.h"
#include "model/target.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace faultline::campaign {

// The functions of a program together with their rows in a store, from which rounds are chosen, here or remotely.
struct CampaignTargets {
  hunt::HuntTargets selected;
  std::vector<TargetRow> rows;                         // one per target, as in the following members
  std::vector<std::vector<model::Retry>> first_inputs; // tried in the first look
  std::vector<bool> has_outputs;                       // true if it has outputs that --output names

  CampaignTargets(hunt::HuntTargets selected, std::vector<TargetRow> rows,
                  std::vector<std::vector<model::Retry>> first_inputs);

  // True if a target has reached its limit. `evaluations`: the limit of each function over all runs.
  bool has_had_all(size_t i, std::optional<uint64_t> evaluations) const;
};

// The context that the rounds of a run share.
struct RoundsOf {
  Database& database;
  const hunt::Options& options;
  uint64_t seed = 1;                   // the campaign's
  int64_t run = 0;                     // its row
  std::optional<uint64_t> evaluations; // of each function, over all runs
};

// A round that has ended.
struct FinishedRound {
  const JobRow& row;
  const hunt::JobChain& chain;
  const model::TargetReport& found;
};

// `i`: the target. Its row is already updated.
using OnRecorded = std::function<void(size_t i, const FinishedRound& round, const RoundResult& recorded)>;

class Rounds {
public:
  Rounds(const RoundsOf& of, CampaignTargets& targets, OnRecorded on_recorded);

  // Runs rounds until all targets have reached their limit, or `may_begin` returns false. `halt` ends jobs in progress,
  // too. `on_idle` is called a few times per second.
  void run(const std::atomic<bool>& halt, const std::function<bool()>& may_begin, const std::function<void()>& on_idle);

private:
  std::optional<hunt::Assignment> next();
  JobRow row_of_next(const TargetRow& row, const model::Settings& settings);
  hunt::Assignment begin(size_t i);
  void end(size_t i, const JobRow& row, hunt::JobChain& chain);

  RoundsOf of_;
  CampaignTargets& targets_;
  OnRecorded on_recorded_;
  const hunt::Listener quiet_;
  hunt::HuntContext context_;
  std::vector<bool> busy_; // by target
  std::vector<std::optional<exec::Reference>> references_;
  std::map<int64_t, JobRow> left_over_; // by target's row
  uint64_t turn_ = 0;
};

// Returns the inputs of a function's findings and their witnesses that fit its ranges and formats. They are tried again
// when the function has changed.
std::vector<model::Retry> known_inputs(Database& database, int64_t row, const model::Target& target,
                                       const model::Settings& settings);

// The same for the findings of a first look that are to be diagnosed. Crashes and hangs need no diagnosis.
std::vector<model::Retry> inputs_to_diagnose(Database& database, int64_t row, const model::Target& target,
                                             const model::Settings& settings);

// Returns the causes of its findings, which another search need not diagnose again.
std::vector<model::KnownCause> known_causes_of(Database& database, int64_t row);

} // namespace faultline::campaign
