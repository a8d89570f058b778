// The describing half of judge.h: what a finding says of a judged run.
#include "explain/conditioning.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/moved_inputs.h"
#include "judge/judge.h"
#include "judge/meaning/wrong_method.h"
#include "judge/number.h"
#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Cause;
using finding::Error;
using finding::Finding;
using finding::Kind;
using finding::OracleName;
using finding::Output;
using finding::Verdict;
using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

constexpr uint32_t longest_moved = 1u << 16; // records: a run in high precision for each neighbour takes some 0.1 s

// Nobody said how long the array is that this pointer may well point to.
bool is_guessed(const frontend::Parameter& parameter) {
  return parameter.passing == frontend::Passing::pointer && !parameter.is_array && parameter.alias_of.empty() &&
         parameter.type_name.ends_with('*');
}

bool has_subnormal_input(const tape::Tape& tape) {
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input) {
    const long double magnitude = std::fabs(tape.exact(input));
    if (magnitude > 0 && magnitude < numeric::smallest_normal(tape.site(input).format))
      return true;
  }
  return false;
}

// Does any value lose digits because it is subnormal?
bool underflows(const tape::Tape& tape, const tape::Replay& exact) {
  for (uint32_t record = 1; record < tape.size(); ++record) {
    const numeric::BigFloat& value = exact.values[record];
    if (!value.is_zero() && value.is_finite() &&
        value.log2_magnitude() < numeric::info(tape.site(record).format).min_exponent &&
        !(value == numeric::BigFloat(tape.exact(record), 64)))
      return true;
  }
  return false;
}

} // namespace

Finding Judge::blank(Kind kind, const exec::Input& input, const std::string& strategy) const {
  Finding finding;
  finding.kind = kind;
  finding.input = named_input(session_.target(), input);
  finding.values = input;
  finding.everyday = is_everyday(input);
  finding.oracle = text(settings_.oracle);
  finding.strategy = strategy;
  return finding;
}

void Judge::name_cause(Finding& finding, const tape::Site& site) const {
  finding.cause = Cause{site.file, site.line, site.column, site.function, std::string(ops::name(site.op)), 0, 0};
}

void Judge::blame_flip(Finding& finding, const tape::Tape& tape, const tape::Divergence& flip) const {
  const tape::Site& site = tape.table().sites[flip.branch.site];
  name_cause(finding, site);
  finding.cause->share = 1;
  const int64_t here = flip.branch.outcome, exactly = flip.lifted;
  finding.detail = ops::is_comparison(site.op)
                       ? fmt::format("the comparison is {} here and {} in exact arithmetic", here != 0, exactly != 0)
                       : fmt::format("the integer is {} here and {} in exact arithmetic", here, exactly);
}

