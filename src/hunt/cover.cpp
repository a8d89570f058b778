#include "hunt/cover.h"

#include "finding/uncovered.h"
#include "frontend/error.h"
#include "frontend/fpcore_export/exported.h"
#include "hunt/hunt.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "numeric/decimal.h"
#include "search/paths/path_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace faultline::campaign {

using finding::BranchMessage;
using finding::CoveredBranch;
using finding::CoverReport;
using finding::CoverTest;
using finding::Message;
using finding::RunMessage;
using finding::Standing;

std::string export_fpcore(const Options& options) {
  Options own = options;
  own.sources.as_written = true; // keep the loops of the source
  own.sources.preconditions = frontend::fpcore::Preconditions::left_out;
  frontend::Program program = load_program(own);
  const frontend::Target target = single_target(program, own);
  const finding::Settings settings = settings_for(target, own);
  frontend::fpcore::ExportedWith with{{}, settings.held};
  for (const auto& [name, range] : settings.ranges)
    with.ranges[name] = {range.low, range.high};
  return frontend::fpcore::exported(program.bitcode_of({target.symbol}), target, with);
}

namespace {

using Decision = finding::Uncovered::Decision;

// Chooses inputs that together show all wanted decisions that any input shows: those that show most first, and of equal
// ones the least strange. Inputs that are not everyday are chosen only for decisions that no other input shows.
std::vector<size_t> fewest(const std::set<Decision>& wanted, const std::vector<RunMessage>& runs,
                           const std::vector<double>& strangeness) {
  std::vector<finding::Uncovered::Candidate> candidates;
  for (size_t i = 0; i < runs.size(); ++i)
    candidates.push_back({runs[i].decisions, !(strangeness[i] < search::strange), strangeness[i]});
  finding::Uncovered uncovered(std::move(candidates),
                               [&](const Decision& decision) { return wanted.contains(decision); });
  std::vector<size_t> kept;
  while (const std::optional<size_t> best = uncovered.best()) {
    kept.push_back(*best);
    uncovered.take(*best);
  }
  std::ranges::sort(kept);
  return kept;
}

// For each decision the first kept run that shows it.
std::map<Decision, size_t> first_shown(const std::vector<size_t>& kept, const std::vector<RunMessage>& runs) {
  std::map<Decision, size_t> first;
  for (size_t test = 0; test < kept.size(); ++test)
    for (const Decision& decision : runs[kept[test]].decisions)
      first.try_emplace(decision, test);
  return first;
}

Options as_written(Options options) {
  options.sources.as_written = true;
  return options;
}

class Covering {
public:
  Covering(const Options& options, const finding::ExploreTask& how, const std::function<void(uint64_t)>& on_progress,
           const std::atomic<bool>& stop)
      : options_(options), how_(how), on_progress_(on_progress), stop_(stop),
        program_(load_program(as_written(options))) {
    report_.version = finding::version;
    report_.command = options.command;
    report_.loop_bound = how.loop_bound;
    report_.target = single_target(program_, options, Fit::callable);
    settings_ = settings_for(report_.target, options);
    report_.note = measure(program_, report_.target, settings_, options).note;
    judge::check_names({report_.target}, options.settings);
    report_.seed = settings_.seed;
  }

  CoverReport run() {
    report_.inputs = searched_ranges(report_.target, settings_);
    explore();
    choose_inputs();
    replay();
    report_.interrupted = stop_;
    return std::move(report_);
  }

private:
  void in_worker(finding::Task task, double seconds, const std::function<void(const Message&)>& on_message) {
    std::optional<frontend::UserError> error;
    const Assignment assignment{
        .job = job_for(report_.target, settings_, options_, std::move(task)),
        .target = &report_.target,
        .on_message =
            [&](const Message& message) {
              if (const auto* failure = std::get_if<finding::Failure>(&message)) {
                error.emplace(failure->status, failure->what, failure->hint);
              } else if (const auto* death = std::get_if<finding::WorkerDeath>(&message)) {
                branches_.clear();
                report_.note =
                    death->out_of_time ? note_of(*death) : "a call killed the worker process, and was left out";
              } else {
                on_message(message);
              }
            },
        .on_unreadable =
            [&](const std::string& why) { report_.note = "a message of its worker could not be read: " + why; },
        .seconds = seconds};
    campaign::run({assignment}, program_, 1, options_.worker, stop_, [] {});
    if (error)
      throw *error;
  }

