#include "hunt/collector.h"

#include "exec/extents/extent_probe.h"
#include "hunt/blank_report.h"
#include "hunt/replay_command.h"
#include "hunt/worker_death.h"

#include <algorithm>
#include <fmt/format.h>

namespace faultline::campaign {

using finding::Finding;
using finding::FindingRole;
using finding::Kind;
using finding::TargetOutcome;
using finding::TargetReport;
using frontend::UserError;

Collector::Collector(HuntContext& context, const frontend::Target& target, const finding::Settings& settings,
                     const Measured& measured)
    : context_(context), target_(target), settings_(settings), measured_(measured),
      report_(blank_report(target, settings)) {
  report_.extents = measured.extents;
}

void Collector::take(const finding::Message& message) {
  if (last_word_ && !is_of_supervisor(message))
    throw UserError(frontend::status_internal, "it comes after the last one");
  if (const auto* progress = std::get_if<finding::SearchProgress>(&message))
    take(*progress);
  else if (const auto* finding = std::get_if<finding::FindingMessage>(&message))
    take(*finding);
  else if (const auto* done = std::get_if<finding::HuntDone>(&message))
    take(*done);
  else if (const auto* failure = std::get_if<finding::Failure>(&message))
    take(*failure);
  else if (const auto* death = std::get_if<finding::WorkerDeath>(&message))
    take(*death);
  else if (std::holds_alternative<finding::JobEnd>(message))
    end();
  else
    throw UserError(frontend::status_internal, "it is not one of a hunt");
}

void Collector::take(const finding::Failure& failure) {
  last_word_ = true;
  error_.emplace(failure.status, failure.what, failure.hint);
}

void Collector::unreadable(const std::string& why) {
  ++unknown_;
  report_.note = fmt::format("a message of its worker could not be read: {}", why.substr(0, why.find('\n')));
}

void Collector::take(const finding::SearchProgress& progress) {
  report_.evaluations = progress.evaluations;
  context_.progress.function = report_.function;
  context_.progress.phase = progress.phase;
  context_.progress.reached = progress.reached;
  context_.progress.sites = progress.sites;
}

void Collector::take(const finding::FindingMessage& message) {
  switch (message.role) {
  case FindingRole::found:
    check(message.finding);
    if (message.finding.detail == exec::text(exec::Outcome::overrun) && !exec::free_arrays(target_, true).empty())
      overruns_.push_back(message.finding);
    else
      add(message.finding);
    return;
  case FindingRole::again:
    check(message.finding);
    return met_again(message.finding);
  case FindingRole::sighted:
  case FindingRole::retried:
    return sighted(message.finding, message.role == FindingRole::sighted);
  case FindingRole::judged:
  case FindingRole::uncounted:
    throw UserError(frontend::status_internal, "it is not one of a hunt");
  }
}

// Is it one of this target? What else it says, a fresh worker will tell (hunt/confirmation.h).
void Collector::check(const Finding& finding) const {
  constexpr size_t most = 10'000; // findings: a guess; the most that were seen of one function were 279, of 300 inputs
  const bool fits =
      std::ranges::equal(finding.input, target_.inputs, {}, &finding::NamedNumber::name, &frontend::Cell::name);
  if (!fits || finding.id != identify(report_.function, finding))
    throw UserError(frontend::status_internal, "its finding is not one of this function");
  if (report_.findings.size() >= most)
    throw UserError(frontend::status_internal, "there are too many findings");
}

void Collector::take(const finding::HuntDone& done) {
  report_.sites = done.sites;
  report_.evaluations = done.evaluations;
  report_.seconds = done.seconds;
  report_.total_seconds = done.total_seconds;
  report_.cut = done.cut || measured_.cut;
  report_.largest_everyday = done.largest_everyday;
  report_.largest = done.largest;
  report_.note = done.note;
  report_.folded = done.folded;
  unknown_ = done.unknown;
  last_word_ = true;
  done_ = !done.stopped;
}

// Told at once if it is news, and kept for the case that the worker does not come to its end.
void Collector::sighted(Finding finding, bool news) {
  finding.id = identify(report_.function, finding);
  finding.strategy = settings_.strategy;
  name_commands(finding);
  context_.set_aside.apply(report_, finding);
  note_worst(finding);
  if (news && finding.counts() && context_.listener.on_sighting)
    context_.listener.on_sighting(report_, finding);
  sighting_ = std::move(finding);
}

void Collector::met_again(Finding finding) {
  context_.set_aside.apply(report_, finding);
  const std::string fingerprint = finding.fingerprint;
  again_.emplace(fingerprint, std::move(finding));
}

void Collector::name_commands(Finding& finding) const {
  finding.replay = replay_command(context_.options, settings_, report_, finding);
  finding.explain = explain_command(context_.options, settings_, report_, finding);
}

void Collector::note_worst(const Finding& finding) {
  finding::Progress& progress = context_.progress;
  if (!finding.error || finding.kind == Kind::overflow || !finding.counts() ||
      !(finding.error->relative > progress.worst_error))
    return;
  progress.worst_error = finding.error->relative;
  progress.worst_where = finding.cause
                             ? fmt::format("{}, {}:{}", report_.function, finding.cause->file, finding.cause->line)
                             : report_.function;
}

void Collector::add(Finding finding) {
  // A worker that starts again sends what its predecessor sent.
  if (std::ranges::find(report_.findings, finding.id, &Finding::id) != report_.findings.end())
    return;
  name_commands(finding);
  context_.set_aside.apply(report_, finding);
  report_.findings.push_back(std::move(finding));
  const Finding& kept = report_.findings.back();
  note_worst(kept);
  keep(kept); // at once: what has been found is not lost with the hunt
}

// In the corpus. What may differ from run to run is left out.
void Collector::keep(const Finding& finding) const {
  if (!context_.listener.on_keep || !context_.corpus.keeps(finding))
    return;
  TargetReport alone = report_;
  alone.evaluations = 0;
  alone.seconds = 0;
  alone.outcome = TargetOutcome::found;
  alone.findings = {finding};
  finding::Report report = blank_report(context_.options);
  report.targets = {std::move(alone)};
  context_.listener.on_keep(report, CorpusSession::file_of(report_, finding));
}

// The input that was under way is the finding.
void Collector::take(const finding::WorkerDeath& death) {
  if (last_word_ && !death.in_call)
    return;                   // nothing is missing
  last_word_ = done_ = false; // whoever said that it was done
  timed_out_ = death.hung;
  std::optional<Finding> finding = finding_of(death, target_, settings_);
  if (!finding) {
    report_.note = note_of(death);
    unknown_ += death.in_reference;
    return;
  }
  if (!settings_.wanted.crashes)
    return;
  finding->strategy = settings_.strategy;
  if (std::ranges::none_of(report_.findings, [&](const Finding& other) {
        return other.kind == finding->kind && other.detail == finding->detail;
      })) {
    deaths_.insert(finding->id);
    add(std::move(*finding));
  }
}

void Collector::end() {
  ++context_.progress.targets_done;
  if (!measured_.note.empty())
    add_note(measured_.note);
  const bool has_error = std::ranges::any_of(report_.findings, [](const Finding& f) { return is_error(f.kind); });
  if (!done_ && sighting_ && !has_error) {
    report_.findings.insert(report_.findings.begin(), std::move(*sighting_));
    keep(report_.findings.front());
  }
  report_.outcome = outcome();
}

std::optional<finding::Task> Collector::overruns() const {
  finding::ProbeTask task;
  for (const Finding& finding : overruns_)
    task.overruns.push_back(finding.values);
  return overruns_.empty() ? std::nullopt : std::optional<finding::Task>(std::move(task));
}

void Collector::take_overrun(const finding::Message& message) {
  if (const auto* judged = std::get_if<finding::OverrunJudged>(&message); judged && !overruns_.empty())
    take(*judged);
  if (!std::holds_alternative<finding::JobEnd>(message))
    return;
  if (!overruns_.empty()) {
    add_note("a run went beyond its arguments, and whether larger arrays would help is not known");
    ++unknown_;
  }
  report_.outcome = outcome();
}

// They come in the order of the task.
void Collector::take(const finding::OverrunJudged& judged) {
  Finding finding = std::move(overruns_.front());
  overruns_.erase(overruns_.begin());
  if (!judged.larger_helps) {
    finding.doubtful = false;
    return add(std::move(finding));
  }
  std::string sizes, input;
  for (const finding::FoundExtent& needed : judged.needed)
    sizes += fmt::format(" --size {}={}", needed.parameter, needed.extents.front());
  for (const finding::NamedNumber& number : finding.input)
    if (!number.name.ends_with(']') && number.value.decimal.find_first_of(".ein") == std::string::npos)
      input += fmt::format("{}{}={}", input.empty() ? "" : ", ", number.name, number.value.decimal);
  add_note(fmt::format("a run went beyond its arrays{}{}, and with{} it does not", input.empty() ? "" : " at ", input,
                       sizes));
}

std::optional<finding::Task> Collector::confirmation() {
  try {
    confirmation_.emplace(target_, report_.findings, deaths_);
  } catch (const UserError& problem) {
    unreadable(problem.what());
    report_.findings.clear();
    report_.outcome = outcome();
    return std::nullopt;
  }
  confirming_since_ = std::chrono::steady_clock::now();
  return confirmation_->empty() ? std::nullopt : std::optional(confirmation_->task());
}

void Collector::take_confirmation(const finding::Message& message) {
  if (std::holds_alternative<finding::JobEnd>(message))
    end_confirmation();
  else
    confirmation_->take(message);
}

void Collector::end_confirmation() {
  report_.total_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - confirming_since_).count();
  const std::vector<size_t> refuted = confirmation_->refuted();
  for (auto place = refuted.rbegin(); place != refuted.rend(); ++place) {
    const auto finding = report_.findings.begin() + long(*place);
    if (context_.listener.on_drop && context_.corpus.keeps(*finding))
      context_.listener.on_drop(CorpusSession::file_of(report_, *finding));
    report_.findings.erase(finding);
  }
  unknown_ += refuted.size();
  if (!refuted.empty())
    add_note(fmt::format("{} finding{} left out: a fresh worker did not confirm {}", refuted.size(),
                         refuted.size() == 1 ? " was" : "s were", refuted.size() == 1 ? "it" : "them"));
  else if (const size_t left = confirmation_->left_over(); left > 0 && !is_stopped()) {
    report_.cut = true;
    add_note(fmt::format("time was up before a fresh worker had confirmed {} of {} findings", left,
                         report_.findings.size()));
  }
  report_.outcome = outcome();
}

void Collector::add_note(const std::string& words) { report_.note += (report_.note.empty() ? "" : "; ") + words; }

bool Collector::is_stopped() const { return context_.stop && *context_.stop; }

TargetOutcome Collector::outcome() const {
  if (!done_ && is_stopped())
    return TargetOutcome::interrupted;
  if (report_.counted() > 0)
    return outcome_found(report_);
  if (unknown_ > 0)
    return TargetOutcome::unknown;
  if (!done_)
    return timed_out_ ? TargetOutcome::timed_out : TargetOutcome::interrupted;
  return TargetOutcome::none;
}

} // namespace faultline::campaign
