#include "campaign/hunt.h"

#include "campaign/blank_report.h"
#include "campaign/checked_lines.h"
#include "campaign/configuration.h"
#include "campaign/corpus.h"
#include "campaign/finding_json.h"
#include "campaign/job.h"
#include "campaign/judge.h"
#include "campaign/noise.h"
#include "campaign/replay_command.h"
#include "campaign/reporting.h"
#include "campaign/space_of_target.h"
#include "campaign/target_hunt.h"
#include "campaign/worker_death.h"
#include "frontend/error.h"
#include "frontend/size.h"
#include "search/strategy.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::campaign {

using frontend::Target;
using frontend::UserError;

namespace {

// What the supervisor knows of one target while its worker is at it.
struct State {
  TargetReport report;
  bool done = false;
  uint64_t unknown = 0;
  bool out_of_time = false;
  std::optional<Finding> sighting; // the last one
  std::optional<UserError> error;
};

TargetOutcome outcome_of(const State& state, bool completed) {
  if (state.report.counted() > 0)
    return outcome_found(state.report);
  if (!completed && state.unknown == 0)
    return TargetOutcome::interrupted;
  return state.unknown > 0 ? TargetOutcome::unknown : TargetOutcome::none;
}

class Hunt {
public:
  Hunt(const Options& options, const Listener& listener)
      : options_(options), listener_(listener), start_(std::chrono::steady_clock::now()), noise_(options),
        keeping_(options.corpus) {}

  Report run(const std::atomic<bool>& stop) {
    check_strategy();
    frontend::Program program = load_program(options_);
    std::vector<Target> targets = choose(program);
    for (const Target& target : targets)
      if (options_.configuration)
        own_.push_back(options_for(target, options_));
    check_names(targets, options_);
    check_lines(program, targets, options_.checks);
    std::vector<std::optional<exec::Reference>> references = references_for(targets);
    for (size_t i = 0; i < targets.size(); ++i)
      status_hints_.push_back(status_hint(targets[i], own(i)));
    states_.resize(targets.size());
    std::vector<std::vector<Retry>> retries;
    std::vector<exec::Job> jobs;
    for (size_t i = 0; i < targets.size(); ++i) {
      retries.push_back(keeping_.retries(targets[i], own(i)));
      states_[i].report = blank_report(targets[i], own(i));
      if (judged_outputs(targets[i], own(i)).empty()) {
        states_[i].report.outcome = TargetOutcome::unknown;
        states_[i].report.note = "none of the outputs named with --output";
        continue;
      }
      jobs.push_back(make_job(
          [&, i](exec::Line& line) {
            hunt_target(std::move(program), targets[i], own(i), retries[i], references[i] ? &*references[i] : nullptr,
                        line);
          },
          [this, i](const Json& message) { on_message(states_[i], own(i), message); },
          [this, i, &targets](const exec::Death& death) { on_death(states_[i], targets[i], own(i), death); },
          [this, i](bool completed) { on_end(states_[i], completed); }));
    }
    exec::run_jobs(std::move(jobs), options_.jobs, options_.worker, stop, [this] { tell_progress(); });
    Report report = finish();
    noise_.conclude(report, program);
    std::ranges::copy(keeping_.remarks(report), std::back_inserter(report.remarks));
    return report;
  }

private:
  const Options& own(size_t target) const { return own_.empty() ? options_ : own_[target]; }

  void check_strategy() const {
    if (!search::find_strategy(options_.strategy))
      throw UserError(frontend::status_usage, fmt::format("there is no strategy '{}'", options_.strategy),
                      fmt::format("the strategies are: {}", fmt::join(search::strategy_names(), ", ")));
  }

