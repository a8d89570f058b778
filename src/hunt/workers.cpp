#include "hunt/workers.h"

#include "base/clock.h"
#include "base/error.h"
#include "hunt/targets.h"
#include "judge/given_input.h"
#include "judge/judge.h"
#include "judge/meaning/statements.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "program/compiling/compiler_process.h"
#include "search/space.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace faultline::hunt {

using namespace model;
using base::UserError;

namespace {

Settings settings_of_finding(Settings own, const model::Target& target, const std::vector<NamedNumber>& input) {
  own.ranges.clear();
  own.formats.clear();
  auto unknown = [&](const auto& named) {
    return std::ranges::none_of(
        input, [&](const NamedNumber& cell) { return cell.name == named.first || cell.name == named.first + "[0]"; });
  };
  std::erase_if(own.held, unknown);
  std::erase_if(own.sizes, [&](const auto& named) { return named.first != "*" && unknown(named); });
  std::erase_if(own.aliases, [&](const auto& named) {
    return std::ranges::none_of(target.parameters, [&](const model::Parameter& parameter) {
      return parameter.name == named.first && !parameter.alias_of.empty();
    });
  });
  if (own.status && std::ranges::find(target.outputs, own.status->output, &model::Cell::name) == target.outputs.end())
    own.status.reset();
  return own;
}

struct SecondsOf {
  double budget;

  double operator()(const ReplayTask& task) const { return each(task.findings.size()); }
  double operator()(const ExamineTask& task) const { return each(task.findings.size()); }
  double operator()(const PlotTask& task) const { return seconds_in_all(task.seconds); }
  double operator()(const BoundTask& task) const { return seconds_in_all(task.seconds); }
  double operator()(const CandidatesTask&) const { return vectors(); }
  double operator()(const MeasureTask&) const { return vectors(); }
  double operator()(const auto&) const { return seconds_in_all(budget); }

private:
  double each(size_t findings) const { return double(std::max<size_t>(findings, 1)) * seconds_in_all(budget); }
  double vectors() const {
    Settings settings;
    settings.budget_seconds = budget;
    return seconds_in_all(model::seconds_to_explore(settings));
  }
};

bool ended_itself(const WorkerDeath& death) { return !death.hung && death.signal == 0; }

std::string ended_by(const WorkerDeath& death) {
  return fmt::format("signal {}, status {}", death.signal, death.status);
}

// The x87 format has invalid encodings: those without the leading one that their exponent requires.
bool is_encoded(numeric::Value value) {
  uint64_t significand = 0;
  uint16_t exponent = 0;
  std::memcpy(&significand, &value, sizeof significand);
  std::memcpy(&exponent, reinterpret_cast<const char*>(&value) + sizeof significand, sizeof exponent);
  return (significand >> 63 != 0) == ((exponent & 0x7fff) != 0);
}

void carry_out(const Assignment& assignment, program::Program program, exec::Channel& channel) {
  const auto fail = [&](int status, const std::string& what, const std::string& hint) {
    channel.send(message_text(Failure{status, what, hint}));
  };
  try {
    judge::work(assignment.job, std::move(program), *assignment.target, assignment.reference, channel);
  } catch (const UserError& error) {
    fail(error.status, error.what(), error.hint);
  } catch (const std::exception& problem) {
    const UserError error = base::unexpected(problem);
    fail(error.status, error.what(), error.hint);
  }
}

// Indents all lines but the first, so that none looks like a line of ours.
std::string as_one_paragraph(std::string_view text) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n')
      lines += "  ";
  }
  return lines;
}

// Handles a message, which the code under test could have written. Returns false to end the job.
bool receive(const Assignment& assignment, std::string_view text) {
  try {
    Message message = model::parse_message(text);
    if (is_of_supervisor(message))
      throw UserError(base::status_internal, "unexpected message type");
    if (auto* failure = std::get_if<Failure>(&message)) {
      failure->what = as_one_paragraph(failure->what);
      failure->hint = as_one_paragraph(failure->hint);
    }
    assignment.on_message(message);
    return true;
  } catch (const UserError& problem) {
    if (assignment.on_unreadable)
      assignment.on_unreadable(problem.what());
    return false;
  }
}

// Preparing code in a worker is compiling, too: module assembly and instrumented code may be of any size.
exec::WorkerLimits limited(exec::WorkerLimits limits) {
  limits.compile_seconds = program::usual_compiler_seconds();
  return limits;
}

// The longest message of a worker: a guess from the tasks' messages, of which most are a few kilobytes. A hunt's and a
// replay's list numbers per input; proofs and samples may be large.
size_t longest_message(const Task& task, const model::Target& target) {
  constexpr size_t mebibyte = size_t(1) << 20, of_input = size_t(1) << 12;
  const size_t of_inputs = of_input * target.inputs.size();
  if (std::holds_alternative<HuntTask>(task) || std::holds_alternative<ReplayTask>(task) ||
      std::holds_alternative<BuiltCodeTask>(task))
    return mebibyte + of_inputs;
  if (const auto* plots = std::get_if<PlotTask>(&task)) {
    constexpr size_t of_point = 512;
    return mebibyte + of_inputs + of_point * plots->points * (1 + plots->findings.size() / exec::most_long_messages);
  }
  const bool large = std::holds_alternative<BoundTask>(task) || std::holds_alternative<PathsTask>(task);
  return (large ? 64 : 8) * mebibyte + of_inputs;
}

