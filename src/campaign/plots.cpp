#include "campaign/plots.h"

#include "campaign/single_run.h"
#include "campaign/targets.h"
#include "frontend/error.h"
#include "judge/tasks/plot_sampler.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace faultline::campaign {

using finding::Finding;
using finding::FoundAt;
using finding::Report;
using finding::TargetReport;
using judge::most_around;
using judge::most_of_range;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_call = 0.2; // seconds: a sample that takes longer has no place in a plot

bool has_plot(const Finding& finding) { return is_error(finding.kind) && finding.error.has_value(); }

// What one finding may cost.
struct PlotShare {
  double seconds;
  size_t points;
  size_t inputs;
};

double until(Clock::time_point deadline) {
  return std::max(0.0, std::chrono::duration<double>(deadline - Clock::now()).count());
}

// The findings of one target.
void sample_target(TargetReport& report, const std::vector<Finding*>& findings, frontend::Program& program,
                   const Options& all, const PlotShare& share, Clock::time_point deadline) {
  Options own = all;
  own.functions = {report.function};
  const frontend::Target target = single_target(program, own);
  const finding::Settings settings = settings_of_finding(settings_for(target, own), target, findings.front()->input);
  own.limits.call_seconds = std::min(own.limits.call_seconds, longest_call);
  own.limits.lifted_seconds = std::min(own.limits.lifted_seconds, longest_call);
  own.limits.oracle_operations = std::numeric_limits<uint64_t>::max(); // the clock limits it
  std::vector<FoundAt> wanted;
  for (Finding* finding : findings) {
    finding->plots.note = "no plot: the time for plots was up";
    wanted.push_back({input_of(target, settings, finding->input), *finding});
  }
  run_all(
      job_for(target, settings, own, {}), wanted, program, target, own.worker,
      [&](std::vector<FoundAt> rest) {
        return finding::PlotTask{std::move(rest), report.inputs, until(deadline),
                                 share.seconds,   share.points,  share.inputs};
      },
      [&](size_t i, const finding::Message& message) {
        if (const auto* sampled = std::get_if<finding::PlotsMessage>(&message))
          findings[i]->plots = sampled->plots;
      },
      [&](size_t i, const finding::WorkerDeath&) {
        findings[i]->plots.note = "no plot: a sample ended the worker process";
      });
}

} // namespace

void add_plots(Report& report, const Options& options, const std::atomic<bool>& stop, const PlotLimits& limits) {
  size_t count = 0;
  for (const TargetReport& target : report.targets)
    count += size_t(std::ranges::count_if(target.findings, has_plot));
  if (count == 0)
    return;
  frontend::Program program = load_program(options);
  const size_t most_points = limits.most_inputs * (most_around + most_of_range);
  PlotShare share{};
  share.seconds = std::min(limits.finding_seconds, limits.seconds / double(count));
  share.points = std::clamp(limits.points / count, limits.fewest, std::max(limits.fewest, most_points));
  share.inputs = std::clamp<size_t>(share.points / ((most_around + most_of_range) / 2), 1, limits.most_inputs);
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
  size_t left = limits.points / share.points;
  for (TargetReport& target : report.targets) {
    std::vector<Finding*> wanted;
    for (Finding& finding : target.findings)
      if (has_plot(finding) && left > 0) {
        wanted.push_back(&finding);
        --left;
      } else if (has_plot(finding)) {
        finding.plots.note = "no plot: there are too many findings for all of them to have one";
      }
    if (wanted.empty())
      continue;
    try {
      if (!stop)
        sample_target(target, wanted, program, options, share, deadline);
    } catch (const frontend::UserError& problem) {
      const std::string what = problem.what();
      for (Finding* finding : wanted)
        finding->plots.note = "no plot: " + what.substr(0, what.find('\n'));
    }
  }
}

} // namespace faultline::campaign
