#include "hunt/reruns.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/given_input.h"
#include "judge/tasks/work.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace faultline::hunt {

using namespace model;
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
std::vector<Round> rounds_of(Report& report, const std::vector<Problem>& problems) {
  std::vector<Round> rounds(3);
  std::map<const Finding*, std::pair<TargetReport*, Finding*>> waiting;
  for (TargetReport& target : report.targets)
    for (Finding& finding : target.findings)
      if (has_plot(finding))
        waiting[&finding] = {&target, &finding};
  for (const Problem& problem : problems)
    if (const auto found = waiting.find(&problem.representative()); found != waiting.end()) {
      const bool counts = problem.tier != Tier::note && !problem.set_aside;
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
  for (const Plot& plot : finding.plots.inputs)
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
    } catch (const base::UserError& problem) {
      for (Finding* finding : wanted)
        finding->plots.note = "no plot: " + base::first_line(problem.what());
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
    run_all(job_for(target, settings, own, {}), {.program = program_,
                                                 .target = target,
                                                 .limits = own.worker,
                                                 .inputs = wanted.size(),
                                                 .task =
                                                     [&](size_t first) {
                                                       return PlotTask{{wanted.begin() + long(first), wanted.end()},
                                                                       report.inputs,
                                                                       until(deadline),
                                                                       share.seconds,
                                                                       share.points,
                                                                       share.inputs};
                                                     },
                                                 .on_result =
                                                     [&](size_t i, const Message& message) {
                                                       if (const auto* sampled = std::get_if<PlotsMessage>(&message))
                                                         findings[i]->plots = sampled->plots;
                                                       tell_one();
                                                     },
                                                 .on_death =
                                                     [&](size_t i, const WorkerDeath&) {
                                                       findings[i]->plots.note =
                                                           "no plot: a sample ended the worker process";
                                                       tell_one();
                                                     }});
  }

  void tell_one() {
    ++done_;
    if (on_plot_)
      on_plot_(done_, all_);
  }

  program::Program program_;
  const Options& options_;
  const std::atomic<bool>& stop_;
  const PlotLimits& limits_;
  size_t all_, done_ = 0;
  const OnPlot& on_plot_;
  size_t points_left_;
  base::Deadline deadline_;
};

} // namespace

