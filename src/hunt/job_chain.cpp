#include "hunt/job_chain.h"

#include "finding/bound/map_words.h"
#include "judge/bounds/proving.h"
#include "judge/extents/extent_search.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

namespace faultline::campaign {

using finding::Finding;
using finding::Message;
using finding::Settings;
using finding::TargetOutcome;

namespace {

// The time of a hunt in one function, on the clock, whatever the code under test does: so many budgets, and seconds for
// machines that are slow with small ones. Searches end by themselves earlier (judge/tasks/deadline.h).
double seconds_to_search(const Settings& settings) {
  constexpr double share = 1.9, slack = 0.6;
  return share * settings.budget_seconds + slack;
}

// How long arrays are, once a run went beyond them.
double seconds_to_probe(const Settings& settings) {
  constexpr double slack = 1;
  return judge::extent_share * settings.budget_seconds + slack;
}

// In what is left of the whole.
double seconds_to_confirm(const Settings& settings, double spent) {
  constexpr double share = 2, slack = 1;
  const double whole = share * settings.budget_seconds + slack;
  return std::max(whole - spent, whole - seconds_to_search(settings));
}

// Of more inputs, a map says nothing that a condition on one of them could.
bool has_one_free_input(const frontend::Target& target, const Settings& settings) {
  const search::Space space = judge::space_of(target, settings);
  return std::ranges::count_if(space.dimensions, [](const search::Dimension& one) { return !one.held(); }) == 1;
}

// None: there is nothing to be proved, or no way to.
std::optional<finding::Task> proof_task(const finding::TargetReport& report, const frontend::Target& target,
                                        const Settings& settings) {
  finding::ProveTask task;
  for (const Finding& finding : report.findings)
    if (finding.kind == finding::Kind::inaccuracy && finding.counts())
      task.found.push_back(finding.values);
  const bool silent = report.outcome == TargetOutcome::none;
  const bool wrong =
      report.outcome == TargetOutcome::found && !task.found.empty() && has_one_free_input(target, settings);
  if ((!silent && !wrong) || !judge::can_be_proved(target, settings))
    return std::nullopt;
  return task;
}

// What is proved of where it does not show stands beside what samples say of where it does.
void tell_when(finding::TargetReport& report) {
  const finding::SafetyMap& map = report.proof->map;
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const std::string words = report.inputs[i].low != report.inputs[i].high
                                  ? finding::safe_words(map, i, report.inputs[i].name)
                                  : std::string();
    if (!words.empty())
      for (Finding& finding : report.findings)
        if (finding.kind == finding::Kind::inaccuracy && !finding.half_digits) // these count from another size on
          finding.when += (finding.when.empty() ? "" : "; ") + words;
  }
}

// What others send: kill -9, and batch systems that end a task, each process of it.
bool is_of_others(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP; }

} // namespace

JobChain::JobChain(HuntContext& context, ChainPlan plan, OnEnd on_end)
    : context_(context), plan_(std::move(plan)), on_end_(std::move(on_end)),
      collector_(context, *plan_.target, plan_.settings, plan_.measured) {}

Assignment JobChain::job(finding::Task task, double seconds, void (JobChain::*take)(const Message&)) {
  const std::shared_ptr<JobChain> self = shared_from_this();
  return {.job = job_for(*plan_.target, plan_.settings, context_.options, std::move(task)),
          .target = plan_.target,
          .on_message =
              [self, take](const Message& message) {
                self->note_kill(message);
                ((*self).*take)(message);
              },
          .seconds = seconds};
}

Assignment JobChain::search() {
  begin_ = Clock::now();
  Assignment search = job(plan_.task, seconds_to_search(plan_.settings), &JobChain::take_search);
  search.job.limits.oracle_operations /= plan_.oracle_part;
  search.reference = plan_.reference;
  search.on_unreadable = [self = shared_from_this()](const std::string& why) { self->collector_.unreadable(why); };
  search.then = [self = shared_from_this()](double spent) { return self->probe(spent); };
  return search;
}

// Larger arrays may be all that the runs lack.
std::optional<Assignment> JobChain::probe(double spent) {
  std::optional<finding::Task> task = is_stopped() ? std::nullopt : collector_.overruns();
  if (!task)
    return confirm(spent);
  Assignment probe = job(std::move(*task), seconds_to_probe(plan_.settings), &JobChain::take_probe);
  probe.then = [self = shared_from_this(), spent](double more) { return self->confirm(spent + more); };
  return probe;
}

std::optional<Assignment> JobChain::confirm(double spent) {
  std::optional<finding::Task> task = is_stopped() ? std::nullopt : collector_.confirmation();
  if (!task)
    return prove(spent);
  Assignment confirmation =
      job(std::move(*task), seconds_to_confirm(plan_.settings, spent), &JobChain::take_confirmation);
  confirmation.reference = plan_.reference;
  confirmation.then = [self = shared_from_this(), spent](double more) { return self->prove(spent + more); };
  return confirmation;
}

// What a short search finds is proved when it is diagnosed.
std::optional<Assignment> JobChain::prove(double spent) {
  finding::TargetReport& report = collector_.report();
  const bool may_be_proved =
      plan_.proves && !is_stopped() && !collector_.error() && !(plan_.task.briefly && !report.findings.empty());
  std::optional<finding::Task> task = may_be_proved ? proof_task(report, *plan_.target, plan_.settings) : std::nullopt;
  if (!task)
    return end();
  proving_since_ = Clock::now();
  Assignment proof = job(std::move(*task), seconds_to_confirm(plan_.settings, spent), &JobChain::take_proof);
  proof.then = [self = shared_from_this()](double) { return self->end(); };
  return proof;
}

std::optional<Assignment> JobChain::end() {
  seconds_ = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (on_end_ && !is_stopped())
    on_end_(*this);
  return std::nullopt;
}

void JobChain::take_search(const Message& message) {
  if (const auto* progress = std::get_if<finding::SearchProgress>(&message))
    reached_ = progress->reached;
  collector_.take(message);
}

void JobChain::take_proof(const Message& message) {
  finding::TargetReport& report = collector_.report();
  if (std::holds_alternative<finding::JobEnd>(message))
    report.total_seconds += std::chrono::duration<double>(Clock::now() - proving_since_).count();
  const auto* proof = std::get_if<finding::ProofMessage>(&message);
  if (!proof)
    return;
  report.proof = proof->proof;
  report.cut = report.cut || proof->proof.cut;
  tell_when(report);
  if (proof->proof.proved && report.outcome == TargetOutcome::none)
    report.outcome = TargetOutcome::proved;
}

void JobChain::note_kill(const Message& message) {
  const auto* death = std::get_if<finding::WorkerDeath>(&message);
  if (!death || death->hung || !is_of_others(death->signal))
    return;
  killed_ = "outside of a call";
  for (const long double value : death->input)
    killed_ += fmt::format(" {:a}", value);
}

} // namespace faultline::campaign