  void explore() {
    in_worker(how_, seconds_to_search(settings_.budget_seconds), [&](const Message& message) {
      if (const auto* progress = std::get_if<finding::SearchProgress>(&message)) {
        on_progress_(progress->evaluations);
      } else if (const auto* branch = std::get_if<BranchMessage>(&message)) {
        take(*branch);
      } else if (const auto* done = std::get_if<finding::ExplorationDone>(&message)) {
        report_.paths = done->paths;
        report_.complete = done->complete;
        report_.bounded = done->bounded;
        report_.questions = done->questions;
        report_.unanswered = done->unanswered;
        report_.evaluations = done->evaluations;
        report_.seconds = done->seconds;
      }
    });
  }

  void take(BranchMessage branch) {
    if (branch.branch.standing == Standing::covered)
      branch.input = checked_input(report_.target, branch.input);
    branches_.push_back(std::move(branch));
  }

  // Collects the distinct inputs of the branches in their order.
  void choose_inputs() {
    std::set<std::vector<std::string>> known;
    for (const BranchMessage& branch : branches_)
      if (branch.branch.standing == Standing::covered) {
        std::vector<std::string> texts;
        for (const numeric::Value value : branch.input)
          texts.push_back(numeric::hex_float(value));
        if (known.insert(std::move(texts)).second)
          inputs_.push_back(branch.input);
      }
  }

  void replay() {
    std::vector<RunMessage> runs(inputs_.size());
    if (!inputs_.empty())
      in_worker(finding::DecisionsTask{inputs_}, seconds_for_the_rest(settings_.budget_seconds, report_.seconds),
                [&](const Message& message) {
                  if (const auto* run = std::get_if<RunMessage>(&message); run && run->input < runs.size())
                    runs[run->input] = *run;
                });
    std::set<Decision> wanted;
    for (const BranchMessage& branch : branches_)
      if (branch.branch.standing == Standing::covered)
        wanted.insert({branch.site, branch.outcome});
    const search::Space space = judge::space_of(report_.target, settings_);
    std::vector<double> strangeness;
    for (const finding::Input& input : inputs_)
      strangeness.push_back(search::strangeness(space, input));
    const std::vector<size_t> kept = fewest(wanted, runs, strangeness);
    const std::map<Decision, size_t> shown = first_shown(kept, runs);
    for (const size_t i : kept)
      report_.tests.push_back(test_of(inputs_[i], runs[i]));
    for (const BranchMessage& branch : branches_)
      report_.branches.push_back(branch_of(branch, shown));
  }

  CoverTest test_of(const finding::Input& input, const RunMessage& run) const {
    CoverTest test{judge::named_input(report_.target, input), input, run.ending, run.returned, run.missing, {}};
    const std::vector<frontend::Cell>& cells = report_.target.outputs;
    for (size_t i = 0; run.returned && i < run.outputs.size() && i < cells.size(); ++i)
      test.outputs.push_back({cells[i].name, judge::number_of(run.outputs[i], cells[i].type)});
    return test;
  }

  CoveredBranch branch_of(const BranchMessage& branch, const std::map<Decision, size_t>& shown) {
    CoveredBranch covered = branch.branch;
    if (covered.standing != Standing::covered)
      return covered;
    if (const auto test = shown.find({branch.site, branch.outcome}); test != shown.end()) {
      covered.shown = test->second;
      return covered;
    }
    ++report_.not_replayed;
    covered.standing = Standing::open;
    covered.why = "a fresh process did not confirm its input";
    return covered;
  }

  Options options_;
  finding::Settings settings_;
  const finding::ExploreTask& how_;
  const std::function<void(uint64_t)>& on_progress_;
  const std::atomic<bool>& stop_;
  frontend::Program program_;
  CoverReport report_;
  std::vector<BranchMessage> branches_;
  std::vector<finding::Input> inputs_;
};

} // namespace

CoverReport cover(const Options& options, const finding::ExploreTask& how,
                  const std::function<void(uint64_t)>& on_progress, const std::atomic<bool>& stop) {
  return Covering(options, how, on_progress, stop).run();
}

} // namespace faultline::campaign