  std::vector<Target> choose(frontend::Program& program) {
    std::vector<Target> all = targets_of(program, options_);
    if (!options_.functions.empty())
      return all;
    std::vector<Target> suitable;
    std::vector<std::string> reasons;
    frontend::check_sizes(all, options_.sizes);
    for (Target& target : all) {
      if (options_for(target, options_).skip)
        target.unsuitable = fmt::format("{} says skip", options_.configuration->file());
      if (target.suitable())
        suitable.push_back(std::move(target));
      else if (reasons.size() < 5)
        reasons.push_back(fmt::format("{}: {}", target.function, target.unsuitable));
    }
    if (suitable.empty())
      throw UserError(frontend::status_unsuitable,
                      reasons.empty() ? "there is no function with inputs and floating-point outputs"
                                      : fmt::format("no function is suitable\n  {}", fmt::join(reasons, "\n  ")),
                      "write a harness: a function with scalar parameters or plain arrays that calls the code");
    return suitable;
  }

  std::vector<std::optional<exec::Reference>> references_for(const std::vector<Target>& targets) const {
    if (options_.oracle == OracleName::reference && targets.size() != 1)
      throw UserError(frontend::status_usage, "a reference belongs to one function", "name it with -f");
    std::vector<std::optional<exec::Reference>> references;
    for (size_t i = 0; i < targets.size(); ++i)
      references.push_back(load_reference(own(i), targets[i]));
    return references;
  }

  void on_message(State& state, const Options& own, const Json& message) {
    if (auto error = error_in(message)) {
      state.error = error;
    } else if (auto progress = message.find("progress"); progress != message.end() && progress->is_number_unsigned()) {
      state.report.evaluations = progress->get<uint64_t>();
      latest_ = state.report.function;
      reached_ = message.value("reached", uint64_t(0));
      sites_ = message.value("sites", uint64_t(0));
    } else if (auto sighting = message.find("sighting"); sighting != message.end()) {
      sighted(state, own, *sighting, true);
    } else if (auto retried = message.find("retried"); retried != message.end()) {
      sighted(state, own, *retried, false);
    } else if (auto finding = message.find("finding"); finding != message.end()) {
      try {
        add(state, own, finding_from_json(*finding));
      } catch (const UserError&) {
        // not a finding of ours: the code under test wrote to the line
      }
    } else if (auto done = message.find("done"); done != message.end() && done->is_object()) {
      state.report.sites = done->value("sites", uint64_t(0));
      state.report.evaluations = done->value("evaluations", uint64_t(0));
      state.report.seconds = done->value("seconds", 0.0);
      state.report.note = done->value("note", std::string());
      state.report.folded = done->value("folded", uint64_t(0));
      state.unknown = done->value("unknown", uint64_t(0));
      state.out_of_time = done->value("out_of_time", false);
      state.done = !done->value("stopped", false);
    }
  }

  // Told at once if it is news, and kept for the case that the worker does not come to its end.
  void sighted(State& state, const Options& own, const Json& json, bool news) {
    try {
      Finding finding = finding_from_json(json);
      finding.id = identify(state.report.function, finding);
      finding.strategy = own.strategy;
      finding.replay = replay_command(own, state.report, finding);
      noise_.apply(state.report, finding);
      note_worst(state, finding);
      if (news && finding.counts() && listener_.on_sighting)
        listener_.on_sighting(state.report, finding);
      state.sighting = std::move(finding);
    } catch (const UserError&) {
      // not ours
    }
  }

  void note_worst(const State& state, const Finding& finding) {
    if (!finding.error || finding.kind == Kind::overflow || !finding.counts() ||
        !(finding.error->relative > worst_error_))
      return;
    worst_error_ = finding.error->relative;
    worst_where_ = finding.cause
                       ? fmt::format("{}, {}:{}", state.report.function, finding.cause->file, finding.cause->line)
                       : state.report.function;
  }

  void add(State& state, const Options& own, Finding finding) {
    // A worker that starts again sends what its predecessor sent.
    auto& findings = state.report.findings;
    if (std::any_of(findings.begin(), findings.end(), [&](const Finding& other) { return other.id == finding.id; }))
      return;
    finding.replay = replay_command(own, state.report, finding);
    noise_.apply(state.report, finding);
    findings.push_back(std::move(finding));
    const Finding& kept = findings.back();
    note_worst(state, kept);
    keep(state.report, kept); // what has been told is not lost
    if (listener_.on_finding)
      listener_.on_finding(state.report, kept);
  }

