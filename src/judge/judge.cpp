#include "judge/judge.h"

#include "judge/claims.h"
#include "judge/diagnosis/open_zero.h"
#include "judge/endings.h"
#include "judge/number.h"
#include "judge/pole.h"
#include "judge/space_of_target.h"
#include "judge/what_counts.h"
#include "numeric/ulp.h"
#include "oracle/intended.h"
#include "oracle/lifted.h"
#include "oracle/referenced.h"
#include "oracle/replayed.h"
#include "oracle/truncation.h"
#include "search/everyday.h"
#include "tape/adjoint.h"
#include "tape/intended.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Finding;
using finding::Kind;
using finding::OracleName;
using finding::Settings;
using finding::Verdict;

using oracle::Certainty;
using oracle::Judgement;
using oracle::OutputJudgement;

std::optional<exec::Reference> load_reference(const Settings& settings, const std::vector<std::string>& flags,
                                              const frontend::Target& target) {
  if (settings.oracle != OracleName::reference)
    return std::nullopt;
  frontend::Sources sources;
  sources.files = {settings.reference_file};
  sources.flags = flags;
  return exec::Reference::load(sources, settings.reference_function, target.inputs.size());
}

namespace {
// Guesses: a look costs two to four lifted runs, and where there is no loop, half a dozen runs tell.
constexpr int most_truncation_looks = 48, loopless_costs = 6;
// Records: longer runs would use up the time of the rest. Turns are carried out again and again.
constexpr uint32_t most_looked_through = 1u << 16, most_with_turns = 1u << 13;
} // namespace

std::string too_long_words() {
  return fmt::format("the run has more than {} operations, too many to look for the cause: try a smaller --size, or a "
                     "--hold or --range that makes the run shorter",
                     largest_explained);
}

Judge::Judge(exec::Session& session, const Settings& settings, std::vector<size_t> outputs, exec::Reference* reference)
    : session_(session), settings_(settings), outputs_(std::move(outputs)),
      arrays_(session.target(), settings, outputs_), reference_(reference), meaning_(session.target(), settings),
      space_(space_of(session.target(), settings)),
      truncation_looks_(settings.single_pass || !meaning_.empty() ? 0 : most_truncation_looks) {
  if (settings.wanted.bound && settings.oracle != OracleName::none)
    claims_ = claims_of(session.target(), settings, outputs_);
}

Judgement Judge::judge(const exec::Input& input, const tape::Tape& tape) {
  Judgement judgement =
      meaning_.empty() ? judge_by_code(input, tape)
                       : meaning_.judge(input, tape.outputs(), outputs_, [&] { return judge_by_code(input, tape); });
  arrays_.measure(judgement);
  return judgement;
}

Judgement Judge::judge_by_code(const exec::Input& input, const tape::Tape& tape) {
  tape::note_intended_roundings(session_, tape);
  switch (settings_.oracle) {
  case OracleName::lifted: {
    Judgement judgement = oracle::judge_lifted(session_, input, tape, outputs_, settings_.floor, first_precision_);
    oracle::allow_for_intended(judgement, session_.target(), tape, settings_.floor, first_precision_);
    if (meaning_.empty()) // which sees that, too
      look_for_truncation(input, tape, judgement);
    return judgement;
  }
  case OracleName::replay:
    return oracle::judge_replayed(session_.target(), tape, outputs_, settings_.floor, {}, first_precision_);
  case OracleName::reference:
    return oracle::judge_referenced(*reference_, session_.target(), input, tape, outputs_.front(), settings_.floor,
                                    session_.flight(), first_precision_);
  case OracleName::none:
    break;
  }
  // No oracle: the adjoint's first-order estimate stands in for the reference, and the report says so.
  Judgement estimate;
  estimate.certainty = Certainty::known;
  for (size_t output : outputs_) {
    const exec::OutputValue& value = tape.outputs()[output];
    numeric::BigFloat reference(value.value, 128);
    if (value.record != 0) {
      numeric::BigFloat error(tape::estimate_error(tape, value.record).absolute, 64);
      mpfr_add(reference.raw(), reference.raw(), error.raw(), MPFR_RNDN);
    }
    estimate.outputs.push_back(
        oracle::measure(output, session_.target().outputs[output], value.value, reference, settings_.floor));
  }
  return estimate;
}

