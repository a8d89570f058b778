#include "judge/tasks/work.h"
#include "base/error.h"
#include "exec/outcome.h"
#include "exec/session.h"
#include "judge/bounds/certifying.h"
#include "judge/built_code.h"
#include "judge/endings.h"
#include "judge/exceptions/exceptions.h"
#include "judge/extent_search.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"
#include "judge/tasks/tell.h"
#include "judge/tasks/trial.h"
#include "numeric/bigfloat.h"
#include "ops/table.h"
#include "search/paths/paths.h"
#include "tape/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <sstream>

namespace faultline::judge {

using namespace model;
using numeric::BigFloat;
using numeric::Format;
using oracle::OutputJudgement;

namespace {

// Replays saved findings.

// True for the same type of exception, or an exit, at the same place; its text may differ.
ReplayResult ended_again(const Finding& now, const exec::Run& run, const Finding& saved) {
  if (run.outcome == exec::Outcome::returned || now.kind != Kind::exception)
    return {false, exec::end_words(run.outcome, run.ending)};
  const auto place = [](const Finding& finding) {
    const Cause cause = finding.cause.value_or(Cause());
    return std::tuple(cause.file, cause.line, cause.column, cause.operation);
  };
  const auto type = [](const Finding& finding) { return finding.thrown.value_or(Thrown()).type; };
  return {place(now) == place(saved) && type(now) == type(saved), now.detail};
}

// The result on the saved input, as a sentence, and whether it equals the saved one.
ReplayResult run_again(exec::Session& session, Judge& judge, const exec::Input& input, const Finding& saved) {
  const exec::Run run = session.run(input);
  if (const std::string refused = refusal_words(run); !refused.empty())
    return {false, "refused: " + refused};
  if (run.outcome == exec::Outcome::tape_full) {
    auto found = judge.untaped(input, saved.strategy);
    const bool same = found && found->kind == saved.kind &&
                      (found->error || saved.kind == Kind::timeout || found->detail == saved.detail);
    return {same, !found         ? "the error is below the threshold"
                  : found->error ? fmt::format("relative error {:.3g}", found->error->relative)
                                 : found->detail};
  }
  if (run.outcome == exec::Outcome::missing)
    return {false, run.ending.words};
  if (saved.kind == Kind::timeout) // the worker may have been killed for it then, and not now
    return {run.outcome == exec::Outcome::timed_out, std::string(exec::text(run.outcome))};
  if (saved.kind == Kind::crash) {
    const std::string ending = exec::end_words(run.outcome, run.ending);
    return {ending == saved.detail, ending};
  }
  if (saved.kind == Kind::exception)
    return ended_again(finding_of(end_of(run), input, judge, saved.strategy), run, saved);
  if (run.outcome != exec::Outcome::returned)
    return {false, std::string(exec::text(run.outcome))};
  if (is_error(saved.kind)) {
    const std::vector<JudgedFinding> found = judge.errors(input, saved.strategy);
    if (found.empty())
      return {false, "the error is below the threshold"};
    const auto same = std::ranges::find_if(found, [&](const JudgedFinding& now) {
      return now.finding.kind == saved.kind && now.finding.error.has_value() == saved.error.has_value();
    });
    const Finding& now = same != found.end() ? same->finding : found.front().finding;
    return {same != found.end(), now.error
                                     ? fmt::format("{}, relative error {:.3g}", text(now.kind), now.error->relative)
                                     : fmt::format("{}: {}", text(now.kind), now.detail)};
  }
  return {false, fmt::format("no {} there", text(saved.kind))};
}

// Replays the exceptions of a target, those of one input together.
class ExceptionReplay {
public:
  ExceptionReplay(exec::Session& session, const Settings& settings, Judge& judge)
      : session_(session), locations_(session.sites()), notice_(session.target(), settings),
        judge_(session, settings, judge, locations_, notice_) {}

