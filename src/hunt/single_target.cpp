#include "hunt/single_target.h"
#include "base/clock.h"
#include "base/error.h"
#include "certificate/check.h"
#include "hunt/hunt.h"
#include "hunt/replay.h"
#include "hunt/targets.h"
#include "hunt/workers.h"
#include "judge/endings.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "model/report.h"
#include "model/set_aside.h"
#include "model/settings/table.h"
#include "model/uncovered.h"
#include "numeric/decimal.h"
#include "program/fpcore_export/exported.h"
#include "search/paths/path_tree.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace faultline::hunt {

using namespace model;

namespace {

// The values of an input: the format of its floats, or the one value of an integer.
std::string difference_of_values(const CertifiedInput& certified, const search::Dimension& dimension) {
  if (dimension.floating && certified.format != dimension.format)
    return fmt::format("{} has the values of {}, and in the certificate those of {}", certified.name,
                       numeric::info(dimension.format).name, numeric::info(certified.format).name);
  const auto value = numeric::Value(certified.low);
  const bool is_one_value = certified.low == certified.high && dimension.low <= value && value <= dimension.high &&
                            certified.error == 0 && !certified.rounded && dimension.nearest(value) == value;
  if (!dimension.floating && !is_one_value)
    return fmt::format("{} is an integer, and must have one value in the certificate that the settings allow",
                       certified.name);
  return "";
}

std::string difference_of_inputs(const Certificate& certificate, const model::Target& target,
                                 const Settings& settings) {
  if (certificate.inputs.size() != target.inputs.size())
    return fmt::format("{} has {} inputs, and the certificate {}", target.function, target.inputs.size(),
                       certificate.inputs.size());
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (target.inputs[i].name != certificate.inputs[i].name)
      return fmt::format("{} has an input {}, and the certificate {}", target.function, target.inputs[i].name,
                         certificate.inputs[i].name);
  const search::Space space = judge::space_of(target, settings);
  for (size_t i = 0; i < target.inputs.size(); ++i)
    if (std::string difference = difference_of_values(certificate.inputs[i], space.dimensions[i]); !difference.empty())
      return difference;
  return "";
}

std::string difference_of_outputs(const Certificate& certificate, const model::Target& target,
                                  const std::vector<size_t>& judged) {
  bool same = judged.size() == certificate.outputs.size();
  for (size_t i = 0; same && i < judged.size(); ++i) {
    const model::Cell& cell = target.outputs[judged[i]];
    same = cell.name == certificate.outputs[i].name && cell.type.format == certificate.outputs[i].format;
  }
  return same ? "" : fmt::format("the outputs of {} are not those of the certificate", target.function);
}

// Compares constants bit by bit: a NaN equals itself, and 0 differs from -0.
bool is_same_code(const CertifiedPath& a, const CertifiedPath& b) {
  const auto is_same = [](double x, double y) { return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y); };
  return a.steps == b.steps && a.outputs == b.outputs &&
         std::ranges::equal(a.constants, b.constants, [&](const auto& x, const auto& y) {
           return is_same(x.low, y.low) && is_same(x.high, y.high);
         });
}

} // namespace

std::string difference_from(const Certificate& certificate, Options options) {
  options.functions = {certificate.function};
  options.settings = read_settings(model::calling_settings(model::raw_settings_in(certificate.settings)));
  options.without_configuration = true;
  program::Program program = load_program(options);
  const model::Target target = single_target(program, options);
  if (std::string difference = difference_of_inputs(certificate, target, options.settings); !difference.empty())
    return difference;
  const std::vector<size_t> judged = judge::judged_outputs(target, options.settings);
  if (std::string difference = difference_of_outputs(certificate, target, judged); !difference.empty())
    return difference;

  std::vector<size_t> paths; // taken by some box
  PathsTask task;
  const std::vector<Input> inputs = certificate::inputs_of_paths(certificate);
  for (size_t path = 0; path < inputs.size(); ++path)
    if (!inputs[path].empty()) {
      paths.push_back(path);
      task.inputs.push_back(inputs[path]);
    }
  std::string difference;
  size_t seen = 0;
  const auto died = run_once(
      job_for(target, options.settings, options, task), program, target, options.worker, [&](const Message& message) {
        const auto* told = std::get_if<PathMessage>(&message);
        if (!told || told->input != seen || seen == paths.size() || !difference.empty())
          return;
        const size_t path = paths[seen++];
        if (!told->code)
          difference = fmt::format("path {} cannot be followed: {}", path, told->obstacle);
        else if (!is_same_code(*told->code, certificate.paths[path]))
          difference = fmt::format("{} computes something else on path {}", target.function, path);
      });
  if (difference.empty() && (died || seen < paths.size()))
    difference = fmt::format("{} did not finish on path {}", target.function, paths[seen]);
  return difference;
}