  // In the corpus. What may differ from run to run is left out.
  void keep(const TargetReport& target, const Finding& finding) const {
    if (!listener_.on_keep || !keeping_.keeps(finding))
      return;
    TargetReport alone = target;
    alone.evaluations = 0;
    alone.seconds = 0;
    alone.outcome = TargetOutcome::found;
    alone.findings = {finding};
    Report report = blank_report(options_);
    report.targets = {std::move(alone)};
    listener_.on_keep(report, Keeping::file_of(target, finding));
  }

  // The input that was under way is the finding.
  void on_death(State& state, const Target& target, const Options& own, const exec::Death& death) {
    std::optional<Finding> finding = finding_of(death, target);
    if (!finding) {
      state.report.note = note_of(death);
      state.unknown += death.in_reference;
      return;
    }
    if (!own.wanted.crashes)
      return;
    finding->strategy = own.strategy;
    auto& findings = state.report.findings;
    if (std::none_of(findings.begin(), findings.end(), [&](const Finding& other) {
          return other.kind == finding->kind && other.detail == finding->detail;
        }))
      add(state, own, std::move(*finding));
  }

  void on_end(State& state, bool completed) {
    ++targets_done_;
    if (!state.done && state.sighting &&
        std::ranges::none_of(state.report.findings, [](const Finding& finding) { return is_error(finding.kind); }))
      keep_sighting(state);
    state.report.outcome = outcome_of(state, completed && state.done);
    if (listener_.on_target && !state.error)
      listener_.on_target(state.report);
  }

  void keep_sighting(State& state) {
    state.report.findings.insert(state.report.findings.begin(), std::move(*state.sighting));
    keep(state.report, state.report.findings.front());
  }

  void tell_progress() {
    if (!listener_.on_progress)
      return;
    Progress progress;
    progress.function = latest_;
    progress.targets_done = targets_done_;
    progress.targets = states_.size();
    for (const State& state : states_)
      progress.evaluations += state.report.evaluations;
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    progress.reached = reached_;
    progress.sites = sites_;
    progress.worst_error = worst_error_;
    progress.worst_where = worst_where_;
    listener_.on_progress(progress);
  }

  // One target that cannot be hunted in does not spoil the others, unless it was asked for or is all there is.
  Report finish() {
    Report report = blank_report(options_);
    for (State& state : states_) {
      if (state.error && (!options_.functions.empty() || states_.size() == 1))
        throw *state.error;
      if (state.error) {
        state.report.outcome = TargetOutcome::unknown;
        state.report.note = state.error->what();
      }
      report.targets.push_back(std::move(state.report));
    }
    hint_at_status(report);
    return report;
  }

  // Once: where it would tell most.
  void hint_at_status(Report& report) const {
    for (size_t i = 0; i < report.targets.size(); ++i) {
      TargetReport& target = report.targets[i];
      const bool silent = std::ranges::any_of(target.findings, [](const Finding& finding) {
        return finding.counts() && finding.aftermath && finding.aftermath->silent();
      });
      if (!silent || status_hints_[i].empty() || !target.note.empty())
        continue;
      target.note = status_hints_[i];
      return;
    }
  }

  const Options& options_;
  const Listener& listener_;
  std::chrono::steady_clock::time_point start_;
  std::vector<Options> own_; // one a target, if they differ
  std::vector<State> states_;
  std::vector<std::string> status_hints_; // by target
  std::string latest_;
  size_t targets_done_ = 0;
  double worst_error_ = 0;
  uint64_t reached_ = 0, sites_ = 0; // of the target that made progress last
  std::string worst_where_;
  Noise noise_;
  Keeping keeping_;
};

} // namespace

Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop) {
  return Hunt(options, listener).run(stop);
}

} // namespace faultline::campaign
