#include "hunt/hunt.h"

#include "hunt/job_chain.h"
#include "hunt/recording.h"
#include "hunt/targets.h"
#include "judge/endings.h"
#include "judge/given_input.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"
#include "model/collection.h"
#include "model/settings/table.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>

namespace faultline::hunt {

using namespace model;
using base::UserError;
using model::Target;

Report blank_report(const Options& options) {
  Report report;
  report.version = model::version;
  report.command = options.command;
  report.seed = options.settings.seed;
  if (options.configuration)
    report.configuration = {options.configuration->file, options.configuration->flags};
  report.folders = project_of(options);
  return report;
}

std::vector<InputRange> searched_ranges(const model::Target& target, const Settings& settings) {
  std::vector<InputRange> ranges;
  const search::Space space = judge::space_of(target, settings);
  for (size_t i = 0; i < space.dimensions.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    const model::Type& type = target.inputs[i].type;
    ranges.push_back({dimension.name, type.name(), judge::number_of(dimension.low, type).decimal,
                      judge::number_of(dimension.high, type).decimal});
  }
  return ranges;
}

TargetReport refused_report(const model::Target& target) {
  TargetReport report;
  report.function = target.function;
  report.file = target.file;
  report.line = target.line;
  report.outcome = TargetOutcome::refused;
  report.note = target.unsuitable;
  return report;
}

void take_refusal(const base::UserError& error, TargetReport& report) {
  const bool refused = error.status == base::status_unsuitable;
  report.outcome = refused ? TargetOutcome::refused : TargetOutcome::unknown;
  report.note = error.hint.empty() ? error.what() : fmt::format("{}; {}", error.what(), error.hint);
}

TargetReport blank_report(const model::Target& target, const Settings& settings) {
  TargetReport report;
  report.function = target.function;
  report.file = target.file;
  report.line = target.line;
  report.settings = words_of(raw_settings_of(settings));
  report.shows_all = settings.all;
  const search::Space space = judge::space_of(target, settings);
  for (size_t i = 0; i < target.inputs.size(); ++i) {
    const search::Dimension& dimension = space.dimensions[i];
    std::string format =
        dimension.floating ? std::string(numeric::info(dimension.format).name) : target.inputs[i].type.name();
    report.inputs.push_back({dimension.name, format, judge::range_end(dimension.low, dimension),
                             judge::range_end(dimension.high, dimension),
                             judge::is_assumed(target.inputs[i], target, settings)});
    for (const numeric::Value value : dimension.values)
      report.inputs.back().values.push_back(int64_t(value));
  }
  return report;
}

namespace {

constexpr size_t most_failures = 5; // at most this many are printed

// Returns the task of a search, with the inputs of earlier findings and of real runs.
HuntTask task_for(const Target& target, const Settings& settings, const Options& options, CorpusSession& corpus) {
  HuntTask task{corpus.retries(target, settings)};
  if (options.seen)
    add_seen(task.retries, *options.seen, target, settings, options.near);
  return task;
}

// For functions with findings, explains the numbers that select a text or a function.
void explain_choices(const std::vector<Target>& targets, Report& report) {
  for (const Target& target : targets) {
    const bool found = std::ranges::any_of(report.targets, [&](const TargetReport& one) {
      return one.function == target.function && one.file == target.file && !one.findings.empty();
    });
    for (size_t i = 0; found && i < target.families.size(); ++i)
      report.remarks.push_back(fmt::format("{}: {}", target.function, target.families[i]));
  }
}

class Hunt {
public:
  Hunt(const Options& options, const Listener& listener)
      : options_(options),
        start_(std::chrono::steady_clock::now()), context_{options,
                                                           listener,
                                                           SetAside(options.baseline, project_of(options)),
                                                           CorpusSession(options.corpus),
                                                           {}} {}