  ReplayResult run_again(const exec::Input& input, const Finding& saved) {
    for (const ConfirmedException& confirmed : confirmed_by(input)) {
      const tape::Site& site = session_.sites().sites[locations_.site(confirmed.shown.location)];
      const bool here =
          model::kind_of(confirmed.shown.kind) == saved.kind &&
          (!saved.cause || (site.file == saved.cause->file && site.line == saved.cause->line &&
                            site.column == saved.cause->column && ops::name(site.op) == saved.cause->operation));
      if (here)
        return {true, fmt::format("{} at {}:{}, {}", text(saved.kind), site.file, site.line,
                                  confirmed.flags ? "seen in the hardware flags" : "by the tape alone")};
    }
    return {false, fmt::format("no {} there", text(saved.kind))};
  }

private:
  const std::vector<ConfirmedException>& confirmed_by(const exec::Input& input) {
    if (!of_ || !exec::same_bits(*of_, input)) {
      confirmed_ = judge_.confirmed(input);
      of_ = input;
    }
    return confirmed_;
  }

  exec::Session& session_;
  Locations locations_;
  CallerNotice notice_;
  ExceptionJudge judge_;
  std::optional<exec::Input> of_;
  std::vector<ConfirmedException> confirmed_;
};

// One result for each, in order. Those of one input should be adjacent: it is run once for all of its exceptions.
void replay(exec::Session& session, Judge& judge, const Settings& settings, const ReplayTask& task, const Tell& tell) {
  ExceptionReplay exceptions(session, settings, judge);
  SelfCheck self_check(session, judge);
  for (const auto& [input, saved] : task.findings) {
    ReplayResult result =
        is_exception(saved.kind) ? exceptions.run_again(input, saved) : run_again(session, judge, input, saved);
    if (task.strict && result.reproduced)
      result.violations = self_check.violations(input, saved);
    tell(result);
  }
}

// The worker's part of test vectors: the results of inputs, and the correct ones.

// The largest number of outputs of a vector: people read tables of vectors, but not long arrays.
constexpr size_t most_outputs = 16;
// The precision used if the oracle's first answer does not determine how the reference is rounded. A value that is then
// still this close to the middle of two floats is taken as the middle.
constexpr long second_precision = 512;

numeric::Value rounded(BigFloat value, Format format) {
  value.round_to(format);
  return value.to_long_double();
}

class Measuring {
public:
  Measuring(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  Measurement of(const exec::Input& input) {
    const exec::Run& run = session_.run(input);
    if (run.outcome == exec::Outcome::tape_full)
      return without_oracle(session_.run_native(input));
    Measurement measured = without_oracle(run);
    if (!measured.ending.empty() || judge_.oracle() == OracleName::none)
      return measured;
    const tape::Tape tape(run, session_.sites(), input.size());
    const oracle::Judgement judgement = judge_.judge(input, tape);
    if (judgement.certainty != oracle::Certainty::known)
      return measured;
    bool settled = true;
    for (const OutputJudgement& judged : judgement.outputs)
      settled = settled && numeric::rounds_to_one(judged.reference, judged.good_bits,
                                                  session_.target().outputs[judged.output].type.format);
    add(measured, settled ? judgement : more_precise(input, judgement));
    return measured;
  }

private:
  Measurement without_oracle(const exec::Run& run) const {
    if (run.outcome != exec::Outcome::returned)
      return {exec::end_words(run.outcome, run.ending), {}};
    Measurement measured;
    for (const size_t output : judge_.outputs()) {
      if (measured.outputs.size() >= most_outputs || output >= run.outputs.size())
        break;
      if (!judge_.arrays().is_matched(output)) // its order is free: a single value is meaningless
        measured.outputs.push_back(
            {output, run.outputs[output].value, {}, std::numeric_limits<double>::quiet_NaN(), ""});
    }
    return measured;
  }

  oracle::Judgement more_precise(const exec::Input& input, const oracle::Judgement& first) {
    const exec::Run& run = session_.run(input);
    const tape::Tape tape(run, session_.sites(), input.size());
    judge_.begin_at(second_precision);
    oracle::Judgement second = judge_.judge(input, tape);
    judge_.begin_at(oracle::first_precision);
    return second.certainty == oracle::Certainty::known ? second : first;
  }

  void add(Measurement& measured, const oracle::Judgement& judgement) const {
    for (MeasuredOutput& output : measured.outputs) {
      const auto judged = std::ranges::find(judgement.outputs, output.output, &OutputJudgement::output);
      if (judged == judgement.outputs.end() || judged->unset)
        continue;
      const Format format = session_.target().outputs[output.output].type.format;
      // For an element of an array its own error counts, whatever the array's norm.
      output.ulps = numeric::ulp_error(output.computed, judged->reference, format);
      output.reference = rounded(judged->reference, format);
      output.reference_by = judged->by_meaning ? model::by_meaning : std::string(model::text(judge_.oracle()));
    }
  }

  exec::Session& session_;
  Judge& judge_;
};

// One message (model::Measurement) for each input.
void measure_inputs(exec::Session& session, Judge& judge, const MeasureTask& task, const Tell& tell) {
  Measuring measuring(session, judge);
  for (const exec::Input& input : task.inputs)
    tell(measuring.of(input));
}

RunMessage message_of(const exec::Run& run, size_t input) {
  RunMessage message{input, exec::end_words(run.outcome, run.ending), run.outcome == exec::Outcome::returned, {},
                     {},    run.outcome == exec::Outcome::missing};
  for (const exec::OutputValue& output : run.outputs)
    message.outputs.push_back(output.value);
  return message;
}

// One message (model::RunMessage) for each input: no oracle, no tape.
void run_inputs(exec::Session& session, const RunTask& task, const Tell& tell) {
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const exec::Run& run = session.run_native(task.inputs[i]);
    tell(message_of(run, i));
  }
}

// The worker's part of cover: explores the paths of the target, and runs inputs again to record their decisions.
std::string outcome_text(const runtime::Site& site, int64_t outcome) {
  if (site.predicate != "switch")
    return outcome ? "true" : "false";
  return outcome > 0 && size_t(outcome) <= site.cases.size() ? fmt::format("case {}", site.cases[size_t(outcome) - 1])
                                                             : "default";
}

BranchMessage message_of(const search::BranchOutcome& branch, const runtime::Site& site) {
  BranchMessage message{branch.site, branch.outcome, branch.input, {}};
  message.branch = {.file = site.file,
                    .function = site.function,
                    .line = site.line,
                    .column = site.column,
                    .operation = std::string(ops::name(site.op)),
                    .condition = site.op == ops::Op::decide ? site.predicate : std::string(ops::symbol(site.op)),
                    .outcome = outcome_text(site, branch.outcome),
                    .state = branch.state,
                    .solver = branch.solver,
                    .why = branch.why,
                    .shown = {}};
  return message;
}

void explore(exec::Session& session, const Settings& settings, const ExploreTask& task, const Tell& tell) {
  const search::Space space = space_of(session.target(), settings);
  search::Budget budget;
  budget.seconds = settings.budget_seconds;
  if (settings.evaluations)
    budget.evaluations = *settings.evaluations;
  search::Evaluator evaluator(session, budget, telling_runs(tell));
  search::PathsLimits limits;
  limits.loop_bound = task.loop_bound;
  limits.every_path = task.every_path;
  limits.everyday = true; // people read the tests
  const search::Exploration found =
      search::explore_paths(evaluator, space, session.target(), limits, numeric::Rng(settings.seed));
  for (const search::BranchOutcome& branch : found.outcomes)
    tell(message_of(branch, session.sites().sites[branch.site]));
  tell(ExplorationDone{found.paths.size(), found.complete, found.bounded, found.questions, found.unanswered,
                       evaluator.evaluations(), evaluator.seconds()});
}

void tell_decisions(exec::Session& session, const DecisionsTask& task, const Tell& tell) {
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    const exec::Run& run = session.run(task.inputs[i]);
    const tape::Tape tape(run, session.sites(), task.inputs[i].size());
    std::set<std::pair<uint32_t, int64_t>> taken;
    for (const tape::Branch& branch : tape::path(tape))
      taken.insert({branch.site, branch.outcome});
    RunMessage message = message_of(run, i);
    message.decisions.assign(taken.begin(), taken.end());
    tell(message);
  }
}

// The text that the code prints before its result: mostly warnings.

// Uses a separate run and sends the first lines.
void tell_output(exec::Session& session, const exec::Input& input, const Tell& tell) {
  constexpr size_t most_lines = 20, longest = 200; // of a report for people
  std::istringstream output(session.printed(input));
  std::string line;
  for (size_t lines = 0; std::getline(output, line); ++lines) {
    if (lines == most_lines) {
      tell(Sentence{SentenceRole::printed, "..."});
      return;
    }
    tell(Sentence{SentenceRole::printed, line.size() > longest ? line.substr(0, longest) + "..." : line});
  }
}

// Paths also depend on conditions on integers, and a proof needs all decisions.
exec::Recording recording_for(const Task& task) {
  const bool proof = std::holds_alternative<BoundTask>(task) || std::holds_alternative<ProveTask>(task) ||
                     std::holds_alternative<PathsTask>(task);
  const bool paths = std::holds_alternative<ExploreTask>(task) || std::holds_alternative<DecisionsTask>(task) ||
                     std::holds_alternative<CandidatesTask>(task);
  return {.decisions = paths || proof,
          .integers_held = proof,
          .tape = !std::holds_alternative<RunTask>(task) && !std::holds_alternative<TrialTask>(task)};
}

class Worker {
public:
  Worker(const Job& job, exec::Session& session, exec::Reference* reference, exec::Channel& channel)
      : job_(job), session_(session), reference_(reference), channel_(channel),
        tell_([&channel](const Message& message) { channel.send(message_text(message)); }) {}

