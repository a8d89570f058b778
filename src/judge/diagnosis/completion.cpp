#include "judge/diagnosis/completion.h"

#include "finding/problem.h"
#include "judge/diagnosis/root.h"
#include "judge/meaning/wrong_method.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::capped_size;
using finding::Cause;
using finding::Diagnosis;
using finding::Finding;
using finding::Kind;
using finding::Verdict;

std::optional<Diagnosed> diagnosis_of(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                                      const oracle::OutputJudgement& output, const Finding& finding) {
  if (is_wrong_method(output))
    return Diagnosed{diagnose_method(output)};
  const uint32_t record = tape.outputs()[output.output].record;
  if (output.truncation)
    return Diagnosed{diagnose_truncation(tape, *output.truncation)};
  if (tape.size() > largest_explained)
    return std::nullopt;
  const auto& flip = analysis.judgement().flip;
  const bool flipped = finding.kind == Kind::branch_flip && flip;
  if (!flipped && (record == 0 || !finding.cause))
    return std::nullopt;
  if (flipped) {
    Diagnosed diagnosed{diagnose_flip(tape, *flip, analysis)};
    if (output.unset)
      diagnosed.diagnosis.why += fmt::format(": {} is not set there", target.outputs[output.output].name);
    return diagnosed;
  }
  // Of an array's element its own error: the chain is that of the element.
  const bool whole = finding.error && !finding.error->norm.empty();
  const double relative = whole ? numeric::relative_error(output.computed, output.reference) : output.relative;
  return diagnose(tape, target, analysis,
                  {record, output.reference, relative, finding.verdict != Verdict::ill_conditioned});
}

namespace {

// An exception that could be avoided, and spoils the output.
bool is_worth_it(const Finding& finding) {
  return is_error(finding.kind) || (finding.aftermath && finding.counts() && finding.aftermath->reaches_output &&
                                    finding.verdict == Verdict::avoidable);
}

// Does the error of the output begin with the exception?
bool begins_there(const Diagnosis& diagnosis, const Finding& exception) {
  return !diagnosis.chain.empty() && is_at(diagnosis.chain.front(), exception.cause);
}

} // namespace

std::vector<explain::Remedy> add_diagnosis(Finding& finding, const tape::Tape& tape, const frontend::Target& target,
                                           Analysis& analysis) {
  if (!is_worth_it(finding) || !finding.output)
    return {};
  for (const oracle::OutputJudgement& output : analysis.judgement().outputs)
    if (target.outputs[output.output].name == finding.output->name) {
      std::optional<Diagnosed> diagnosed = diagnosis_of(tape, target, analysis, output, finding);
      if (!diagnosed || (!is_error(finding.kind) && !begins_there(diagnosed->diagnosis, finding)))
        return {};
      finding.diagnosis = std::move(diagnosed->diagnosis);
      return std::move(diagnosed->remedies);
    }
  return {};
}

namespace {

// Attempts for one finding. An exception takes two more runs for each, and only what is read first is worth it.
// What is inherent at one input may be avoidable at a simpler one: a few attempts tell.
constexpr uint64_t most_attempts = 200, most_attempts_of_exception = 80, most_attempts_of_note = 12;
constexpr uint64_t most_records = 4'000'000;
constexpr uint64_t least_records = 1000; // what a run costs, however short it is

bool same_place(const std::optional<Cause>& a, const std::optional<Cause>& b) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return a->file == b->file && a->line == b->line && a->operation == b->operation;
}

bool is_as_large(const Finding& finding, const Finding& wanted) {
  if (!wanted.error || !is_error(wanted.kind))
    return true;
  if (!finding.error || !finding.output)
    return false;
  // Where the exact result is zero any error is infinite: that is another story.
  if (std::isinf(finding.error->relative) && std::isfinite(wanted.error->relative))
    return false;
  return capped_size(finding) >= capped_size(wanted) / 2;
}

bool is_silent_and_known(const Finding& finding) {
  return finding.counts() && finding.aftermath->silent() &&
         (tier_of(finding) != finding::Tier::note || finding.verdict == Verdict::inherent);
}

} // namespace

bool Completion::no_new_inputs() const {
  return session_.asked_to_stop() || (deadline_ && deadline_->passed(end_of_simplifying));
}

uint64_t Completion::attempts_for(const Finding& finding) {
  const exec::Run& run = session_.run(finding.values);
  if (!ended_by_choice(run.outcome))
    return 0;
  const uint64_t cost = std::max<uint64_t>(run.records.size(), least_records);
  const uint64_t most = is_error(finding.kind)                    ? most_attempts
                        : tier_of(finding) == finding::Tier::note ? most_attempts_of_note
                                                                  : most_attempts_of_exception;
  const uint64_t attempts = std::min({most, most_records / cost, allowance_ / cost});
  allowance_ -= attempts * cost;
  return attempts;
}