// The shared libraries that a worker loads.
std::vector<std::string> libraries_for(const Task& task, const program::Program& program) {
  std::vector<std::string> libraries;
  if (std::holds_alternative<BuiltCodeTask>(task))
    for (const program::MachineCode& code : program.machine_code())
      if (!code.library.empty())
        libraries.push_back(code.library);
  return libraries;
}

exec::Job job_of(std::shared_ptr<const Assignment> assignment, program::Program& program,
                 std::shared_ptr<exec::CompiledObjects> objects = std::make_shared<exec::CompiledObjects>()) {
  return {
      .work = [assignment, &program](
                  exec::Channel& channel) { carry_out(*assignment, std::move(program), channel); }, // runs in the fork
      .on_message = [assignment](std::string_view text) { return receive(*assignment, text); },
      .on_death = [assignment](const exec::Death& death) { assignment->on_message(death); },
      .on_end =
          [assignment](const exec::JobEnd& end) {
            assignment->on_message(JobEnd{end.completed, end.calls});
          },
      .on_corrupt = assignment->on_unreadable,
      .on_lines = assignment->on_lines,
      .longest_message = longest_message(assignment->job.task, *assignment->target),
      .seconds = assignment->seconds.value_or(seconds_of(assignment->job)),
      .shows_output = std::holds_alternative<ExplainTask>(assignment->job.task),
      .objects = objects,
      .readable = libraries_for(assignment->job.task, program),
      .then = [assignment, &program, objects](double spent) -> std::optional<exec::Job> {
        std::optional<Assignment> then = assignment->then ? assignment->then(spent) : std::nullopt;
        if (!then)
          return std::nullopt;
        return job_of(std::make_shared<const Assignment>(std::move(*then)), program, objects);
      },
  };
}

} // namespace

FoundIn found_in(program::Program& program, const Options& options, const TargetReport& report,
                 const std::vector<NamedNumber>& input) {
  Options own = options;
  own.functions = {report.function};
  const bool measured = !report.extents.empty();
  model::Target target = single_target(program, own, measured ? Fit::huntable : Fit::suitable);
  if (measured) {
    model::Sizes sizes = settings_for(target, own).sizes;
    for (const FoundExtent& extent : report.extents)
      sizes.emplace(extent.parameter, extent.extents);
    target = program.laid_out(target, {sizes, settings_for(target, own).aliases});
  }
  Settings settings = settings_of_finding(settings_for(target, own), target, input);
  return {std::move(target), std::move(settings)};
}

Input input_of(const model::Target& target, const Settings& settings, const std::vector<NamedNumber>& input) {
  std::map<std::string, std::string> at;
  for (const NamedNumber& number : input)
    at[number.name] = number.value.hex;
  return judge::input_at(target, settings, at).input;
}

std::vector<size_t> order_by_input(const std::vector<Finding>& findings) {
  // Inputs are compared as hex texts, because 0 equals -0 as a number, and NaN does not equal itself.
  const auto key_of = [&](size_t i) {
    std::string key;
    for (const NamedNumber& number : findings[i].input)
      key += number.value.hex + " ";
    return std::pair(key, i);
  };
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, key_of);
  return order;
}

double seconds_in_all(double budget) { return 2 * budget + 1; }
double seconds_to_search(double budget) { return 1.9 * budget + 0.6; }

double seconds_for_the_rest(double budget, double spent) {
  const double whole = seconds_in_all(budget);
  return std::max(whole - spent, whole - seconds_to_search(budget));
}

double seconds_of(const Job& job) { return std::visit(SecondsOf{job.settings.budget_seconds}, job.task); }

std::optional<WorkerDeath> run_once(const Job& job, program::Program& program, const model::Target& target,
                                    const exec::WorkerLimits& limits,
                                    const std::function<void(const Message&)>& on_message,
                                    std::optional<double> seconds) {
  judge::check_names({target}, job.settings);
  judge::meanings_of(target, job.settings); // refuses wrong ones before anything runs
  std::optional<exec::Reference> reference = judge::load_reference(job.settings, job.flags, target);
  std::optional<WorkerDeath> died;
  const Assignment assignment{.job = job,
                              .target = &target,
                              .reference = reference ? &*reference : nullptr,
                              .on_message =
                                  [&](const Message& message) {
                                    if (const auto* death = std::get_if<WorkerDeath>(&message))
                                      died = *death;
                                    else if (!std::holds_alternative<JobEnd>(message))
                                      on_message(message);
                                  },
                              .seconds = seconds};
  exec::WorkerLimits once = limits;
  once.restarts = 0;
  const std::atomic<bool> never = false;
  run_alone(assignment, program, once, never);
  return died;
}