namespace {

// Adds the fields that only the supervisor knows to the certificate of a worker.
Certificate named(Certificate certificate, const BoundReport& report, const Settings& settings) {
  certificate.version = report.version;
  certificate.function = report.target.function;
  certificate.file = report.target.file;
  certificate.line = report.target.line;
  certificate.settings = model::words_of(model::calling_settings(model::raw_settings_of(settings)));
  return certificate;
}

} // namespace

BoundResult bound(const Options& options, const BoundTask& how,
                  const std::function<void(const SearchProgress&)>& on_progress, const std::atomic<bool>& stop) {
  program::Program program = load_program(options);
  BoundResult bounded;
  BoundReport& report = bounded.report;
  report.version = model::version;
  report.command = options.command;
  report.target = single_target(program, options, Fit::huntable);
  Settings settings = settings_for(report.target, options);
  const base::Stopwatch watch;
  report.note = measure(program, report.target, settings, options).note;
  const double spent = watch.seconds();
  judge::check_names({report.target}, options.settings);
  report.seed = settings.seed;
  const judge::Counting counting = judge::counting_of(settings);
  report.threshold = counting.threshold;
  report.measure = counting.measure;
  report.inputs = searched_ranges(report.target, settings);

  bool told = false, late = false;
  const Assignment assignment{.job = job_for(report.target, settings, options, how),
                              .target = &report.target,
                              .on_message =
                                  [&](const Message& message) {
                                    if (const auto* progress = std::get_if<SearchProgress>(&message)) {
                                      on_progress(*progress);
                                    } else if (const auto* bounds = std::get_if<BoundsMessage>(&message)) {
                                      report.bounds = bounds->bounds;
                                      told = true;
                                    } else if (const auto* proof = std::get_if<CertificateMessage>(&message)) {
                                      bounded.certificate = named(proof->certificate, report, settings);
                                    } else if (const auto* death = std::get_if<WorkerDeath>(&message)) {
                                      report.note = "a call killed the worker process, and was left out";
                                      late = death->out_of_time;
                                    }
                                  },
                              .seconds = std::max(seconds_in_all(how.seconds) - spent, how.seconds)};
  run_alone(assignment, program, options.worker, stop);
  if (!told && !stop)
    throw base::UserError(base::status_inconclusive,
                          late ? "time was up, twice --time, before there was a bound"
                               : "the worker ended without a bound",
                          "a shorter --range, or --time with more");
  report.interrupted = stop;
  return bounded;
}

std::string export_fpcore(const Options& options) {
  Options own = options;
  own.sources.as_written = true; // keep the loops of the source
  own.sources.preconditions = program::fpcore::Preconditions::left_out;
  program::Program program = load_program(own);
  const model::Target target = single_target(program, own);
  const Settings settings = settings_for(target, own);
  program::fpcore::ExportedWith with{{}, settings.held};
  for (const auto& [name, range] : settings.ranges)
    with.ranges[name] = {range.low, range.high};
  return program::fpcore::exported(program.bitcode_of({target.symbol}), target, with);
}