// What is found of the same cause at another input, if it matters as much.
std::optional<Found> Completion::same_at(const exec::Input& input, const Finding& wanted) {
  std::vector<Found> all;
  if (is_error(wanted.kind))
    all = judge_.errors(input, wanted.strategy);
  else
    for (Finding& finding : exceptions_.findings_at(input, wanted))
      all.push_back({std::move(finding), nullptr});
  for (Found& found : all) {
    const Finding& finding = found.finding;
    if (finding.kind == wanted.kind && same_place(finding.cause, wanted.cause) &&
        (is_error(wanted.kind) || finding.cause->column == wanted.cause->column) && is_as_large(finding, wanted) &&
        tier_of(finding) <= tier_of(wanted) && finding.error.has_value() >= (is_error(wanted.kind) && wanted.error))
      return std::move(found);
  }
  return std::nullopt;
}

void Completion::simplify(Found& found, Simplest simplest) {
  const Finding& finding = found.finding;
  const bool worth_it = is_error(finding.kind) ? finding.error && finding.error->relative > 0 && finding.output
                                               : finding.aftermath && is_silent_and_known(finding);
  if (!worth_it || no_new_inputs())
    return;
  const Finding wanted = finding;
  std::optional<Found> shown;
  const auto shows = [&](const exec::Input& input) {
    std::optional<Found> same = no_new_inputs() ? std::nullopt : same_at(input, wanted);
    if (!same)
      return false;
    shown = std::move(same);
    return true;
  };
  simplifier_.simplest(finding.values, attempts_for(finding), shows, simplest);
  if (!shown)
    return;
  shown->finding.also = finding.also;
  shown->finding.merged = finding.merged;
  shown->finding.found_by = finding.found_by;
  shown->finding.id = identify(session_.target().function, shown->finding);
  found = std::move(*shown);
}

void Completion::approach_root(Found& found) {
  constexpr int most_lifted_runs = 24, most_judged = 4; // together some 30 runs in high precision, for one finding
  const Finding& finding = found.finding;
  if (!to_roots_ || finding.kind != Kind::inaccuracy || !finding.error || !std::isfinite(finding.error->relative) ||
      !finding.output || judge_.oracle() != finding::OracleName::lifted || no_new_inputs())
    return;
  const exec::Run& run = session_.run(finding.values);
  const uint64_t cost = (most_lifted_runs + most_judged) * std::max<uint64_t>(run.records.size(), least_records);
  const std::vector<frontend::Cell>& outputs = session_.target().outputs;
  const auto cell = std::ranges::find(outputs, finding.output->name, &frontend::Cell::name);
  if (run.outcome != exec::Outcome::returned || cost > root_allowance_ || cell == outputs.end())
    return;
  root_allowance_ -= cost;
  const Finding wanted = finding;
  std::vector<exec::Input> inputs =
      next_to_root(session_, space_, wanted.values, size_t(cell - outputs.begin()), most_lifted_runs);
  inputs.resize(std::min<size_t>(inputs.size(), most_judged));
  for (const exec::Input& input : inputs) {
    if (no_new_inputs())
      return;
    for (Found& other : judge_.errors(input, wanted.strategy)) {
      const std::optional<finding::Error>& error = other.finding.error;
      if (other.finding.kind != wanted.kind || !same_place(other.finding.cause, wanted.cause) || !error ||
          !std::isfinite(error->relative) || !(error->relative > found.finding.error->relative))
        continue;
      other.finding.also = wanted.also;
      other.finding.merged = wanted.merged;
      other.finding.id = identify(session_.target().function, other.finding);
      found = std::move(other);
    }
  }
}

void Completion::diagnose(Found& found, Inputs inputs) {
  Finding& finding = found.finding;
  if (!is_worth_it(finding) || session_.asked_to_stop())
    return;
  const exec::Run run = session_.run(finding.values);
  if (run.outcome != exec::Outcome::returned)
    return;
  const tape::Tape tape(run, session_.sites(), finding.values.size());
  if (!found.analysis)
    found.analysis = std::make_shared<Analysis>(judge_.judge(finding.values, tape));
  const std::vector<explain::Remedy> remedies = add_diagnosis(finding, tape, session_.target(), *found.analysis);
  if (inputs == Inputs::any)
    trial_.choose(finding, remedies);
}

} // namespace faultline::judge
