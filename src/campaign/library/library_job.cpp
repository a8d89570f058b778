#include "campaign/library/library_job.h"

#include "campaign/blank_report.h"
#include "campaign/hunt_time.h"
#include "finding/collection.h"

#include <csignal>
#include <fmt/format.h>

namespace faultline::campaign {
namespace {

// Of what the oracle may do in a job: a first look is short, whatever the function costs, so that all have theirs.
constexpr uint64_t first_share = 50;

// What others send: kill -9, and batch systems that end a task, each process of it.
bool is_of_others(int signal) { return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP; }

} // namespace

LibraryJob::LibraryJob(Gathering& gathering, JobPlan plan, Done done)
    : gathering_(gathering), plan_(std::move(plan)), done_(std::move(done)),
      collector_(gathering, *plan_.target, plan_.settings, plan_.measured) {}

Assignment LibraryJob::assignment() {
  begun_ = std::chrono::steady_clock::now();
  const std::shared_ptr<LibraryJob> self = shared_from_this();
  finding::Job job = job_for(*plan_.target, plan_.settings, gathering_.options, plan_.task);
  if (plan_.row.round == 0)
    job.limits.oracle_operations /= first_share;
  return {.job = std::move(job),
          .target = plan_.target,
          .reference = plan_.reference,
          .on_message = [self](const finding::Message& message) { self->take(message); },
          .on_unreadable = [self](const std::string& why) { self->collector_.unreadable(why); },
          .seconds = seconds_to_search(plan_.settings),
          .then = [self](double spent) { return self->look_at_overruns(spent); }};
}

void LibraryJob::take(const finding::Message& message) {
  if (const auto* progress = std::get_if<finding::SearchProgress>(&message))
    reached_ = progress->reached;
  if (const auto* death = std::get_if<finding::WorkerDeath>(&message))
    note_kill(*death);
  collector_.take(message);
}

void LibraryJob::note_kill(const finding::WorkerDeath& death) {
  if (death.hung || !is_of_others(death.signal))
    return;
  killed_ = "outside of a call";
  for (const long double value : death.input)
    killed_ += fmt::format(" {:a}", value);
}

bool LibraryJob::is_stopped() const { return gathering_.stop && *gathering_.stop; }

// Larger arrays may be all that they lack.
std::optional<Assignment> LibraryJob::look_at_overruns(double spent) {
  std::optional<finding::Task> task = is_stopped() ? std::nullopt : collector_.overruns();
  if (!task)
    return confirm(spent);
  const std::shared_ptr<LibraryJob> self = shared_from_this();
  return Assignment{.job = job_for(*plan_.target, plan_.settings, gathering_.options, std::move(*task)),
                    .target = plan_.target,
                    .on_message = [self](const finding::Message& message) { self->take_overrun(message); },
                    .seconds = seconds_to_measure(plan_.settings),
                    .then = [self, spent](double more) { return self->confirm(spent + more); }};
}

std::optional<Assignment> LibraryJob::confirm(double spent) {
  if (is_stopped())
    return std::nullopt;
  std::optional<finding::Task> task = collector_.confirmation();
  if (!task) {
    end();
    return std::nullopt;
  }
  const std::shared_ptr<LibraryJob> self = shared_from_this();
  return Assignment{.job = job_for(*plan_.target, plan_.settings, gathering_.options, std::move(*task)),
                    .target = plan_.target,
                    .reference = plan_.reference,
                    .on_message = [self](const finding::Message& message) { self->take_confirmation(message); },
                    .seconds = seconds_to_confirm(plan_.settings, spent)};
}

void LibraryJob::take_overrun(const finding::Message& message) {
  if (const auto* death = std::get_if<finding::WorkerDeath>(&message))
    note_kill(*death);
  collector_.take_overrun(message);
}

void LibraryJob::take_confirmation(const finding::Message& message) {
  if (const auto* death = std::get_if<finding::WorkerDeath>(&message))
    note_kill(*death);
  collector_.take_confirmation(message);
  if (std::holds_alternative<finding::JobEnd>(message) && !is_stopped())
    end();
}

void LibraryJob::end() {
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  done_(*this);
}

const finding::TargetReport& LibraryJob::report() {
  finding::TargetReport& report = collector_.report();
  if (const std::optional<frontend::UserError>& error = collector_.error())
    take_refusal(*error, report);
  report.total_seconds = seconds_;
  finding::leave_few(report.findings);
  return report;
}

} // namespace faultline::campaign