  Report run(const std::atomic<bool>& stop) {
    context_.stop = &stop;
    HuntTargets selected = select_targets(options_, stop);
    context_.set_aside.add_to_project(options_.files->unchanged);
    for (size_t i = 0; i < selected.targets.size(); ++i)
      references_.push_back(judge::load_reference(selected.settings[i], options_.sources.flags, selected.targets[i]));
    const std::vector<Assignment> assignments = assign(selected);
    hunt::run(assignments, selected.program, options_.jobs, options_.worker, stop, [this] { tell_progress(); });
    Report report = finish(selected);
    context_.set_aside.conclude(
        report, [&] { return selected.program.targets(options_.settings.sizes, options_.settings.aliases); },
        options_.settings.wanted);
    std::ranges::copy(context_.corpus.remarks(report), std::back_inserter(report.remarks));
    if (const std::string left_out = selected.program.left_out_remark(); !left_out.empty())
      report.remarks.push_back(left_out);
    explain_choices(selected.targets, report);
    return report;
  }

private:
  std::vector<Assignment> assign(const HuntTargets& selected) {
    std::vector<Assignment> assignments;
    for (size_t i = 0; i < selected.targets.size(); ++i) {
      const Target& target = selected.targets[i];
      const Settings& settings = selected.settings[i];
      ChainPlan plan{.target = &target,
                     .settings = settings,
                     .measured = selected.measured[i],
                     .task = {},
                     .reference = references_[i] ? &*references_[i] : nullptr,
                     .built = !selected.program.machine_code().empty()};
      const bool has_outputs = !judge::judged_outputs(target, settings).empty();
      if (has_outputs)
        plan.task = task_for(target, settings, options_, context_.corpus);
      chains_.push_back(std::make_shared<JobChain>(context_, std::move(plan)));
      if (has_outputs) {
        assignments.push_back(chains_.back()->search());
        continue;
      }
      TargetReport& report = chains_.back()->collector().report();
      report.outcome = TargetOutcome::unknown;
      report.note = "none of the outputs named with --output";
    }
    return assignments;
  }

  void tell_progress() {
    if (!context_.listener.on_progress)
      return;
    Progress& progress = context_.progress;
    progress.targets = chains_.size();
    progress.evaluations = 0;
    for (const auto& chain : chains_)
      progress.evaluations += chain->collector().report().evaluations;
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    context_.listener.on_progress(progress);
  }

  // Makes the report. Targets that cannot be tested are an error only if there are no others.
  Report finish(const HuntTargets& selected) {
    Report report = blank_report(options_);
    for (const auto& chain : chains_) {
      Collector& collector = chain->collector();
      if (const std::optional<UserError>& error = collector.error())
        take_refusal(*error, collector.report());
      leave_few(collector.report().findings);
      report.targets.push_back(std::move(collector.report()));
    }
    if (std::ranges::all_of(chains_, [](const auto& chain) { return chain->collector().error().has_value(); }))
      throw all_refused(report);
    if (options_.seen)
      for (size_t i = 0; i < selected.targets.size(); ++i)
        if (const SeenFunction* seen = find_seen(*options_.seen, selected.targets[i]))
          for (Finding& finding : report.targets[i].findings)
            finding.seen = text(nearness(*seen, selected.targets[i], finding.values));
    report.skipped = selected.skipped;
    for (const Target& target : selected.refused)
      report.targets.push_back(refused_report(target));
    hint_at_status(report, selected);
    name_not_compared(report);
    return report;
  }

  // One line for all functions whose findings could not be compared with the user's own build.
  void name_not_compared(Report& report) const {
    std::map<std::string, std::vector<std::string>> reasons;
    for (size_t i = 0; i < chains_.size(); ++i)
      if (const std::string& why = chains_[i]->collector().not_compared(); !why.empty())
        reasons[why].push_back(report.targets[i].function);
    std::vector<std::string> parts;
    for (const auto& [why, functions] : reasons)
      parts.push_back(functions.size() == 1
                          ? fmt::format("{}: {}", functions.front(), why)
                          : fmt::format("{} and {} more: {}", functions.front(), functions.size() - 1, why));
    if (!parts.empty())
      report.remarks.push_back(
          fmt::format("not compared with the library's own machine code: {}", fmt::join(parts, "; ")));
  }

  UserError all_refused(const Report& report) const {
    const UserError& first = *chains_.front()->collector().error();
    if (chains_.size() == 1)
      return first;
    std::vector<std::string> reasons;
    for (size_t i = 0; i < std::min(chains_.size(), most_failures); ++i)
      reasons.push_back(fmt::format("{}: {}", report.targets[i].function, chains_[i]->collector().error()->what()));
    return UserError(first.status, fmt::format("no function can be tested\n  {}", fmt::join(reasons, "\n  ")),
                     first.hint);
  }

  // Adds the hint once, to the target for which it is most useful.
  static void hint_at_status(Report& report, const HuntTargets& selected) {
    for (size_t i = 0; i < report.targets.size(); ++i) {
      TargetReport& target = report.targets[i];
      const bool silent = std::ranges::any_of(target.findings, [](const Finding& finding) {
        return finding.counts() && finding.aftermath && finding.aftermath->silent();
      });
      const std::string hint = silent ? judge::status_hint(selected.targets[i], selected.settings[i]) : "";
      if (hint.empty() || !target.note.empty())
        continue;
      target.note = hint;
      return;
    }
  }

  const Options& options_;
  std::chrono::steady_clock::time_point start_;
  HuntContext context_;
  std::vector<std::optional<exec::Reference>> references_; // by target
  std::vector<std::shared_ptr<JobChain>> chains_;          // by target
};

} // namespace

Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop) {
  return Hunt(options, listener).run(stop);
}

} // namespace faultline::hunt
