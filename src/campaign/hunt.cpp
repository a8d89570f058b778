#include "campaign/hunt.h"

#include "campaign/blank_report.h"
#include "campaign/collector.h"
#include "campaign/hunt_time.h"
#include "campaign/proof.h"
#include "campaign/seen/seen_inputs.h"
#include "campaign/targets/extents.h"
#include "campaign/targets/prey.h"
#include "campaign/targets/targets.h"
#include "campaign/workers.h"
#include "finding/collection.h"
#include "judge/exceptions/caller_notice.h"
#include "judge/extents/extent_search.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace faultline::campaign {

using finding::Finding;
using finding::Report;
using finding::Settings;
using finding::TargetOutcome;
using finding::TargetReport;
using frontend::Target;
using frontend::UserError;

namespace {

constexpr size_t most_reasons = 5; // that are told: whoever has more of them looks at one after the other

// What was found before, and what real runs called the function with.
finding::HuntTask task_for(const Target& target, const Settings& settings, const Options& options,
                           CorpusSession& corpus) {
  finding::HuntTask task{corpus.retries(target, settings)};
  if (options.seen)
    add_seen(task.retries, *options.seen, target, settings);
  return task;
}

// What the numbers stand for that choose a text or a function, for those functions that something was found in.
void explain_choices(const std::vector<Target>& targets, Report& report) {
  for (const Target& target : targets) {
    const bool found = std::ranges::any_of(report.targets, [&](const finding::TargetReport& one) {
      return one.function == target.function && one.file == target.file && !one.findings.empty();
    });
    for (size_t i = 0; found && i < target.families.size(); ++i)
      report.remarks.push_back(fmt::format("{}: {}", target.function, target.families[i]));
  }
}

class Hunt {
public:
  Hunt(const Options& options, const Listener& listener)
      : options_(options), start_(std::chrono::steady_clock::now()),
        gathering_{options, listener, finding::SetAside(options.baseline), CorpusSession(options.corpus), {}} {}

  Report run(const std::atomic<bool>& stop) {
    gathering_.stop = &stop;
    Prey prey = prey_of(options_, stop);
    for (size_t i = 0; i < prey.targets.size(); ++i)
      references_.push_back(judge::load_reference(prey.settings[i], options_.sources.flags, prey.targets[i]));
    const std::vector<Assignment> assignments = assign(prey);
    campaign::run(assignments, prey.program, options_.jobs, options_.worker, stop, [this] { tell_progress(); });
    Report report = finish(prey);
    gathering_.set_aside.conclude(
        report, [&] { return prey.program.targets(options_.settings.sizes, options_.settings.aliases); },
        options_.settings.wanted);
    std::ranges::copy(gathering_.corpus.remarks(report), std::back_inserter(report.remarks));
    if (const std::string left_out = prey.program.left_out_remark(); !left_out.empty())
      report.remarks.push_back(left_out);
    explain_choices(prey.targets, report);
    return report;
  }

private:
  std::vector<Assignment> assign(const Prey& prey) {
    std::vector<Assignment> assignments;
    for (size_t i = 0; i < prey.targets.size(); ++i) {
      const Target& target = prey.targets[i];
      const Settings& settings = prey.settings[i];
      collectors_.push_back(std::make_unique<Collector>(gathering_, target, settings, prey.measured[i]));
      Collector& collector = *collectors_.back();
      exec::Reference* reference = references_[i] ? &*references_[i] : nullptr;
      if (judge::judged_outputs(target, settings).empty()) {
        collector.report().outcome = TargetOutcome::unknown;
        collector.report().note = "none of the outputs named with --output";
        continue;
      }
      assignments.push_back(
          {.job = job_for(target, settings, options_, task_for(target, settings, options_, gathering_.corpus)),
           .target = &target,
           .reference = reference,
           .on_message = [&collector](const finding::Message& message) { collector.take(message); },
           .on_unreadable = [&collector](const std::string& why) { collector.unreadable(why); },
           .seconds = seconds_to_search(settings),
           .then = [this, &collector, &target, &settings, reference](
                       double spent) { return look_at_overruns(collector, target, settings, reference, spent); }});
    }
    return assignments;
  }