namespace {

using Decision = model::Uncovered::Decision;

// Chooses inputs that together show all wanted decisions that any input shows: those that show most first, and of equal
// ones the least strange. Inputs that are not everyday are chosen only for decisions that no other input shows.
std::vector<size_t> fewest(const std::set<Decision>& wanted, const std::vector<RunMessage>& runs,
                           const std::vector<double>& strangeness) {
  std::vector<model::Uncovered::Candidate> candidates;
  for (size_t i = 0; i < runs.size(); ++i)
    candidates.push_back({runs[i].decisions, !(strangeness[i] < search::strange), strangeness[i]});
  model::Uncovered uncovered(std::move(candidates),
                             [&](const Decision& decision) { return wanted.contains(decision); });
  std::vector<size_t> kept;
  while (const std::optional<size_t> best = uncovered.best()) {
    kept.push_back(*best);
    uncovered.take(*best);
  }
  std::ranges::sort(kept);
  return kept;
}

// For each decision the first kept run that shows it.
std::map<Decision, size_t> first_shown(const std::vector<size_t>& kept, const std::vector<RunMessage>& runs) {
  std::map<Decision, size_t> first;
  for (size_t test = 0; test < kept.size(); ++test)
    for (const Decision& decision : runs[kept[test]].decisions)
      first.try_emplace(decision, test);
  return first;
}

Options as_written(Options options) {
  options.sources.as_written = true;
  return options;
}

class Covering {
public:
  Covering(const Options& options, const ExploreTask& how, const std::function<void(uint64_t)>& on_progress,
           const std::atomic<bool>& stop)
      : options_(options), how_(how), on_progress_(on_progress), stop_(stop),
        program_(load_program(as_written(options))) {
    report_.version = model::version;
    report_.command = options.command;
    report_.loop_bound = how.loop_bound;
    report_.target = single_target(program_, options, Fit::callable);
    settings_ = settings_for(report_.target, options);
    report_.note = measure(program_, report_.target, settings_, options).note;
    judge::check_names({report_.target}, options.settings);
    report_.seed = settings_.seed;
  }

  CoverReport run() {
    report_.inputs = searched_ranges(report_.target, settings_);
    explore();
    choose_inputs();
    replay();
    report_.interrupted = stop_;
    return std::move(report_);
  }

private:
  void in_worker(Task task, double seconds, const std::function<void(const Message&)>& on_message) {
    const Assignment assignment{
        .job = job_for(report_.target, settings_, options_, std::move(task)),
        .target = &report_.target,
        .on_message =
            [&](const Message& message) {
              if (const auto* death = std::get_if<WorkerDeath>(&message)) {
                branches_.clear();
                report_.note =
                    death->out_of_time ? note_of(*death) : "a call killed the worker process, and was left out";
              } else {
                on_message(message);
              }
            },
        .on_unreadable =
            [&](const std::string& why) { report_.note = "a message of its worker could not be read: " + why; },
        .seconds = seconds};
    run_alone(assignment, program_, options_.worker, stop_);
  }

  void explore() {
    in_worker(how_, seconds_to_search(settings_.budget_seconds), [&](const Message& message) {
      if (const auto* progress = std::get_if<SearchProgress>(&message)) {
        on_progress_(progress->evaluations);
      } else if (const auto* branch = std::get_if<BranchMessage>(&message)) {
        take(*branch);
      } else if (const auto* done = std::get_if<ExplorationDone>(&message)) {
        report_.paths = done->paths;
        report_.complete = done->complete;
        report_.bounded = done->bounded;
        report_.questions = done->questions;
        report_.unanswered = done->unanswered;
        report_.evaluations = done->evaluations;
        report_.seconds = done->seconds;
      }
    });
  }

  void take(BranchMessage branch) {
    if (branch.branch.state == BranchState::covered)
      branch.input = checked_input(report_.target, branch.input);
    branches_.push_back(std::move(branch));
  }

