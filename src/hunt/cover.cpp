#include "hunt/cover.h"

#include "frontend/error.h"
#include "frontend/fpcore_export/exported.h"
#include "hunt/hunt.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "search/paths/path_tree.h"

#include <algorithm>
#include <limits>
#include <set>

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

using Decision = std::pair<uint32_t, int64_t>; // a site, and the branch taken there

bool takes(const RunMessage& run, const Decision& decision) {
  return std::ranges::find(run.decisions, decision) != run.decisions.end();
}

// Chooses inputs that together show all wanted decisions that any input shows: those that show most first, and of equal
// ones the least strange. Inputs that are not everyday are chosen only for decisions that no other input shows.
std::vector<size_t> fewest(std::set<Decision> wanted, const std::vector<RunMessage>& runs,
                           const std::vector<double>& strangeness) {
  std::vector<size_t> kept;
  for (const double most_strange : {search::strange, std::numeric_limits<double>::infinity()})
    for (;;) {
      size_t best = 0, most = 0;
      for (size_t i = 0; i < runs.size(); ++i) {
        const auto shows = size_t(std::ranges::count_if(
            runs[i].decisions, [&](const Decision& decision) { return wanted.contains(decision); }));
        if (strangeness[i] < most_strange &&
            (shows > most || (shows == most && most > 0 && strangeness[i] < strangeness[best]))) {
          most = shows;
          best = i;
        }
      }
      if (most == 0)
        break;
      kept.push_back(best);
      for (const Decision& decision : runs[best].decisions)
        wanted.erase(decision);
    }
  std::ranges::sort(kept);
  return kept;
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
    const Assignment assignment{.job = job_for(report_.target, settings_, options_, std::move(task)),
                                .target = &report_.target,
                                .on_message =
                                    [&](const Message& message) {
                                      if (const auto* failure = std::get_if<finding::Failure>(&message)) {
                                        error.emplace(failure->status, failure->what, failure->hint);
                                      } else if (const auto* death = std::get_if<finding::WorkerDeath>(&message)) {
                                        branches_.clear();
                                        report_.note = death->out_of_time
                                                           ? note_of(*death)
                                                           : "a call killed the worker process, and was left out";
                                      } else {
                                        on_message(message);
                                      }
                                    },
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
        branches_.push_back(*branch);
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

  // Collects the distinct inputs of the branches in their order.
  void choose_inputs() {
    for (const BranchMessage& branch : branches_)
      if (branch.branch.standing == Standing::covered && std::ranges::find(inputs_, branch.input) == inputs_.end())
        inputs_.push_back(branch.input);
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
    const std::vector<size_t> kept = fewest(std::move(wanted), runs, strangeness);
    for (const size_t i : kept)
      report_.tests.push_back(test_of(inputs_[i], runs[i]));
    for (const BranchMessage& branch : branches_)
      report_.branches.push_back(branch_of(branch, kept, runs));
  }

  CoverTest test_of(const finding::Input& input, const RunMessage& run) const {
    CoverTest test{judge::named_input(report_.target, input), input, run.ending, run.returned, run.missing, {}};
    const std::vector<frontend::Cell>& cells = report_.target.outputs;
    for (size_t i = 0; run.returned && i < run.outputs.size() && i < cells.size(); ++i)
      test.outputs.push_back({cells[i].name, judge::number_of(run.outputs[i], cells[i].type)});
    return test;
  }

  CoveredBranch branch_of(const BranchMessage& branch, const std::vector<size_t>& kept,
                          const std::vector<RunMessage>& runs) {
    CoveredBranch covered = branch.branch;
    if (covered.standing != Standing::covered)
      return covered;
    for (size_t test = 0; test < kept.size(); ++test)
      if (takes(runs[kept[test]], {branch.site, branch.outcome})) {
        covered.shown = test;
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