size_t run_all(Job job, const ManyRuns& runs) {
  size_t done = 0;
  std::optional<double> left;
  while (done < runs.inputs) {
    job.task = runs.task(done);
    if (!left)
      left = seconds_of(job);
    const base::Stopwatch watch;
    const auto on_message = [&](const Message& message) {
      if (done < runs.inputs)
        runs.on_result(done++, message);
    };
    const auto died = run_once(job, runs.program, runs.target, runs.limits, on_message, *left);
    *left -= watch.seconds();
    if (!died)
      return done;
    if (done < runs.inputs)
      runs.on_death(done++, *died); // it is not tried again
    if (died->out_of_time || *left <= 0)
      return done;
  }
  return done;
}

std::optional<Input> typed_input(const model::Target& target, Input values) {
  if (values.size() != target.inputs.size())
    return std::nullopt;
  for (size_t i = 0; i < values.size(); ++i) {
    const model::Type& type = target.inputs[i].type;
    const auto [least, most] = judge::range_of_type(type);
    const bool is_whole = values[i] == std::floor(values[i]);
    if (!is_encoded(values[i]) || (!type.floating && !(is_whole && values[i] >= least && values[i] <= most)))
      return std::nullopt;
    if (type.floating)
      values[i] = numeric::nearest(values[i], type.format);
  }
  return values;
}

Input checked_input(const model::Target& target, const Input& values) {
  std::optional<Input> input = typed_input(target, values);
  if (!input)
    throw UserError(base::status_internal, "its input is not one of this function");
  return std::move(*input);
}

std::optional<Finding> finding_of(const WorkerDeath& death, const model::Target& target, const Settings& settings) {
  if (!death.in_call || death.in_reference)
    return std::nullopt;
  const std::optional<Input> input = typed_input(target, death.input);
  if (!input)
    return std::nullopt;
  Finding finding;
  finding.kind = death.hung ? Kind::timeout : ended_itself(death) ? Kind::exception : Kind::crash;
  finding.input = judge::named_input(target, *input);
  finding.values = *input;
  finding.everyday = search::is_everyday(judge::space_of(target, settings), *input);
  finding.oracle = "none";
  finding.detail = detail_of(death);
  finding.id = identify(target.function, finding);
  return finding;
}

std::string detail_of(const WorkerDeath& death) {
  if (death.hung)
    return "did not come back and had to be killed";
  return ended_itself(death) ? fmt::format("ended the process, with status {}", death.status)
                             : "killed the worker process";
}

std::string note_of(const WorkerDeath& death) {
  if (death.in_reference)
    return "the reference did not come back, or ended the worker";
  if (death.in_call)
    return fmt::format("a call {}; its input is not known", detail_of(death));
  if (death.in_constructors)
    return fmt::format("its static constructors {}",
                       death.hung ? "did not come back" : "ended the process: " + ended_by(death));
  if (death.out_of_time)
    return "its time was up, twice the budget, before it was done; a larger --budget gives more";
  if (death.hung)
    return "it did not come back, and not from a call that is known: the worker was killed";
  return fmt::format("the worker died outside of the code under test ({})", ended_by(death));
}

void run(const std::vector<Assignment>& assignments, program::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle) {
  std::vector<exec::Job> jobs;
  for (const Assignment& assignment : assignments)
    jobs.push_back(job_of(std::make_shared<const Assignment>(assignment), program));
  exec::run_jobs(std::move(jobs), parallel, limited(limits), stop, on_idle);
}

void run(const std::function<std::optional<Assignment>()>& next, program::Program& program, int parallel,
         const exec::WorkerLimits& limits, const std::atomic<bool>& stop, const std::function<void()>& on_idle) {
  exec::warm_up();
  exec::run_jobs(
      [&]() -> std::optional<exec::Job> {
        std::optional<Assignment> assignment = next();
        if (!assignment)
          return std::nullopt;
        return job_of(std::make_shared<const Assignment>(std::move(*assignment)), program);
      },
      parallel, limited(limits), stop, on_idle);
}

void run_alone(Assignment assignment, program::Program& program, const exec::WorkerLimits& limits,
               const std::atomic<bool>& stop) {
  std::optional<UserError> error;
  assignment.on_message = [&error, take = std::move(assignment.on_message)](const Message& message) {
    if (const auto* failure = std::get_if<Failure>(&message))
      error.emplace(failure->status, failure->what, failure->hint);
    else
      take(message);
  };
  run({std::move(assignment)}, program, 1, limits, stop, [] {});
  if (error)
    throw *error;
}

Job job_for(const model::Target& target, const Settings& settings, const Options& options, Task task) {
  exec::Limits limits = options.limits;
  limits.native_seconds = std::min(limits.native_seconds, std::max(settings.budget_seconds / 2, 1.0));
  return {.flags = options.sources.flags,
          .function = target.function,
          .symbol = target.symbol,
          .settings = settings,
          .limits = limits,
          .task = std::move(task)};
}

} // namespace faultline::hunt