  // Collects the distinct inputs of the branches in their order.
  void choose_inputs() {
    std::set<std::vector<std::string>> known;
    for (const BranchMessage& branch : branches_)
      if (branch.branch.state == BranchState::covered) {
        std::vector<std::string> texts;
        for (const numeric::Value value : branch.input)
          texts.push_back(numeric::hex_float(value));
        if (known.insert(std::move(texts)).second)
          inputs_.push_back(branch.input);
      }
  }

  void replay() {
    std::vector<RunMessage> runs(inputs_.size());
    if (!inputs_.empty())
      in_worker(DecisionsTask{inputs_}, seconds_for_the_rest(settings_.budget_seconds, report_.seconds),
                [&](const Message& message) {
                  if (const auto* run = std::get_if<RunMessage>(&message); run && run->input < runs.size())
                    runs[run->input] = *run;
                });
    std::set<Decision> wanted;
    for (const BranchMessage& branch : branches_)
      if (branch.branch.state == BranchState::covered)
        wanted.insert({branch.site, branch.outcome});
    const search::Space space = judge::space_of(report_.target, settings_);
    std::vector<double> strangeness;
    for (const Input& input : inputs_)
      strangeness.push_back(search::strangeness(space, input));
    const std::vector<size_t> kept = fewest(wanted, runs, strangeness);
    const std::map<Decision, size_t> shown = first_shown(kept, runs);
    for (const size_t i : kept)
      report_.tests.push_back(test_of(inputs_[i], runs[i]));
    for (const BranchMessage& branch : branches_)
      report_.branches.push_back(branch_of(branch, shown));
  }

  CoverTest test_of(const Input& input, const RunMessage& run) const {
    CoverTest test{judge::named_input(report_.target, input), input, run.ending, run.returned, run.missing, {}};
    const std::vector<model::Cell>& cells = report_.target.outputs;
    for (size_t i = 0; run.returned && i < run.outputs.size() && i < cells.size(); ++i)
      test.outputs.push_back({cells[i].name, judge::number_of(run.outputs[i], cells[i].type)});
    return test;
  }

  CoveredBranch branch_of(const BranchMessage& branch, const std::map<Decision, size_t>& shown) {
    CoveredBranch covered = branch.branch;
    if (covered.state != BranchState::covered)
      return covered;
    if (const auto test = shown.find({branch.site, branch.outcome}); test != shown.end()) {
      covered.shown = test->second;
      return covered;
    }
    ++report_.not_replayed;
    covered.state = BranchState::open;
    covered.why = "a fresh process did not confirm its input";
    return covered;
  }

  Options options_;
  Settings settings_;
  const ExploreTask& how_;
  const std::function<void(uint64_t)>& on_progress_;
  const std::atomic<bool>& stop_;
  program::Program program_;
  CoverReport report_;
  std::vector<BranchMessage> branches_;
  std::vector<Input> inputs_;
};

} // namespace

CoverReport cover(const Options& options, const ExploreTask& how, const std::function<void(uint64_t)>& on_progress,
                  const std::atomic<bool>& stop) {
  return Covering(options, how, on_progress, stop).run();
}

namespace {

// Builds the explanation from the messages of the worker.
class Receiver {
public:
  Receiver(Explanation& explanation, const Options& options, const Settings& settings)
      : explanation_(explanation), options_(options), settings_(settings),
        set_aside_(options.baseline, project_of(options)) {}

  void take(const Message& message) {
    if (const auto* finding = std::get_if<FindingMessage>(&message))
      take(*finding);
    else if (const auto* sentence = std::get_if<Sentence>(&message))
      take(*sentence);
    else if (const auto* row = std::get_if<RowMessage>(&message))
      explanation_.rows.push_back(row->row);
    else if (const auto* done = std::get_if<RowsDone>(&message))
      take(*done);
  }