std::optional<Finding> Judge::unreturned(const exec::Input& input, const tape::Tape& tape,
                                         const Judgement& judgement) const {
  const auto finite = std::ranges::find_if( // an infinity or NaN is a finding of its own
      outputs_, [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  if (!judgement.ends || !judgement.flip || finite == outputs_.end())
    return std::nullopt;
  Finding finding = blank(Kind::branch_flip, input, "");
  const frontend::Cell& cell = session_.target().outputs[*finite];
  finding.output = Output{cell.name, number_of(tape.outputs()[*finite].value, cell.type), {}};
  blame_flip(finding, tape, *judgement.flip);
  finding.detail += fmt::format("; the code returns here and does not there: {}", exec::text(*judgement.ends));
  return finding;
}

std::optional<Verdict> Judge::verdict_by_moving(const exec::Input& input, const tape::Tape& tape,
                                                const Analysis& analysis, const OutputJudgement& output) const {
  if (settings_.oracle != OracleName::lifted || tape.size() > longest_moved)
    return std::nullopt;
  const std::optional<double> moved =
      moved_by_inputs(session_, space_, input, output.output, output.reference, analysis.judgement().precision);
  if (!moved)
    return std::nullopt;
  return output.relative <= explain::few_roundings * *moved ? Verdict::ill_conditioned : Verdict::avoidable;
}

// The cause and the verdict, from the run's own path in high precision. A flip that alone explains the error is the
// finding: on its own path the run was accurate.
void Judge::explain(Finding& finding, const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                    const OutputJudgement& output) const {
  if (is_wrong_method(output)) {
    blame_method(finding, session_.target(), meaning_, input, output);
    return;
  }
  if (output.truncation) { // not on any operation: the loop is to blame
    name_cause(finding, tape.site(output.truncation->exit));
    finding.cause->share = 1;
    finding.diagnosis = diagnose_truncation(tape, *output.truncation);
    // A number of turns may be meant: the first ten terms, a hundred steps of a simulation.
    finding.verdict = output.truncation->turns == 0 ? Verdict::avoidable : Verdict::unknown;
    return;
  }
  const auto& flip = analysis.judgement().flip;
  const uint32_t record = tape.outputs()[output.output].record; // 0: a constant, or a value from elsewhere: exact
  if (tape.size() > largest_explained) {
    finding.detail += (finding.detail.empty() ? "" : "; ") + too_long_words();
    return;
  }
  const tape::Replay& exact = analysis.exact(tape);
  const frontend::Cell& cell = session_.target().outputs[output.output];
  // Of an array's element its own error, whatever that of the array is.
  const OutputJudgement own = oracle::measure(output.output, cell, output.computed, output.reference, settings_.floor);
  // By the absolute error: where no digit is right, the relative one is 1 on every path.
  const double on_own_path =
      record == 0
          ? 0
          : oracle::measure(output.output, cell, output.computed, exact.values[record], settings_.floor).absolute;
  const bool made_elsewhere = on_own_path * 10 < own.absolute;
  // In exact arithmetic this path leads to no number: the code would not have gone there.
  const bool impossible = record != 0 && exact.values[record].is_nan() && std::isfinite(output.computed);
  if (flip && (made_elsewhere || impossible)) {
    finding.kind = Kind::branch_flip;
    blame_flip(finding, tape, *flip);
    // Where a neighbouring input has the computed result, it depends on what the inputs stand for whether that matters.
    if (verdict_by_moving(input, tape, analysis, own) == Verdict::avoidable)
      finding.verdict = Verdict::avoidable;
    return;
  }
  if (record == 0 || made_elsewhere)
    return; // the error is not made on this path: nobody on it is to blame
  if (const explain::Blame& blame = analysis.blame(tape, record); blame.record != 0) {
    name_cause(finding, tape.site(blame.record));
    finding.cause->condition = blame.condition;
    finding.cause->share = blame.share;
    // A subnormal input that comes to nothing is an underflow like any other, and no news.
    if (has_subnormal_input(tape) && underflows(tape, exact)) {
      finding.kind = Kind::underflow;
      return;
    }
  }
  const explain::Conditioning conditioning = explain::conditioning(tape, record, exact, own.relative);
  finding.verdict = !conditioning.known            ? Verdict::unknown
                    : conditioning.ill_conditioned ? Verdict::ill_conditioned
                                                   : Verdict::avoidable;
  if (!exact.flips.empty()) // derivatives are those of another path
    finding.verdict = verdict_by_moving(input, tape, analysis, own).value_or(finding.verdict);
}

Error Judge::error_of(const OutputJudgement& output) const {
  return {output.relative, output.absolute, output.ulps, output.bits, arrays_.norm_of(output.output)};
}

Finding Judge::describe(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                        const OutputJudgement& output) {
  const frontend::Cell& cell = session_.target().outputs[output.output];
  Finding finding = blank(Kind::inaccuracy, input, "");
  finding.output = Output{cell.name, number_of(output.computed, cell.type), {}};
  if (!output.unset) {
    finding.output->reference = number_of(output.reference, cell.type);
    finding.error = error_of(output);
  }
  if (settings_.oracle == OracleName::none)
    finding.detail = "the error is estimated, not verified: --oracle lifted verifies it";
  if (output.by_meaning)
    finding.oracle = "meaning";
  finding.parts = parts_of(output);
  if (const auto& flip = analysis.judgement().flip; output.unset && flip) {
    finding.kind = Kind::branch_flip;
    blame_flip(finding, tape, *flip);
    finding.detail += fmt::format("; there {} is not set", cell.name);
    return finding;
  }
  explain(finding, input, tape, analysis, output);
  return finding;
}

Finding Judge::crash(const exec::Input& input, exec::Outcome outcome, const std::string& strategy) const {
  Finding finding = blank(outcome == exec::Outcome::timed_out ? Kind::timeout : Kind::crash, input, strategy);
  finding.oracle = "none";
  finding.detail = exec::text(outcome);
  const bool beyond = outcome == exec::Outcome::overrun || outcome == exec::Outcome::segfault;
  finding.doubtful = outcome == exec::Outcome::out_of_memory ||
                     (beyond && std::ranges::any_of(session_.target().parameters, is_guessed));
  return finding;
}

} // namespace faultline::judge
