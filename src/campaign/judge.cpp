#include "campaign/judge.h"

#include "campaign/claims.h"
#include "campaign/hash.h"
#include "campaign/number.h"
#include "campaign/pole.h"
#include "explain/conditioning.h"
#include "numeric/ulp.h"
#include "oracle/lifted.h"
#include "oracle/referenced.h"
#include "oracle/replayed.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::campaign {

using oracle::Certainty;
using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

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

std::string_view text(OracleName oracle) {
  switch (oracle) {
  case OracleName::lifted:
    return "lifted";
  case OracleName::replay:
    return "replay";
  case OracleName::reference:
    return "reference";
  default:
    return "none";
  }
}

std::optional<exec::Reference> load_reference(const Options& options, const frontend::Target& target) {
  if (options.oracle != OracleName::reference)
    return std::nullopt;
  frontend::Sources sources;
  sources.files = {options.reference_file};
  sources.flags = options.sources.flags;
  return exec::Reference::load(sources, options.reference_function, target.inputs.size());
}

std::string too_long_words() {
  return fmt::format("the run has more than {} operations, too many to look for the cause: try a smaller --size, or a "
                     "--hold or --range that makes the run shorter",
                     largest_explained);
}

std::string identify(const std::string& function, const Finding& finding) {
  Hash hash;
  hash.add(function);
  hash.add(text(finding.kind));
  if (finding.cause)
    hash.add(fmt::format("{}:{}:{}:{}", finding.cause->file, finding.cause->line, finding.cause->column,
                         finding.cause->operation));
  for (const NamedNumber& number : finding.input)
    hash.add(number.value.hex);
  return hash.text();
}

Judge::Judge(exec::Session& session, const Options& options, std::vector<size_t> outputs, exec::Reference* reference)
    : session_(session), options_(options), outputs_(std::move(outputs)), reference_(reference) {
  if (options.wanted.bound && options.oracle != OracleName::none)
    claims_ = claims_of(session.target(), options, outputs_);
}

Judgement Judge::judge(const exec::Input& input, const tape::Tape& tape) {
  switch (options_.oracle) {
  case OracleName::lifted:
    return oracle::judge_lifted(session_, input, tape, outputs_, options_.floor);
  case OracleName::replay:
    return oracle::judge_replayed(session_.target(), tape, outputs_, options_.floor);
  case OracleName::reference:
    return oracle::judge_referenced(*reference_, session_.target(), input, tape, outputs_.front(), options_.floor,
                                    session_.flight());
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
        oracle::measure(output, session_.target().outputs[output], value.value, reference, options_.floor));
  }
  return estimate;
}

bool Judge::counts(const OutputJudgement& output) const {
  // What is within an ulp of the truth is right, whatever its relative error (results near the smallest subnormal).
  if (!std::isfinite(output.computed) || output.reference.is_nan() || !(output.ulps > 1) || !output.is_certain())
    return false;
  // So is what is wrong by less than the smallest normal number: an underflow, which is reported as one.
  if (output.absolute < numeric::smallest_normal(session_.target().outputs[output.output].type.format))
    return false;
  if (options_.nonzero && std::fabs(output.reference.to_double()) < smallest_result(options_))
    return false;
  return options_.ulps ? output.ulps > *options_.ulps : output.relative > options_.threshold;
}

const OutputJudgement* Judge::worst(const Judgement& judgement) const {
  const OutputJudgement* worst = nullptr;
  for (const OutputJudgement& output : judgement.outputs)
    if (!worst || output.relative > worst->relative)
      worst = &output;
  return worst;
}

