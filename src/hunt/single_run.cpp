#include "hunt/single_run.h"

#include "frontend/error.h"
#include "hunt/targets/targets.h"
#include "judge/given_input.h"
#include "judge/judge.h"
#include "judge/meaning/statements.h"
#include "judge/space_of_target.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace faultline::campaign {

using finding::NamedNumber;
using frontend::UserError;

namespace {

finding::Settings settings_of_finding(finding::Settings own, const frontend::Target& target,
                                      const std::vector<NamedNumber>& input) {
  own.ranges.clear();
  own.formats.clear();
  auto unknown = [&](const auto& named) {
    return std::ranges::none_of(
        input, [&](const NamedNumber& cell) { return cell.name == named.first || cell.name == named.first + "[0]"; });
  };
  std::erase_if(own.held, unknown);
  std::erase_if(own.sizes, [&](const auto& named) { return named.first != "*" && unknown(named); });
  std::erase_if(own.aliases, [&](const auto& named) {
    return std::ranges::none_of(target.parameters, [&](const frontend::Parameter& parameter) {
      return parameter.name == named.first && !parameter.alias_of.empty();
    });
  });
  if (own.status &&
      std::ranges::find(target.outputs, own.status->output, &frontend::Cell::name) == target.outputs.end())
    own.status.reset();
  return own;
}

} // namespace

FoundIn found_in(frontend::Program& program, const Options& options, const finding::TargetReport& report,
                 const std::vector<NamedNumber>& input) {
  Options own = options;
  own.functions = {report.function};
  const bool measured = !report.extents.empty();
  frontend::Target target = single_target(program, own, measured ? Fit::huntable : Fit::suitable);
  if (measured) {
    frontend::Sizes sizes = settings_for(target, own).sizes;
    for (const finding::FoundExtent& extent : report.extents)
      sizes.emplace(extent.parameter, extent.extents);
    target = program.laid_out(target, {sizes, settings_for(target, own).aliases});
  }
  finding::Settings settings = settings_of_finding(settings_for(target, own), target, input);
  return {std::move(target), std::move(settings)};
}

finding::Input input_of(const frontend::Target& target, const finding::Settings& settings,
                        const std::vector<NamedNumber>& input) {
  std::map<std::string, std::string> at;
  for (const NamedNumber& number : input)
    at[number.name] = number.value.hex;
  return judge::input_at(target, settings, at).input;
}

std::vector<size_t> order_by_input(const std::vector<finding::Finding>& findings) {
  // Texts in hex tell inputs apart. Numbers do not: 0 and -0 are equal, and NaN is not equal to itself.
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

namespace {

// On the clock. One input is judged within the budget; machines may be busy. How much there is of other work differs.
std::optional<double> seconds_of(const finding::Job& job) {
  constexpr double slack = 30;
  return std::holds_alternative<finding::ExplainTask>(job.task) ? std::optional(2 * job.settings.budget_seconds + slack)
                                                                : std::nullopt;
}

} // namespace

std::optional<finding::WorkerDeath> run_once(const finding::Job& job, frontend::Program& program,
                                             const frontend::Target& target, const exec::WorkerLimits& limits,
                                             const std::function<void(const finding::Message&)>& on_message) {
  judge::check_names({target}, job.settings);
  judge::meanings_of(target, job.settings); // a wrong one is refused before anything runs
  std::optional<exec::Reference> reference = judge::load_reference(job.settings, job.flags, target);
  std::optional<UserError> error;
  std::optional<finding::WorkerDeath> died;
  const Assignment assignment{.job = job,
                              .target = &target,
                              .reference = reference ? &*reference : nullptr,
                              .on_message =
                                  [&](const finding::Message& message) {
                                    if (const auto* failure = std::get_if<finding::Failure>(&message))
                                      error.emplace(failure->status, failure->what, failure->hint);
                                    else if (const auto* death = std::get_if<finding::WorkerDeath>(&message))
                                      died = *death;
                                    else if (!std::holds_alternative<finding::JobEnd>(message))
                                      on_message(message);
                                  },
                              .seconds = seconds_of(job)};
  exec::WorkerLimits once = limits;
  once.restarts = 0;
  const std::atomic<bool> never = false;
  run({assignment}, program, 1, once, never, [] {});
  if (error)
    throw *error;
  return died;
}

void run_all(finding::Job job, std::vector<finding::FoundAt> findings, frontend::Program& program,
             const frontend::Target& target, const exec::WorkerLimits& limits,
             const std::function<finding::Task(std::vector<finding::FoundAt>)>& task,
             const std::function<void(size_t finding, const finding::Message&)>& on_result,
             const std::function<void(size_t finding, const finding::WorkerDeath&)>& on_death) {
  size_t done = 0;
  while (done < findings.size()) {
    const size_t begin = done;
    job.task = task({findings.begin() + long(begin), findings.end()});
    const auto died = run_once(job, program, target, limits, [&](const finding::Message& message) {
      if (done < findings.size())
        on_result(done++, message);
    });
    if (died && done < findings.size())
      on_death(done++, *died); // it had its chance
    else
      return;
  }
}

} // namespace faultline::campaign