  void add(Finding finding) {
    finding.strategy = judge::given_strategy;
    finding.id = identify(explanation_.target.function, finding);
    auto& findings = explanation_.target.findings;
    if (std::ranges::find(findings, finding.id, &Finding::id) != findings.end())
      return;
    finding.replay = replay_command(options_, settings_, explanation_.target, finding);
    set_aside_.apply(explanation_.target, finding);
    findings.push_back(std::move(finding));
  }

private:
  void take(const FindingMessage& message) {
    if (message.role == FindingRole::found) {
      add(message.finding);
    } else if (message.role == FindingRole::judged) {
      explanation_.output = message.finding.output;
      explanation_.error = message.finding.error;
      explanation_.parts = message.finding.parts;
      if (!message.finding.oracle.empty())
        explanation_.oracle = message.finding.oracle;
    } else if (message.role == FindingRole::uncounted) {
      explanation_.uncounted = message.finding;
    }
  }

  void take(const Sentence& sentence) {
    switch (sentence.role) {
    case SentenceRole::outcome:
      explanation_.outcome = sentence.text;
      break;
    case SentenceRole::unknown:
      explanation_.target.note = sentence.text;
      explanation_.target.outcome = TargetOutcome::unknown;
      break;
    case SentenceRole::note:
      explanation_.notes.push_back(sentence.text);
      break;
    case SentenceRole::printed:
      explanation_.printed.push_back(sentence.text);
      break;
    }
  }

  void take(const RowsDone& done) {
    explanation_.omitted = done.rows - std::min<uint64_t>(done.rows, explanation_.rows.size());
    explanation_.target.sites = done.sites;
    explanation_.too_long = done.too_long;
  }

  Explanation& explanation_;
  const Options& options_;
  const Settings& settings_;
  SetAside set_aside_;
};

void hint_at_status(Explanation& explanation, const model::Target& target, const Settings& settings) {
  const bool silent = std::ranges::any_of(explanation.target.findings, [](const Finding& finding) {
    return finding.counts() && finding.aftermath && finding.aftermath->silent();
  });
  if (const std::string hint = judge::status_hint(target, settings); silent && !hint.empty())
    explanation.notes.push_back(hint);
}

void note_death(Explanation& explanation, Receiver& receiver, const WorkerDeath& death, const model::Target& target,
                const Settings& settings) {
  explanation.interrupted = true;
  std::optional<Finding> finding = finding_of(death, target, settings);
  explanation.outcome = death.hung ? "did not come back" : detail_of(death);
  if (finding)
    receiver.add(std::move(*finding));
  else
    explanation.notes.push_back(note_of(death));
}

TargetOutcome outcome_of(const Explanation& explanation) {
  if (explanation.target.counted() > 0)
    return outcome_found(explanation.target);
  return explanation.interrupted ? TargetOutcome::interrupted : explanation.target.outcome;
}

} // namespace

Explanation explain(const Options& options, const std::map<std::string, std::string>& at, size_t most_rows) {
  program::Program program = load_program(options);
  model::Target target = single_target(program, options, Fit::huntable);
  Settings settings = settings_for(target, options);
  const MeasuredExtents measured = measure(program, target, settings, options);
  settings.wanted = {};
  const judge::GivenInput given = judge::input_at(target, settings, at);
  Explanation explanation;
  explanation.target = blank_report(target, settings);
  explanation.target.evaluations = 1;
  explanation.input = judge::named_input(target, given.input);
  explanation.judged = judge::judged_outputs(target, settings).size();
  explanation.oracle = text(settings.oracle);
  explanation.notes = given.notes;
  explanation.target.extents = measured.extents;
  if (!measured.note.empty())
    explanation.notes.push_back(measured.note);
  Receiver receiver(explanation, options, settings);
  const Job job = job_for(target, settings, options, ExplainTask{given.input, most_rows});
  const auto died =
      run_once(job, program, target, options.worker, [&](const Message& message) { receiver.take(message); });
  if (died)
    note_death(explanation, receiver, *died, target, settings);
  hint_at_status(explanation, target, settings);
  explanation.target.outcome = outcome_of(explanation);
  return explanation;
}

Report report_of(const Explanation& explanation, const Options& options) {
  Report report = blank_report(options);
  report.targets.push_back(explanation.target);
  return report;
}

} // namespace faultline::hunt