// Results that seem right are looked at some times; where none of them moves, code iterates as it should.
void Judge::look_for_truncation(const exec::Input& input, const tape::Tape& tape, Judgement& judgement) {
  const double least = settings_.threshold.value_or(finding::failure);
  const bool wrong = std::ranges::any_of(
      judgement.outputs, [&](const OutputJudgement& output) { return counts(output) || is_half_lost(input, output); });
  if (!wrong && (truncation_looks_ <= 0 || !settings_.wanted.error || settings_.ulps || settings_.absolute))
    return;
  if (!wrong && tape.size() > most_looked_through) {
    truncation_looks_ -= loopless_costs;
    return;
  }
  std::optional<double> moved =
      oracle::look_for_truncation(judgement, session_, input, tape, wrong ? 0 : least, settings_.floor);
  if (!moved && !wrong && tape.size() > most_with_turns) {
    truncation_looks_ -= loopless_costs;
    return;
  }
  if (!moved && !wrong) {
    constexpr double plainly = 10; // so many times: a number of turns may be meant
    moved = oracle::look_at_turns(judgement, session_.target(), tape, plainly * least, settings_.floor);
    truncation_looks_ -= moved || sees_loops_ ? 0 : loopless_costs;
  }
  sees_loops_ = sees_loops_ || moved;
  if (!wrong)
    truncation_looks_ -= moved.value_or(0) <= least / 16; // as good as arrived
}

bool Judge::is_everyday(const exec::Input& input) const { return search::is_everyday(space_, input); }

bool Judge::is_measurable(const OutputJudgement& output) const {
  if (output.unset) // there is nothing to measure it against
    return false;
  // What is within an ulp of the truth is right, whatever its relative error (results near the smallest subnormal).
  if (!std::isfinite(output.computed) || output.reference.is_nan() || !(output.ulps > 1) || !output.is_certain())
    return false;
  // So is what is wrong by less than the smallest normal number: an underflow, which is reported as one.
  if (output.absolute < numeric::smallest_normal(session_.target().outputs[output.output].type.format))
    return false;
  return !settings_.nonzero || std::fabs(output.reference.to_double()) >= smallest_result(settings_);
}

bool Judge::counts(const OutputJudgement& output) const {
  if (output.unset) // a branch flip, whatever counts as an error; an infinity or NaN is a finding of its own
    return std::isfinite(output.computed);
  return is_measurable(output) && is_above_threshold(output, settings_);
}

// Half of the digits are lost at an everyday input: that counts if it is avoidable, and nobody said what counts.
bool Judge::is_half_lost(const exec::Input& input, const OutputJudgement& output) const {
  const int digits = numeric::info(session_.target().outputs[output.output].type.format).precision;
  return !says_what_counts(settings_) && !output.truncation && output.relative > std::ldexp(1.0, -(digits / 2)) &&
         is_measurable(output) && is_everyday(input);
}

void Judge::note_largest(const exec::Input& input, const Judgement& judgement) {
  for (const OutputJudgement& output : judgement.outputs) {
    if (!std::isfinite(output.computed) || output.reference.is_nan() || !output.is_certain() || output.unset)
      continue;
    auto note = [&](std::optional<finding::Largest>& largest) {
      if (!largest || size_of(output, settings_) > size_of(largest->error, settings_))
        largest = {named_input(session_.target(), input), error_of(output)};
    };
    note(largest_);
    if (is_everyday(input))
      note(largest_everyday_);
  }
}

const OutputJudgement* Judge::worst(const Judgement& judgement) const {
  const OutputJudgement* worst = nullptr;
  for (const OutputJudgement& output : judgement.outputs)
    if (!worst || size_of(output, settings_) > size_of(*worst, settings_))
      worst = &output;
  return worst;
}

std::vector<Found> Judge::errors(const exec::Input& input, const std::string& strategy) {
  const exec::Run run = session_.run(input);
  if (run.outcome != exec::Outcome::returned || run.refused_at) // what the code refuses is not its fault
    return {};
  return errors(input, tape::Tape(run, session_.sites(), input.size()), strategy);
}

std::vector<Found> Judge::errors(const exec::Input& input, const tape::Tape& tape, std::shared_ptr<Analysis> analysis,
                                 const std::string& strategy) {
  const Judgement& judgement = analysis->judgement();
  if (std::optional<Finding> flip = unreturned(input, tape, judgement); flip && settings_.wanted.branches) {
    flip->strategy = strategy;
    return {{std::move(*flip), analysis}};
  }
  if (!is_known(judgement))
    return {};
  note_largest(input, judgement);
  std::vector<Found> found;
  // The claim first: looking around for poles overwrites the tape.
  if (std::optional<Finding> broken = broken_claim(input, tape, *analysis, strategy))
    found.push_back({std::move(*broken), analysis});
  if (std::optional<Finding> wrong = wrong_output(input, tape, *analysis, strategy))
    found.push_back({std::move(*wrong), analysis});
  return found;
}

