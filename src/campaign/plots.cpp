#include "campaign/plots.h"

#include "campaign/configuration.h"
#include "campaign/finding_json.h"
#include "campaign/plot_sampler.h"
#include "campaign/single_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace faultline::campaign {

using frontend::Target;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_call = 0.2; // seconds: a sample that takes longer has no place in a plot

bool has_plot(const Finding& finding) { return is_error(finding.kind) && finding.error.has_value(); }

Clock::duration seconds(double count) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
}

// JSON has no infinity: the largest double stands for it.
Json to_json(const std::vector<PlotPoint>& points) {
  Json list = Json::array();
  for (const PlotPoint& point : points)
    list.push_back(
        {point.value, point.offset,
         std::isnan(point.error) ? Json() : Json(std::min(point.error, std::numeric_limits<double>::max()))});
  return list;
}

std::vector<PlotPoint> points_from(const Json& list) {
  std::vector<PlotPoint> points;
  for (const Json& point : list)
    if (point.is_array() && point.size() == 3 && point[0].is_string() && point[1].is_number())
      points.push_back({point[0].get<std::string>(), point[1].get<double>(),
                        point[2].is_number() ? point[2].get<double>() : std::numeric_limits<double>::quiet_NaN()});
  return points;
}

Json to_json(const Plots& plots) {
  Json json{{"note", plots.note}, {"inputs", Json::array()}};
  for (const Plot& plot : plots.inputs)
    json["inputs"].push_back({{"input", plot.input}, {"around", to_json(plot.around)}, {"range", to_json(plot.range)}});
  return json;
}

Plots plots_from(const Json& json) {
  Plots plots;
  plots.note = json.value("note", std::string());
  for (const Json& plot : json.value("inputs", Json::array()))
    plots.inputs.push_back({plot.value("input", std::string()), points_from(plot.value("around", Json::array())),
                            points_from(plot.value("range", Json::array()))});
  return plots;
}

// The findings of one target, in one worker, and another one after each death.
void sample_target(TargetReport& report, std::vector<Finding*> findings, frontend::Program& program, const Options& all,
                   const PlotShare& share, Clock::time_point deadline) {
  Options own = all;
  own.functions = {report.function};
  const Target target = single_target(program, own);
  own = options_of_finding(options_for(target, own), target, findings.front()->input);
  own.limits.call_seconds = std::min(own.limits.call_seconds, longest_call);
  own.limits.lifted_seconds = std::min(own.limits.lifted_seconds, longest_call);
  own.limits.oracle_operations = std::numeric_limits<uint64_t>::max(); // the clock limits it
  size_t done = 0;
  while (done < findings.size() && Clock::now() < deadline) {
    const size_t begin = done;
    const auto died = in_worker(
        own, program, target,
        [&](exec::Session& session, Judge& judge, exec::Line& line) {
          for (size_t i = begin; i < findings.size() && Clock::now() < deadline; ++i) {
            const exec::Input input = input_of(target, own, *findings[i]);
            line.send(json_text(to_json(sample_plots(session, judge, report, *findings[i], input, share))));
          }
        },
        [&](const Json& message) {
          if (done < findings.size())
            findings[done++]->plots = plots_from(message);
        });
    if (died && done < findings.size())
      findings[done++]->plots.note = "no plot: a sample ended the worker process";
    else if (!died)
      break;
  }
  for (; done < findings.size(); ++done)
    findings[done]->plots.note = "no plot: the time for plots was up";
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
  PlotShare share;
  share.time = seconds(std::min(limits.finding_seconds, limits.seconds / double(count)));
  share.points = std::clamp(limits.points / count, limits.fewest, std::max(limits.fewest, most_points));
  share.inputs = std::clamp<size_t>(share.points / ((most_around + most_of_range) / 2), 1, limits.most_inputs);
  const Clock::time_point deadline = Clock::now() + seconds(limits.seconds);
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
