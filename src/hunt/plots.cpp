#include "hunt/plots.h"

#include "base/clock.h"
#include "frontend/error.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/tasks/plot_sampler.h"

#include <algorithm>
#include <limits>
#include <map>

namespace faultline::campaign {

using finding::Finding;
using finding::FoundAt;
using finding::Report;
using finding::TargetReport;
using judge::most_around;
using judge::most_of_range;

namespace {

constexpr double longest_call = 0.2; // seconds: longer samples are left out of a plot
// The fraction of the remaining time and points that a round may use if others follow. A guess: representatives should
// get most of it, and a report with a hundred of them should still show other findings.
constexpr double part_of_round = 2.0 / 3;

constexpr size_t most_of_others = 150; // points per input of a finding that is no representative: few readers open it

constexpr const char* too_many = "no plot: there are too many findings for all of them to have one";
constexpr const char* time_was_up = "no plot: the time for plots was up";

// True if there is an output to draw: the run neither crashes nor hangs.
bool has_plot(const Finding& finding) {
  return finding.aftermath || (is_error(finding.kind) && finding.error.has_value());
}

// The limits of one finding.
struct PlotShare {
  double seconds;
  size_t points;
  size_t inputs;
};

double until(const base::Deadline& deadline) { return std::max(0.0, deadline.left()); }

// Findings of one target, in the order in which their plots are made.
struct Batch {
  TargetReport* target;
  std::vector<Finding*> findings;
};

using Round = std::vector<Batch>;

void add_to(Round& round, TargetReport& target, Finding& finding) {
  auto batch = std::ranges::find(round, &target, &Batch::target);
  if (batch == round.end())
    batch = round.insert(round.end(), Batch{&target, {}});
  batch->findings.push_back(&finding);
}

// Returns three rounds: the representatives of errors and warnings, those of notes, and all other findings. Functions
// are in the order of their first problem. To save time, each has one worker for all of its findings in a round.
std::vector<Round> rounds_of(Report& report, const std::vector<finding::Problem>& problems) {
  std::vector<Round> rounds(3);
  std::map<const Finding*, std::pair<TargetReport*, Finding*>> waiting;
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      if (has_plot(finding))
        waiting[&finding] = {&target, &finding};
  for (const finding::Problem& problem : problems)
    if (const auto found = waiting.find(&problem.representative()); found != waiting.end()) {
      const bool counts = problem.tier != finding::Tier::note && !problem.set_aside;
      add_to(rounds[counts ? 0 : 1], *found->second.first, *found->second.second);
      waiting.erase(found);
    }
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      if (waiting.contains(&finding))
        add_to(rounds[2], target, finding);
  return rounds;
}

size_t findings_in(const Round& round) {
  size_t count = 0;
  for (const Batch& batch : round)
    count += batch.findings.size();
  return count;
}

size_t points_of(const Finding& finding) {
  size_t count = 0;
  for (const finding::Plot& plot : finding.plots.inputs)
    count += plot.around.size() + plot.range.size();
  return count;
}

class Plotter {
public:
  Plotter(const Options& options, const std::atomic<bool>& stop, const PlotLimits& limits, size_t all,
          const OnPlot& on_plot)
      : program_(load_program(options)), options_(options), stop_(stop), limits_(limits), all_(all), on_plot_(on_plot),
        points_left_(limits.points), deadline_(limits.seconds) {}

  void make(Round& round, bool last) {
    const size_t count = findings_in(round);
    if (count == 0)
      return;
    const double part = last ? 1 : part_of_round;
    const size_t most_points = limits_.most_inputs * (last ? most_of_others : most_around + most_of_range);
    PlotShare share{};
    share.seconds = std::min(limits_.finding_seconds, part * until(deadline_) / double(count));
    share.points =
        std::clamp(size_t(part * double(points_left_)) / count, limits_.fewest, std::max(limits_.fewest, most_points));
    const size_t for_input = last ? most_of_others : (most_around + most_of_range) / 2; // with fewer, a plot is poor
    share.inputs = std::clamp<size_t>(share.points / for_input, 1, limits_.most_inputs);
    const base::Deadline deadline(part * until(deadline_));
    for (Batch& batch : round)
      make(batch, share, deadline);
  }

private:
  void make(Batch& batch, const PlotShare& share, const base::Deadline& deadline) {
    const size_t affordable = std::min(batch.findings.size(), points_left_ / share.points);
    for (size_t i = 0; i < batch.findings.size(); ++i)
      batch.findings[i]->plots.note = i < affordable ? time_was_up : too_many;
    const std::vector<Finding*> wanted(batch.findings.begin(), batch.findings.begin() + long(affordable));
    if (wanted.empty() || stop_ || until(deadline_) == 0)
      return;
    try {
      sample(*batch.target, wanted, share, deadline);
    } catch (const frontend::UserError& problem) {
      const std::string what = problem.what();
      for (Finding* finding : wanted)
        finding->plots.note = "no plot: " + what.substr(0, what.find('\n'));
    }
    for (const Finding* finding : wanted)
      points_left_ -= std::min(points_left_, points_of(*finding));
  }

  void sample(const TargetReport& report, const std::vector<Finding*>& findings, const PlotShare& share,
              const base::Deadline& deadline) {
    Options own = options_;
    own.functions = {report.function};
    const FoundIn found = found_in(program_, own, report, findings.front()->input);
    const auto& [target, settings] = found;
    own.limits.call_seconds = std::min(own.limits.call_seconds, longest_call);
    own.limits.lifted_seconds = std::min(own.limits.lifted_seconds, longest_call);
    own.limits.oracle_operations = std::numeric_limits<uint64_t>::max(); // the clock limits it
    std::vector<FoundAt> wanted;
    for (const Finding* finding : findings)
      wanted.push_back({input_of(target, settings, finding->input), *finding});
    run_all(job_for(target, settings, own, {}),
            {.program = program_,
             .target = target,
             .limits = own.worker,
             .inputs = wanted.size(),
             .task =
                 [&](size_t first) {
                   return finding::PlotTask{{wanted.begin() + long(first), wanted.end()},
                                            report.inputs,
                                            until(deadline),
                                            share.seconds,
                                            share.points,
                                            share.inputs};
                 },
             .on_result =
                 [&](size_t i, const finding::Message& message) {
                   if (const auto* sampled = std::get_if<finding::PlotsMessage>(&message))
                     findings[i]->plots = sampled->plots;
                   tell_one();
                 },
             .on_death =
                 [&](size_t i, const finding::WorkerDeath&) {
                   findings[i]->plots.note = "no plot: a sample ended the worker process";
                   tell_one();
                 }});
  }

  void tell_one() {
    ++done_;
    if (on_plot_)
      on_plot_(done_, all_);
  }

  frontend::Program program_;
  const Options& options_;
  const std::atomic<bool>& stop_;
  const PlotLimits& limits_;
  size_t all_, done_ = 0;
  const OnPlot& on_plot_;
  size_t points_left_;
  base::Deadline deadline_;
};

} // namespace

void add_plots(Report& report, const std::vector<finding::Problem>& problems, const Options& options,
               const std::atomic<bool>& stop, const PlotLimits& limits, const OnPlot& on_plot) {
  std::vector<Round> rounds = rounds_of(report, problems);
  size_t all = 0;
  for (const Round& round : rounds)
    all += findings_in(round);
  if (all == 0)
    return;
  if (on_plot)
    on_plot(0, all);
  Plotter plotter(options, stop, limits, all, on_plot);
  for (Round& round : rounds)
    plotter.make(round, &round == &rounds.back());
}

} // namespace faultline::campaign