  // Runs that went beyond their arrays: larger ones may be all that they lack.
  std::optional<Assignment> look_at_overruns(Collector& collector, const Target& target, const Settings& settings,
                                             exec::Reference* reference, double spent) const {
    std::optional<finding::Task> task = collector.overruns();
    if (!task)
      return confirm(collector, target, settings, reference, spent);
    return Assignment{
        .job = job_for(target, settings, options_, std::move(*task)),
        .target = &target,
        .on_message = [&](const finding::Message& message) { collector.take_overrun(message); },
        .seconds = seconds_to_measure(settings),
        .then = [this, &collector, &target, &settings, reference,
                 spent](double more) { return confirm(collector, target, settings, reference, spent + more); }};
  }

  // By a fresh worker, in what is left of the time.
  std::optional<Assignment> confirm(Collector& collector, const Target& target, const Settings& settings,
                                    exec::Reference* reference, double spent) const {
    std::optional<finding::Task> task = collector.confirmation();
    if (!task)
      return prove(collector, target, settings, spent);
    return Assignment{.job = job_for(target, settings, options_, std::move(*task)),
                      .target = &target,
                      .reference = reference,
                      .on_message = [&](const finding::Message& message) { collector.take_confirmation(message); },
                      .seconds = seconds_to_confirm(settings, spent),
                      .then = [this, &collector, &target, &settings,
                               spent](double more) { return prove(collector, target, settings, spent + more); }};
  }

  // That there is nothing to be found, or where.
  std::optional<Assignment> prove(Collector& collector, const Target& target, const Settings& settings,
                                  double spent) const {
    std::optional<finding::Task> task = proof_task(collector.report(), target, settings);
    if (!task || collector.error())
      return std::nullopt;
    return Assignment{
        .job = job_for(target, settings, options_, std::move(*task)),
        .target = &target,
        .on_message =
            [&report = collector.report(), begin = std::chrono::steady_clock::now()](const finding::Message& message) {
              take_proof(report, message);
              if (std::holds_alternative<finding::JobEnd>(message))
                report.total_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            },
        .seconds = seconds_to_confirm(settings, spent)};
  }

  void tell_progress() {
    if (!gathering_.listener.on_progress)
      return;
    finding::Progress& progress = gathering_.progress;
    progress.targets = collectors_.size();
    progress.evaluations = 0;
    for (const auto& collector : collectors_)
      progress.evaluations += collector->report().evaluations;
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    gathering_.listener.on_progress(progress);
  }

  // One target that cannot be hunted in does not spoil the others, if there are any.
  Report finish(const Prey& prey) {
    Report report = blank_report(options_);
    for (const auto& collector : collectors_) {
      if (const std::optional<UserError>& error = collector->error())
        take_refusal(*error, collector->report());
      leave_few(collector->report().findings);
      report.targets.push_back(std::move(collector->report()));
    }
    if (std::ranges::all_of(collectors_, [](const auto& collector) { return collector->error().has_value(); }))
      throw all_refused(report);
    for (const Target& target : prey.refused)
      report.targets.push_back(refused_report(target));
    hint_at_status(report, prey);
    return report;
  }

  UserError all_refused(const Report& report) const {
    const UserError& first = *collectors_.front()->error();
    if (collectors_.size() == 1)
      return first;
    std::vector<std::string> reasons;
    for (size_t i = 0; i < std::min(collectors_.size(), most_reasons); ++i)
      reasons.push_back(fmt::format("{}: {}", report.targets[i].function, collectors_[i]->error()->what()));
    return UserError(first.status, fmt::format("no function can be hunted in\n  {}", fmt::join(reasons, "\n  ")),
                     first.hint);
  }

  // Once: where it would tell most.
  static void hint_at_status(Report& report, const Prey& prey) {
    for (size_t i = 0; i < report.targets.size(); ++i) {
      TargetReport& target = report.targets[i];
      const bool silent = std::ranges::any_of(target.findings, [](const Finding& finding) {
        return finding.counts() && finding.aftermath && finding.aftermath->silent();
      });
      const std::string hint = silent ? judge::status_hint(prey.targets[i], prey.settings[i]) : "";
      if (hint.empty() || !target.note.empty())
        continue;
      target.note = hint;
      return;
    }
  }

  const Options& options_;
  std::chrono::steady_clock::time_point start_;
  Gathering gathering_;
  std::vector<std::optional<exec::Reference>> references_; // by target
  std::vector<std::unique_ptr<Collector>> collectors_;     // by target
};

} // namespace

Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop) {
  return Hunt(options, listener).run(stop);
}

} // namespace faultline::campaign