void add_plots(Report& report, const std::vector<Problem>& problems, const Options& options,
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

namespace {

// The number of findings of a problem that are tried, the most ordinary first. Nearly always the first is suitable;
// each costs some runs of the oracle.
constexpr size_t most_tried = 4;

// Returns the reason why a finding of this kind cannot become a test; empty: it can.
std::string reason_against(const Finding& finding) {
  if (finding.kind == Kind::timeout)
    return "a call that does not come back would stop the other tests, too";
  if (finding.is_truncated())
    return "the loop's result tends to a limit that is not known exactly";
  if (finding.kind == Kind::crash || finding.kind == Kind::exception ||
      is_error(finding.kind)) // the exact results around the input decide
    return "";
  return finding.verdict == Verdict::unknown ? "it is not known whether it can be avoided" : "";
}

// One input of a problem that may become its test case.
struct Candidate {
  RegressionCase made;
  const Evidence* evidence = nullptr;
  Input input = {};
};

// Returns the candidates of one problem, the most ordinary first. Not empty.
std::vector<Candidate> candidates_of(const Problem& problem) {
  std::vector<Candidate> all;
  for (const Evidence& evidence : problem.findings) {
    const Finding& finding = *evidence.finding;
    if (all.size() >= most_tried || finding.set_aside() || tier_of(finding) > Tier::warning)
      continue;
    const bool there = finding.cause && finding.cause->file == problem.file && finding.cause->line == problem.line;
    RegressionCase made{
        problem.id,   problem.fault,  problem.file,  problem.line, there ? finding.cause->source : problem.source,
        finding.kind, finding.detail, finding.input, {},           reason_against(finding)};
    all.push_back({made, &evidence});
    // No result is within some ulps of an exact zero. Takes another input whose exact result is not zero.
    const auto finite =
        std::ranges::find_if(finding.also, [](const Witness& at) { return std::isfinite(at.relative); });
    if (made.left_out.empty() && finding.error && std::isinf(finding.error->relative) && finite != finding.also.end()) {
      made.input = finite->input;
      all.push_back({made, &evidence});
    }
  }
  return all;
}

void examine(program::Program& program, const Options& options, const Settings& settings, const model::Target& target,
             const std::vector<Candidate*>& candidates) {
  std::vector<RegressionCase*> open; // crashes need no oracle
  std::vector<FoundAt> wanted;
  for (Candidate* candidate : candidates)
    if (candidate->made.left_out.empty() && candidate->made.kind != Kind::crash &&
        candidate->made.kind != Kind::exception) {
      open.push_back(&candidate->made);
      wanted.push_back({candidate->input, *candidate->evidence->finding});
      candidate->made.left_out = "the code did not come back when it was run again";
    }
  if (open.empty())
    return;
  size_t done = 0;
  const Job job = job_for(target, settings, options, ExamineTask{std::move(wanted)});
  run_once(job, program, target, options.worker, [&](const Message& message) {
    const auto* examined = std::get_if<ExaminationResult>(&message);
    if (!examined || done == open.size())
      return;
    RegressionCase& made = *open[done++];
    if (examined->expected && examined->expected->output >= target.outputs.size())
      throw base::UserError(base::status_internal, "the function has no such output");
    made.left_out = examined->left_out;
    made.expected = examined->expected;
  });
}

// Examines the candidates, which are all of this target.
RegressionTarget examined_target(program::Program& program, const Options& options, const TargetReport& report,
                                 const std::vector<Candidate*>& candidates) {
  RegressionTarget made{report.function, report.file, {}, {}};
  try {
    Options own = options;
    own.functions = {report.function};
    FoundIn found = found_in(program, own, report, candidates.front()->made.input);
    made.target = std::move(found.target);
    const Settings& settings = found.settings;
    for (Candidate* candidate : candidates) {
      candidate->input = input_of(made.target, settings, candidate->made.input);
      candidate->made.input = judge::named_input(made.target, candidate->input);
    }
    examine(program, own, settings, made.target, candidates);
  } catch (const base::UserError& problem) {
    for (Candidate* candidate : candidates)
      candidate->made.left_out = base::first_line(problem.what());
  }
  return made;
}

// The key of a test. Two problems may demand the same result at the same input; a second test would show nothing new.
std::string key_of_test(const Candidate& candidate) {
  const RegressionCase& made = candidate.made;
  std::string key = fmt::format("{} {}:", candidate.evidence->target->function,
                                made.expected ? fmt::format("{}", made.expected->output) : "returns");
  for (const NamedNumber& number : made.input)
    key += number.value.hex + " ";
  return key;
}

// Returns the first candidate with a distinct test; else the first one, with the reason why it has none.
Candidate chosen(const std::vector<Candidate>& candidates, std::set<std::string>& seen) {
  for (const Candidate& candidate : candidates)
    if (candidate.made.left_out.empty() && seen.insert(key_of_test(candidate)).second)
      return candidate;
  Candidate none = candidates.front();
  if (none.made.left_out.empty())
    none.made.left_out = "another test has the same input";
  return none;
}

} // namespace

std::vector<RegressionTarget> regression_targets(const RankedReport& ranked, const Options& options) {
  const auto& [report, problems] = ranked;
  program::Program program = load_program(options);
  std::vector<std::vector<Candidate>> all;
  for (const Problem& problem : problems)
    if (!problem.set_aside && problem.tier <= Tier::warning)
      all.push_back(candidates_of(problem));
  std::map<const TargetReport*, std::vector<Candidate*>> by_target;
  for (std::vector<Candidate>& candidates : all)
    for (Candidate& candidate : candidates)
      by_target[candidate.evidence->target].push_back(&candidate);
  std::map<const TargetReport*, RegressionTarget> made;
  for (const TargetReport& target : report.targets)
    if (const auto own = by_target.find(&target); own != by_target.end())
      made.emplace(&target, examined_target(program, options, target, own->second));
  std::set<std::string> seen;
  for (std::vector<Candidate>& candidates : all) {
    // A function without a harness makes a simpler test.
    numeric::sort_stably(candidates, {}, [&](const Candidate& candidate) {
      return !made.at(candidate.evidence->target).target.harness.empty();
    });
    const Candidate candidate = chosen(candidates, seen);
    made.at(candidate.evidence->target).cases.push_back(candidate.made);
  }
  std::vector<RegressionTarget> targets;
  for (const TargetReport& target : report.targets)
    if (const auto found = made.find(&target); found != made.end() && !found->second.cases.empty())
      targets.push_back(std::move(found->second));
  return targets;
}

std::string bitcode_for(const std::vector<RegressionTarget>& targets, const Options& options) {
  std::vector<std::string> symbols;
  for (const RegressionTarget& target : targets)
    if (!target.target.symbol.empty())
      symbols.push_back(target.target.symbol);
  return load_program(options).bitcode_of(symbols);
}

} // namespace faultline::hunt
