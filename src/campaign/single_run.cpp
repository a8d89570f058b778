#include "campaign/single_run.h"

#include "campaign/configuration.h"
#include "campaign/given_input.h"
#include "campaign/space_of_target.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace faultline::campaign {

using frontend::Target;
using frontend::UserError;

Options options_of_finding(Options own, const frontend::Target& target, const std::vector<NamedNumber>& input) {
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

exec::Input input_of(const frontend::Target& target, const Options& options, const Finding& finding) {
  std::map<std::string, std::string> at;
  for (const NamedNumber& number : finding.input)
    at[number.name] = number.value.hex;
  return input_at(target, options, at).input;
}

Target single_target(frontend::Program& program, const Options& options) {
  std::vector<Target> targets = targets_of(program, options);
  if (!options.functions.empty())
    return targets.front();
  std::vector<Target> suitable;
  for (Target& target : targets)
    if (target.suitable() && !options_for(target, options).skip)
      suitable.push_back(std::move(target));
  if (suitable.size() != 1)
    throw UserError(frontend::status_usage, fmt::format("the sources have {} suitable functions", suitable.size()),
                    "name one with -f; faultline list shows them");
  return suitable.front();
}

std::optional<exec::Death> in_worker(const Options& options, frontend::Program& program, const Target& target,
                                     const std::function<void(exec::Session&, Judge&, exec::Line&)>& work,
                                     const std::function<void(const Json&)>& on_message) {
  check_names({target}, options);
  std::optional<exec::Reference> reference = load_reference(options, target);
  std::optional<UserError> error;
  std::optional<exec::Death> died;
  std::vector<exec::Job> jobs;
  jobs.push_back(make_job(
      [&](exec::Line& line) {
        // The child's own copy of the program.
        exec::Session session(std::move(program), target, options.limits, line.flight);
        Judge judge(session, options, judged_outputs(target, options), reference ? &*reference : nullptr);
        work(session, judge, line);
      },
      [&](const Json& message) {
        if (auto found = error_in(message))
          error = found;
        else
          on_message(message);
      },
      [&](const exec::Death& death) { died = death; }, [](bool) {}));
  exec::WorkerLimits limits = options.worker;
  limits.restarts = 0;
  const std::atomic<bool> never = false;
  exec::run_jobs(std::move(jobs), 1, limits, never, [] {});
  if (error)
    throw *error;
  return died;
}

} // namespace faultline::campaign