bool Judge::is_known(const Judgement& judgement) {
  if (judgement.certainty == Certainty::known)
    return true;
  if (judgement.undefined) {
    ++undefined_;
    return false;
  }
  ++unknown_;
  why_unknown_ = judgement.why_unknown;
  return false;
}

// The worst output whose error counts, else the worst that has lost half of its digits.
std::optional<Finding> Judge::wrong_output(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                                           const std::string& strategy) {
  const OutputJudgement* output = nullptr;
  for (const OutputJudgement& judged : analysis.judgement().outputs)
    if (counts(judged) && (analysis.judgement().flip || !judged.unset) &&
        (!output || size_of(judged, settings_) > size_of(*output, settings_)))
      output = &judged;
  const bool fails = output != nullptr;
  for (const OutputJudgement& judged : analysis.judgement().outputs)
    if (!fails && is_half_lost(input, judged) && (!output || judged.relative > output->relative))
      output = &judged;
  if (!output)
    return std::nullopt;
  Finding finding = describe(input, tape, analysis, *output);
  finding.strategy = strategy;
  finding.half_digits = !fails;
  if (!fails && (finding.kind != Kind::inaccuracy || finding.verdict != Verdict::avoidable))
    return std::nullopt;
  if (finding.kind == Kind::underflow) // found and judged with the other exceptions
    return std::nullopt;
  if (finding.kind == Kind::branch_flip ? !settings_.wanted.branches : !settings_.wanted.error)
    return std::nullopt;
  if (finding.kind == Kind::inaccuracy && finding.verdict == Verdict::ill_conditioned &&
      (is_open_zero(tape, tape.outputs()[output->output].record, output->absolute) ||
       is_at_a_pole(*this, session_, input, output->output, output->reference)))
    return std::nullopt;
  return finding;
}

// An error many times as large as an output of the same run says it is at most.
std::optional<Finding> Judge::broken_claim(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                                           const std::string& strategy) {
  for (const tape::Claim& claim : claims_)
    for (const OutputJudgement& output : analysis.judgement().outputs) {
      const auto bound = std::fabs(double(tape.outputs()[claim.bound].value));
      if (output.output != claim.output || !std::isfinite(output.computed) || !output.is_certain() ||
          !(output.ulps > 1) || !(output.absolute > settings_.bound_factor * bound))
        continue;
      Finding finding = describe(input, tape, analysis, output);
      finding.kind = Kind::bound_violated;
      finding.strategy = strategy;
      std::string claimed = fmt::format("the error of {} is {:.3g}, {} says {:.3g}", finding.output->name,
                                        output.absolute, session_.target().outputs[claim.bound].name, bound);
      if (bound > 0)
        claimed += fmt::format(": {:.3g} times too small", output.absolute / bound);
      finding.detail = tape.size() > largest_explained ? claimed + "; " + too_long_words() : claimed;
      return finding;
    }
  return std::nullopt;
}

std::optional<Finding> Judge::untaped(const exec::Input& input, const std::string& strategy) {
  const exec::Run run = session_.run_native(input);
  if (run.refused_at || run.outcome == exec::Outcome::missing)
    return std::nullopt;
  if (run.outcome != exec::Outcome::returned && settings_.wanted.crashes)
    return finding_of(end_of(run), input, *this, strategy);
  if (run.outcome != exec::Outcome::returned) {
    ++unknown_;
    why_unknown_ = fmt::format("the code {}", exec::text(run.outcome));
    return std::nullopt;
  }
  if (!settings_.wanted.error || settings_.oracle == OracleName::replay || settings_.oracle == OracleName::none)
    return std::nullopt;
  const tape::Tape tape(run, session_.sites(), input.size());
  Analysis analysis(judge(input, tape));
  if (!is_known(analysis.judgement()))
    return std::nullopt;
  std::optional<Finding> finding = wrong_output(input, tape, analysis, strategy);
  if (finding)
    finding->detail = too_long_words();
  return finding;
}

} // namespace faultline::judge