  void operator()(const HuntTask& task) { hunt_target(session_, job_.settings, task, reference_, channel_, tell_); }
  void operator()(const ExplainTask& task) {
    Judge judge = this->judge();
    explain(session_, judge, job_.settings, task, tell_);
    tell_output(session_, task.input, tell_);
  }
  void operator()(const ReplayTask& task) {
    Judge judge = this->judge();
    replay(session_, judge, job_.settings, task, tell_);
  }
  void operator()(const PlotTask& task) {
    Judge judge = this->judge();
    sample_plots(session_, judge, task, tell_);
  }
  void operator()(const ExamineTask& task) {
    Judge judge = this->judge();
    examine(session_, judge, task, tell_);
  }
  void operator()(const ExploreTask& task) { explore(session_, job_.settings, task, tell_); }
  void operator()(const DecisionsTask& task) { tell_decisions(session_, task, tell_); }
  void operator()(const BoundTask& task) { bound(session_, job_.settings, task, tell_); }
  void operator()(const ProveTask& task) { prove(session_, job_.settings, task, tell_); }
  void operator()(const PathsTask& task) { tell_paths(session_, job_.settings, task, tell_); }
  void operator()(const CandidatesTask& task) { tell_candidates(session_, job_.settings, task, tell_); }
  void operator()(const MeasureTask& task) {
    Judge judge = this->judge();
    measure_inputs(session_, judge, task, tell_);
  }
  void operator()(const RunTask& task) { run_inputs(session_, task, tell_); }
  void operator()(const BuiltCodeTask& task) {
    Judge judge = this->judge();
    compare_with_build(session_, judge, job_.settings, task, tell_);
  }
  void operator()(const TrialTask& task) { try_change(session_, *reference_, job_.settings, task, tell_); }
  void operator()(const ProbeTask&) {} // it has no session

private:
  Judge judge() const {
    return Judge(session_, job_.settings, judged_outputs(session_.target(), job_.settings), reference_);
  }

  const Job& job_;
  exec::Session& session_;
  exec::Reference* reference_;
  exec::Channel& channel_;
  Tell tell_;
};

} // namespace

void work(const Job& job, program::Program program, const model::Target& target, exec::Reference* reference,
          exec::Channel& channel) {
  if (const auto* task = std::get_if<ProbeTask>(&job.task))
    return probe_extents(job, *task, std::move(program), target, job.limits, channel,
                         [&channel](const Message& message) { channel.send(message_text(message)); });
  exec::Session session(std::move(program), target, job.limits, channel.progress, recording_for(job.task),
                        program::handlers_of(job.settings.rejects));
  session.skip(channel.skip);
  Worker worker(job, session, reference, channel);
  std::visit(worker, job.task);
}

search::Evaluator::Watch telling_runs(const Tell& tell) {
  constexpr uint64_t between_messages = 256; // runs: often enough for a progress line
  return [&tell, runs = uint64_t(0)](const exec::Input&, const exec::Run&, const tape::Tape&) mutable {
    if (++runs % between_messages == 0)
      tell(SearchProgress{runs, 0, 0});
  };
}

} // namespace faultline::judge