Finding Judge::blank(Kind kind, const exec::Input& input, const std::string& strategy) const {
  Finding finding;
  finding.kind = kind;
  finding.input = named_input(session_.target(), input);
  finding.oracle = text(options_.oracle);
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

// The cause and the verdict, from the run's own path in high precision. A flip that alone explains the error is the
// finding: on its own path the run was accurate.
void Judge::explain(Finding& finding, const tape::Tape& tape, const Judgement& judgement,
                    const OutputJudgement& output) {
  const uint32_t record = tape.outputs()[output.output].record; // 0: a constant, or a value from elsewhere: exact
  if (tape.size() > largest_explained) {
    finding.detail += (finding.detail.empty() ? "" : "; ") + too_long_words();
    return;
  }
  const long precision = std::max(judgement.precision, 2 * oracle::first_precision);
  const tape::Replay exact = tape::replay(tape, precision);
  const frontend::Cell& cell = session_.target().outputs[output.output];
  // By the absolute error: where no digit is right, the relative one is 1 on every path.
  const double on_own_path =
      record == 0
          ? 0
          : oracle::measure(output.output, cell, output.computed, exact.values[record], options_.floor).absolute;
  const bool made_elsewhere = on_own_path * 10 < output.absolute;
  if (judgement.flip && made_elsewhere) {
    finding.kind = Kind::branch_flip;
    blame_flip(finding, tape, *judgement.flip);
    return;
  }
  if (record == 0 || made_elsewhere)
    return; // the error is not made on this path: nobody on it is to blame
  const explain::Blame blame = explain::find_cause(tape, record, exact);
  if (blame.record != 0) {
    name_cause(finding, tape.site(blame.record));
    finding.cause->condition = blame.condition;
    finding.cause->share = blame.share;
    // A subnormal input that comes to nothing is an underflow like any other, and no news.
    if (has_subnormal_input(tape) && underflows(tape, exact)) {
      finding.kind = Kind::underflow;
      return;
    }
  }
  const explain::Conditioning conditioning = explain::conditioning(tape, record, exact, output.relative);
  finding.verdict = !conditioning.known            ? Verdict::unknown
                    : conditioning.ill_conditioned ? Verdict::ill_conditioned
                                                   : Verdict::avoidable;
}

Finding Judge::describe(const exec::Input& input, const tape::Tape& tape, const Judgement& judgement,
                        const OutputJudgement& output) {
  const frontend::Cell& cell = session_.target().outputs[output.output];
  Finding finding = blank(Kind::inaccuracy, input, "");
  finding.output = Output{cell.name, number_of(output.computed, cell.type), number_of(output.reference, cell.type)};
  finding.error = Error{output.relative, output.absolute, output.ulps, output.bits};
  if (options_.oracle == OracleName::none)
    finding.detail = "the error is estimated, not verified: --oracle lifted verifies it";
  explain(finding, tape, judgement, output);
  return finding;
}

std::vector<Finding> Judge::errors(const exec::Input& input, const std::string& strategy) {
  const exec::Run run = session_.run(input);
  if (run.outcome != exec::Outcome::returned)
    return {};
  const tape::Tape tape(run, session_.sites(), input.size());
  return errors(input, tape, judge(input, tape), strategy);
}

std::vector<Finding> Judge::errors(const exec::Input& input, const tape::Tape& tape, const Judgement& judgement,
                                   const std::string& strategy) {
  if (std::optional<Finding> flip = unreturned(input, tape, judgement); flip && options_.wanted.branches) {
    flip->strategy = strategy;
    return {std::move(*flip)};
  }
  if (!is_known(judgement))
    return {};
  std::vector<Finding> findings;
  // The claim first: looking around for poles overwrites the tape.
  if (std::optional<Finding> broken = broken_claim(input, tape, judgement, strategy))
    findings.push_back(std::move(*broken));
  if (std::optional<Finding> wrong = wrong_output(input, tape, judgement, strategy))
    findings.push_back(std::move(*wrong));
  return findings;
}

bool Judge::is_known(const Judgement& judgement) {
  if (judgement.certainty == Certainty::known)
    return true;
  ++unknown_;
  why_unknown_ = judgement.why_unknown;
  return false;
}

// The worst output whose error counts.
std::optional<Finding> Judge::wrong_output(const exec::Input& input, const tape::Tape& tape, const Judgement& judgement,
                                           const std::string& strategy) {
  const OutputJudgement* output = nullptr;
  for (const OutputJudgement& judged : judgement.outputs)
    if (counts(judged) && (!output || judged.relative > output->relative))
      output = &judged;
  if (!output)
    return std::nullopt;
  Finding finding = describe(input, tape, judgement, *output);
  finding.strategy = strategy;
  if (finding.kind == Kind::underflow) // found and judged with the other exceptions
    return std::nullopt;
  if (finding.kind == Kind::branch_flip ? !options_.wanted.branches : !options_.wanted.error)
    return std::nullopt;
  if (finding.verdict == Verdict::ill_conditioned &&
      is_at_a_pole(*this, session_, input, output->output, output->reference))
    return std::nullopt;
  return finding;
}

// An error many times as large as an output of the same run says it is at most.
std::optional<Finding> Judge::broken_claim(const exec::Input& input, const tape::Tape& tape, const Judgement& judgement,
                                           const std::string& strategy) {
  for (const tape::Claim& claim : claims_)
    for (const OutputJudgement& output : judgement.outputs) {
      const auto bound = std::fabs(double(tape.outputs()[claim.bound].value));
      if (output.output != claim.output || !std::isfinite(output.computed) || !output.is_certain() ||
          !(output.ulps > 1) || !(output.absolute > options_.bound_factor * bound))
        continue;
      Finding finding = describe(input, tape, judgement, output);
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
  if (run.outcome != exec::Outcome::returned && options_.wanted.crashes)
    return crash(input, run.outcome, strategy);
  if (run.outcome != exec::Outcome::returned) {
    ++unknown_;
    why_unknown_ = fmt::format("the code {}", exec::text(run.outcome));
    return std::nullopt;
  }
  if (!options_.wanted.error || options_.oracle == OracleName::replay || options_.oracle == OracleName::none)
    return std::nullopt;
  const tape::Tape tape(run, session_.sites(), input.size());
  const Judgement judgement = judge(input, tape);
  if (!is_known(judgement))
    return std::nullopt;
  std::optional<Finding> finding = wrong_output(input, tape, judgement, strategy);
  if (finding)
    finding->detail = too_long_words();
  return finding;
}

Finding Judge::crash(const exec::Input& input, exec::Outcome outcome, const std::string& strategy) const {
  Finding finding = blank(outcome == exec::Outcome::timed_out ? Kind::timeout : Kind::crash, input, strategy);
  finding.oracle = "none";
  finding.detail = exec::text(outcome);
  return finding;
}

} // namespace faultline::campaign
