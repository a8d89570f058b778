#include "hunt/workers.h"

#include "exec/warm_up.h"
#include "frontend/error.h"
#include "judge/tasks/work.h"

#include <memory>

namespace faultline::campaign {

using finding::Message;
using frontend::UserError;

namespace {

void carry_out(const Assignment& assignment, frontend::Program program, exec::Channel& channel) {
  const auto fail = [&](int status, const std::string& what, const std::string& hint) {
    channel.send(message_text(finding::Failure{status, what, hint}));
  };
  try {
    judge::work(assignment.job, std::move(program), *assignment.target, assignment.reference, channel);
  } catch (const UserError& error) {
    fail(error.status, error.what(), error.hint);
  } catch (const std::exception& error) {
    fail(frontend::status_internal, error.what(), "");
  }
}

// The code under test can write to the line: false ends the job.
bool receive(const Assignment& assignment, std::string_view text) {
  try {
    const Message message = finding::parse_message(text);
    if (is_of_supervisor(message))
      throw UserError(frontend::status_internal, "it is not one of a worker");
    assignment.on_message(message);
    return true;
  } catch (const UserError& problem) {
    if (assignment.on_unreadable)
      assignment.on_unreadable(problem.what());
    return false;
  }
}

exec::Job job_of(std::shared_ptr<const Assignment> assignment, frontend::Program& program,
                 std::shared_ptr<exec::CompiledObjects> objects = std::make_shared<exec::CompiledObjects>()) {
  return {
      .work = [assignment, &program](
                  exec::Channel& channel) { carry_out(*assignment, std::move(program), channel); }, // the fork's own
      .on_message = [assignment](std::string_view text) { return receive(*assignment, text); },
      .on_death = [assignment](const exec::Death& death) { assignment->on_message(death); },
      .on_end = [assignment](bool completed) { assignment->on_message(finding::JobEnd{completed}); },
      .seconds = assignment->seconds,
      .shows_output = std::holds_alternative<finding::ExplainTask>(assignment->job.task),
      .objects = objects,
      .then = [assignment, &program, objects](double spent) -> std::optional<exec::Job> {
        std::optional<Assignment> then = assignment->then ? assignment->then(spent) : std::nullopt;
        if (!then)
          return std::nullopt;
        return job_of(std::make_shared<const Assignment>(std::move(*then)), program, objects);
      },
  };
}

} // namespace

void run(const std::vector<Assignment>& assignments, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle) {
  std::vector<exec::Job> jobs;
  for (const Assignment& assignment : assignments)
    jobs.push_back(job_of(std::make_shared<const Assignment>(assignment), program));
  exec::run_jobs(std::move(jobs), parallel, limits, stop, on_idle);
}

void run(const std::function<std::optional<Assignment>()>& next, frontend::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle) {
  exec::warm_up();
  exec::run_jobs(
      [&]() -> std::optional<exec::Job> {
        std::optional<Assignment> assignment = next();
        if (!assignment)
          return std::nullopt;
        return job_of(std::make_shared<const Assignment>(std::move(*assignment)), program);
      },
      parallel, limits, stop, on_idle);
}

finding::Job job_for(const frontend::Target& target, const finding::Settings& settings, const Options& options,
                     finding::Task task) {
  exec::Limits limits = options.limits;
  limits.native_seconds = std::min(limits.native_seconds, std::max(settings.budget_seconds / 2, 1.0));
  return {.flags = options.sources.flags,
          .function = target.function,
          .symbol = target.symbol,
          .settings = settings,
          .limits = limits,
          .task = std::move(task)};
}

} // namespace faultline::campaign
