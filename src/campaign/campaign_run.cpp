#include "campaign/campaign_run.h"

#include "campaign/remote/left_over.h"
#include "campaign/remote/share_run.h"
#include "campaign/rounds.h"
#include "campaign/store/extent_table.h"
#include "campaign/stored_program.h"
#include "frontend/error.h"
#include "hunt/blank_report.h"
#include "hunt/seen/seen_inputs.h"

namespace faultline::campaign {
namespace {

std::vector<std::vector<finding::Retry>> first_inputs_of(const HuntTargets& selected, const Options& options) {
  std::vector<std::vector<finding::Retry>> inputs(selected.targets.size());
  for (size_t i = 0; options.seen && i < inputs.size(); ++i)
    add_seen(inputs[i], *options.seen, selected.targets[i], selected.settings[i]);
  return inputs;
}

class CampaignRun {
public:
  CampaignRun(const RoundsOf& of, CampaignTargets& targets, const RunListener& listener, const RunClock& clock)
      : of_(of), targets_(targets), listener_(listener), clock_(clock),
        tally_(of.database, of.run, targets.rows, clock_) {}

  // What tasks of an earlier run have left behind.
  void collect(const std::string& folder) {
    merge_left_over(of_, folder, targets_.rows, [this](size_t i, const Recorded& recorded) { add(i, recorded); });
  }

  // By workers of this process.
  RunEnding run_here(const std::atomic<bool>& stop) {
    std::atomic<bool> halt = false;
    Rounds rounds(of_, targets_,
                  [this](size_t i, const FinishedRound&, const Recorded& recorded) { add(i, recorded); });
    rounds.run(
        halt, [this] { return !clock_.is_over(); },
        [&] {
          halt = halt || stop || clock_.grace_is_over();
          tell();
        });
    return stop ? RunEnding::stopped : clock_.is_over() ? RunEnding::time : RunEnding::evaluations;
  }

  // By tasks elsewhere.
  RunEnding run_elsewhere(const std::string& folder, const RemoteOptions& elsewhere, const std::atomic<bool>& stop,
                          std::optional<frontend::UserError>& trouble) {
    ShareRun run(of_, targets_, elsewhere.folder.empty() ? folder : elsewhere.folder, elsewhere, clock_,
                 [this](size_t i, const Recorded& recorded) { add(i, recorded); });
    trouble = run.run(stop, [&](const std::string& how) {
      tally_.tell_elsewhere(how);
      tell();
    });
    return trouble            ? RunEnding::lost
           : stop             ? RunEnding::stopped
           : clock_.is_over() ? RunEnding::time
                              : RunEnding::evaluations;
  }

  RunResult end(RunEnding ending) {
    tally_.note_point();
    end_run(of_.database, of_.run, ending);
    return tally_.result(ending);
  }

private:
  void add(size_t i, const Recorded& recorded) {
    tally_.add(recorded, targets_.rows[i].rounds == 1 && recorded.round == first_look_round);
  }
  void tell() const {
    if (listener_.on_progress)
      listener_.on_progress(tally_.progress());
  }

  RoundsOf of_;
  CampaignTargets& targets_;
  const RunListener& listener_;
  const RunClock& clock_;
  RunTally tally_;
};

} // namespace

RunResult run_campaign(Database& database, const std::string& folder, const Options& options, const Subject& subject,
                       const std::string& commit, const RunLimits& limits, const RunListener& listener,
                       const std::optional<RemoteOptions>& elsewhere, const std::atomic<bool>& stop) {
  const RunClock clock(limits.seconds);
  const ExtentMemory memory = extent_memory(database);
  HuntTargets selected = select_targets(options, stop, &memory);
  if (stop) // functions that were not measured are not gone
    return {RunEnding::stopped, {}, {}, 0};
  const std::string program = store_program(selected.program, options.sources, folder);
  const int64_t id = begin_run(database, {commit, program, blank_report(options).configuration, clock.seconds()});
  StoredTargets stored = store_targets(database, selected, id);
  std::vector<std::vector<finding::Retry>> inputs = first_inputs_of(selected, options);
  CampaignTargets targets(std::move(selected), std::move(stored.rows), std::move(inputs));
  CampaignRun run({database, options, subject.seed, id, limits.evaluations}, targets, listener, clock);
  if (listener.on_begin)
    listener.on_begin(stored.changes);
  run.collect(folder);
  if (elsewhere && !elsewhere->folder.empty()) {
    take_shared_folder(elsewhere->folder, folder);
    run.collect(elsewhere->folder);
    copy_program(program, folder, elsewhere->folder);
  }
  std::optional<frontend::UserError> trouble;
  const RunEnding ending = elsewhere ? run.run_elsewhere(folder, *elsewhere, stop, trouble) : run.run_here(stop);
  RunResult result = run.end(ending);
  if (trouble)
    throw *trouble;
  return result;
}

} // namespace faultline::campaign
