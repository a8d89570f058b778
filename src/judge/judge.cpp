#include "judge/judge.h"

#include "exec/session.h"
#include "explain/conditioning.h"
#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/spread.h"
#include "judge/endings.h"
#include "judge/given_input.h"
#include "judge/space_of_target.h"
#include "numeric/bigfloat.h"
#include "oracle/lifted.h"
#include "oracle/truncation.h"
#include "tape/adjoint.h"
#include "tape/intended.h"
#include "tape/path.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using namespace model;
using namespace oracle;

namespace {

// Decides whether a result of zero is wrong or only an effect of the code's own constants.
//
// Exact arithmetic uses the code's constants unchanged. Those of an approximation (the coefficients of a series, pi)
// are rounded, and the method is truncated below the precision of the format. So it may give something tiny where the
// true result is zero, like the logarithm of a gamma function at 2 that is 1 except for 3e-17. The code rounds that to
// 1 and is right. Where the result is ill-conditioned, such a zero does not count as wrong.

// Roots that are floats are short: 1, 2, 0.5. At other inputs a result of zero is wrong, as the root is nearby.
bool has_short_inputs(const tape::Tape& tape) {
  constexpr int most_bits = 16; // a guess: enough for all integers at which functions usually have roots
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input)
    if (const numeric::Format format = tape.site(input).format;
        !std::isfinite(tape.exact(input)) ||
        !ends_in_zeros(tape.exact(input), format, numeric::info(format).precision - most_bits))
      return false;
  return true;
}

// True for a rounded constant of the code or of a table, and for values made of one.
bool is_approximate(const tape::Tape& tape, uint32_t record, const std::vector<bool>& approximate) {
  const tape::Site& site = tape.site(record);
  if (record <= tape.inputs() || ops::is_decision(site.op))
    return false;
  if (ops::is_leaf(site.op))
    return is_rounded(tape.exact(record), site.format);
  for (int i = 0; i < ops::arity(site.op); ++i) {
    const uint32_t operand = tape.operand(record, i);
    if (runtime::is_constant(operand)
            ? is_rounded(tape.exact(operand), tape.table().constants[operand & ~runtime::constant_flag].format)
            : approximate[operand])
      return true;
  }
  return false;
}

// True if changing a value that depends on a rounded constant by half an ulp would change the output, which is zero, by
// as much as its error (`absolute`).
bool is_open_zero(const tape::Tape& tape, uint32_t output, double absolute) {
  if (output == 0 || tape.exact(output) != 0 || !has_short_inputs(tape))
    return false;
  const std::vector<double> adjoints = tape::adjoint(tape, output);
  std::vector<bool> approximate(tape.size());
  for (uint32_t record = 1; record < output; ++record) {
    approximate[record] = is_approximate(tape, record, approximate);
    const double half_ulp = double(numeric::ulp(tape.exact(record), tape.site(record).format)) / 2;
    if (approximate[record] && std::fabs(adjoints[record]) * half_ulp >= absolute)
      return true;
  }
  return false;
}

constexpr size_t most_varied_inputs = 3;

// The logarithm of the exact value at another input, if the oracle knows it.
std::optional<double> log_magnitude(Judge& judge, exec::Session& session, const exec::Input& input, size_t output) {
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned)
    return std::nullopt;
  const Judgement judgement = judge.judge(input, tape::Tape(run, session.sites(), input.size()));
  if (judgement.certainty == Certainty::unknown)
    return std::nullopt;
  for (const OutputJudgement& judged : judgement.outputs)
    if (judged.output == output)
      return judged.reference.log2_magnitude();
  return std::nullopt;
}

// Guesses: a check costs two to four lifted runs, and half a dozen runs suffice if there is no loop.
constexpr int most_truncation_looks = 48, loopless_costs = 6;
// Records: longer runs would use up the time of other checks. Turns are evaluated repeatedly.
constexpr uint32_t most_looked_through = 1u << 16, most_with_turns = 1u << 13;

constexpr uint32_t longest_moved = 1u << 16; // records: a run in high precision for each neighbour takes about 0.1 s

// True for a pointer that may be an array of unknown length.
bool is_guessed(const model::Parameter& parameter) {
  return parameter.passing == model::Passing::pointer && !parameter.is_array && parameter.alias_of.empty() &&
         parameter.type_name.ends_with('*');
}

bool has_subnormal_input(const tape::Tape& tape) {
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input) {
    const numeric::Value magnitude = std::fabs(tape.exact(input));
    if (magnitude > 0 && magnitude < numeric::smallest_normal(tape.site(input).format))
      return true;
  }
  return false;
}

// True if a value loses digits because it is subnormal.
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

bool is_at_a_pole(Judge& judge, exec::Session& session, const exec::Input& input, size_t output,
                  const numeric::BigFloat& reference) {
  constexpr double clearly = 0.6; // the magnitude's base-2 logarithm: half as large again
  const double here = reference.log2_magnitude();
  if (input.size() > most_varied_inputs || !std::isfinite(here))
    return false;
  for (size_t i = 0; i < input.size(); ++i) {
    const model::Cell& cell = session.target().inputs[i];
    if (!cell.type.floating)
      continue;
    const search::Dimension dimension{cell.name, true, cell.type.format, 0, 0};
    bool largest = true, steep = false;
    for (int step : {-1, 1}) {
      exec::Input neighbour = input;
      neighbour[i] = dimension.at(dimension.order(input[i]) + step);
      const std::optional<double> there = log_magnitude(judge, session, neighbour, output);
      largest = largest && there && *there < here;
      steep = steep || (there && *there < here - clearly);
    }
    if (largest && steep)
      return true;
  }
  return false;
}

std::optional<exec::Reference> load_reference(const Settings& settings, const std::vector<std::string>& flags,
                                              const model::Target& target) {
  if (settings.oracle != OracleName::reference)
    return std::nullopt;
  program::Sources sources;
  sources.files = {settings.reference_file};
  sources.flags = flags;
  return exec::Reference::load(sources, settings.reference_function, target.inputs.size());
}

std::string too_long_words() {
  return fmt::format("the run has more than {} operations, too many to look for the cause: try a smaller --size, or a "
                     "--hold or --range that makes the run shorter",
                     largest_explained);
}

namespace {

// True if the code claims to work at magnitudes that are not everyday: it is a norm, it takes exponents apart, or it
// knows numbers near the ends of the range.
bool claims_extremes(const Target& target, const runtime::SiteTable& table) {
  std::string name = target.function;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  for (const char* word : {"hypot", "norm", "nrm", "scale", "safe", "cabs"})
    if (name.find(word) != name.npos)
      return true;
  const auto scales = [](const runtime::Site& site) {
    return site.op == ops::Op::ldexp || site.op == ops::Op::frexp || site.op == ops::Op::logb;
  };
  const auto is_extreme = [](const runtime::Constant& constant) {
    const int most = numeric::info(constant.format).max_exponent;
    return constant.value != 0 && std::isfinite(constant.value) && 2 * std::abs(std::ilogb(constant.value)) > most;
  };
  return std::ranges::any_of(table.sites, scales) || std::ranges::any_of(table.constants, is_extreme);
}

} // namespace

Judge::Judge(exec::Session& session, const Settings& settings, std::vector<size_t> outputs, exec::Reference* reference)
    : session_(session), settings_(settings), outputs_(std::move(outputs)),
      arrays_(session.target(), settings, outputs_), reference_(reference), meaning_(session.target(), settings),
      units_(settings.norm == Norm::component ? Units() : inputs_of_one_unit(session.target())),
      space_(space_of(session.target(), settings)),
      claims_extremes_(claims_extremes(session.target(), session.sites())),
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
    if (meaning_.empty()) // the meaning also sees that
      look_for_truncation(input, tape, judgement);
    return judgement;
  }
  case OracleName::replay:
    return oracle::judge_replayed(session_.target(), tape, outputs_, settings_.floor, {}, first_precision_);
  case OracleName::reference:
    return oracle::judge_referenced(*reference_, session_.target(), input, tape, outputs_.front(), settings_.floor,
                                    session_.progress(), first_precision_);
  case OracleName::none:
    break;
  }
  // Without an oracle the adjoint's first-order estimate replaces the reference, and the report says so.
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

// Checks some results that seem right. If none of them moves, the code iterates correctly.
void Judge::look_for_truncation(const exec::Input& input, const tape::Tape& tape, Judgement& judgement) {
  const double least = settings_.threshold.value_or(model::failure);
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
    constexpr double plainly = 10; // factor: the number of turns may be intended
    moved = oracle::look_at_turns(judgement, session_.target(), tape, plainly * least, settings_.floor);
    truncation_looks_ -= moved || sees_loops_ ? 0 : loopless_costs;
  }
  sees_loops_ = sees_loops_ || moved;
  if (!wrong)
    truncation_looks_ -= moved.value_or(0) <= least / 16; // nearly converged
}

bool Judge::is_everyday(const exec::Input& input) const { return search::is_everyday(space_, input); }

bool Judge::is_measurable(const OutputJudgement& output) const {
  if (output.unset) // there is no reference
    return false;
  // A result within an ulp of the reference is right, whatever its relative error (near the smallest subnormal).
  if (!std::isfinite(output.computed) || output.reference.is_nan() || !(output.ulps > 1) || !output.is_certain())
    return false;
  // So is an error below the smallest normal number: an underflow, which is reported as one.
  if (output.absolute < numeric::smallest_normal(session_.target().outputs[output.output].type.format))
    return false;
  return !settings_.nonzero || std::fabs(output.reference.to_double()) >= smallest_result(settings_);
}

bool Judge::counts(const OutputJudgement& output) const {
  if (output.unset) // a branch flip counts whatever its error; an infinity or NaN is a separate finding
    return std::isfinite(output.computed);
  return is_measurable(output) && is_above_threshold(output, settings_);
}

// Half of the digits are lost at an everyday input. That counts if it is avoidable and the user gave no threshold.
bool Judge::is_half_lost(const exec::Input& input, const OutputJudgement& output) const {
  const int digits = numeric::info(session_.target().outputs[output.output].type.format).precision;
  return !has_threshold(settings_) && !output.truncation && output.relative > std::ldexp(1.0, -(digits / 2)) &&
         is_measurable(output) && is_everyday(input);
}

void Judge::note_largest(const exec::Input& input, const Judgement& judgement) {
  const bool everyday = is_everyday(input);
  judged_ += everyday && std::ranges::any_of(judgement.outputs, [](const OutputJudgement& output) {
               return output.is_certain() && !output.unset;
             });
  for (const OutputJudgement& output : judgement.outputs) {
    if (!std::isfinite(output.computed) || output.reference.is_nan() || !output.is_certain() || output.unset)
      continue;
    auto note = [&](std::optional<Largest>& largest) {
      if (!largest || size_of(output, settings_) > size_of(largest->error, settings_))
        largest = {named_input(session_.target(), input), error_of(output)};
    };
    note(largest_);
    if (everyday)
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

std::vector<JudgedFinding> Judge::errors(const exec::Input& input, const std::string& strategy) {
  const exec::Run run = session_.run(input);
  if (run.outcome != exec::Outcome::returned || run.refused_at) // a refused input is not an error of the code
    return {};
  return errors(input, tape::Tape(run, session_.sites(), input.size()), strategy);
}

std::vector<JudgedFinding> Judge::errors(const exec::Input& input, const tape::Tape& tape,
                                         std::shared_ptr<Analysis> analysis, const std::string& strategy) {
  const Judgement& judgement = analysis->judgement();
  if (std::optional<Finding> flip = unreturned(input, tape, judgement); flip && settings_.wanted.branches) {
    flip->strategy = strategy;
    return {{std::move(*flip), analysis}};
  }
  if (!is_known(judgement))
    return {};
  note_largest(input, judgement);
  std::vector<JudgedFinding> found;
  // The claim comes first: the check for poles overwrites the tape.
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

// Both references are exact. The lifted run follows its own path; the tape has this run's path, and begins anew at
// floats that are made of bits. On one path they differ only if one of them has lost a value.
std::string Judge::contradiction(const tape::Tape& tape, Analysis& analysis, const OutputJudgement& output) const {
  const uint32_t record = tape.outputs()[output.output].record;
  const Judgement& judgement = analysis.judgement();
  if (settings_.oracle != OracleName::lifted || output.by_meaning || output.truncation || output.unset || record == 0 ||
      judgement.flip || judgement.works_on_bits || tape.size() > largest_explained || !std::isfinite(output.computed))
    return {};
  const model::Cell& cell = session_.target().outputs[output.output];
  const numeric::BigFloat& replayed = analysis.exact(tape).values[record];
  numeric::BigFloat difference(replayed.precision()), error(replayed.precision());
  mpfr_sub(difference.raw(), replayed.raw(), output.reference.raw(), MPFR_RNDN);
  mpfr_mul_2ui(difference.raw(), difference.raw(), 1, MPFR_RNDN);
  mpfr_set_ld(error.raw(), output.computed, MPFR_RNDN);
  mpfr_sub(error.raw(), error.raw(), output.reference.raw(), MPFR_RNDN);
  const bool differ = difference.is_finite() && mpfr_cmpabs(difference.raw(), error.raw()) > 0 &&
                      oracle::are_apart(output.reference, replayed, cell.type.format);
  // A reference with intended roundings and choices differs from both (oracle::allow_for_intended).
  if (!differ || !tape::measured_roundings(tape).empty() || !tape::reduction_steps(tape).empty() ||
      !tape::ties_with_constants(tape).empty())
    return {};
  return fmt::format(
      "two references of {} disagree: the code in high precision gives {}, and the operations of this run "
      "give {}",
      cell.name, output.reference.to_string(6), replayed.to_string(6));
}

// The worst output whose error counts, or else the worst that has lost half of its digits.
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
  if (std::string why = contradiction(tape, analysis, *output); !why.empty()) {
    ++unknown_;
    why_unknown_ = std::move(why);
    return std::nullopt;
  }
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

// An error many times larger than the bound that another output of the same run claims.
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

// The description of a judged run in a finding.

Finding Judge::blank(Kind kind, const exec::Input& input, const std::string& strategy) const {
  Finding finding;
  finding.kind = kind;
  finding.input = named_input(session_.target(), input);
  finding.values = input;
  finding.everyday = is_everyday(input);
  finding.handles_extremes = claims_extremes_;
  finding.oracle = text(settings_.oracle);
  finding.strategy = strategy;
  return finding;
}

void Judge::name_cause(Finding& finding, const tape::Site& site) const {
  finding.cause = Cause{site.file, site.line, site.column, site.function, std::string(ops::name(site.op)), 0, 0};
  finding.cause->within = site.within;
}

void Judge::name_roots(Finding& finding, const tape::Tape& tape, uint32_t cause) const {
  std::vector<uint32_t> records = explain::roots_of(tape, cause);
  records.push_back(cause);
  for (const uint32_t record : records) {
    const tape::Site& site = tape.site(record);
    std::string place = fmt::format("{}:{}:{}", site.file, site.line, site.column);
    if (site.line > 0 && std::ranges::find(finding.roots, place) == finding.roots.end())
      finding.roots.push_back(std::move(place));
  }
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
  const auto finite = std::ranges::find_if( // an infinity or NaN is a separate finding
      outputs_, [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  if (!judgement.ends || !judgement.flip || finite == outputs_.end())
    return std::nullopt;
  Finding finding = blank(Kind::branch_flip, input, "");
  const model::Cell& cell = session_.target().outputs[*finite];
  finding.output = Output{cell.name, number_of(tape.outputs()[*finite].value, cell.type), {}};
  blame_flip(finding, tape, *judgement.flip);
  finding.detail +=
      fmt::format("; the code returns here, but not in exact arithmetic: {}", exec::text(*judgement.ends));
  return finding;
}

std::optional<Verdict> Judge::verdict_by_moving(const exec::Input& input, const tape::Tape& tape,
                                                const Analysis& analysis, const OutputJudgement& output,
                                                uint32_t cause) const {
  if (settings_.oracle != OracleName::lifted || tape.size() > longest_moved)
    return std::nullopt;
  const bool jumps = analysis.judgement().flip || (cause != 0 && ops::has(tape.site(cause).op, ops::trait::jumps) &&
                                                   !ops::has(tape.site(cause).op, ops::trait::isometric));
  const std::optional<bool> within = is_within_spread(
      session_, space_, {input, tape, output, analysis.judgement().precision, jumps, units_}, settings_.seed);
  return !within ? std::nullopt : std::optional(*within ? Verdict::ill_conditioned : Verdict::avoidable);
}

// Finds the cause and the verdict from the run's own path in high precision. A flip that alone explains the error is
// the finding: on its own path the run was accurate.
void Judge::explain(Finding& finding, const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                    const OutputJudgement& output) const {
  if (is_wrong_method(output)) {
    blame_method(finding, session_.target(), meaning_, input, output);
    return;
  }
  if (output.truncation) { // the loop is at fault, not an operation
    name_cause(finding, tape.site(output.truncation->exit));
    finding.cause->share = 1;
    finding.diagnosis = diagnose_truncation(tape, *output.truncation);
    // A fixed number of turns may be intended: the first ten terms, a hundred steps of a simulation.
    finding.verdict = output.truncation->turns == 0 ? Verdict::avoidable : Verdict::unknown;
    return;
  }
  const auto& flip = analysis.judgement().flip;
  // 0: a constant, or a value of uninstrumented code: exact
  const uint32_t record = tape.outputs()[output.output].record;
  if (tape.size() > largest_explained) {
    finding.detail += (finding.detail.empty() ? "" : "; ") + too_long_words();
    return;
  }
  const tape::Replay& exact = analysis.exact(tape);
  const model::Cell& cell = session_.target().outputs[output.output];
  // For an element of an array its own error, whatever the array's.
  const OutputJudgement own = oracle::measure(output.output, cell, output.computed, output.reference, settings_.floor);
  // Compares absolute errors: if no digit is right, the relative error is 1 on every path.
  const double on_own_path =
      record == 0
          ? 0
          : oracle::measure(output.output, cell, output.computed, exact.values[record], settings_.floor).absolute;
  const bool made_elsewhere = on_own_path * 10 < own.absolute;
  // In exact arithmetic this path gives no number: the code would not have taken it.
  const bool impossible = record != 0 && exact.values[record].is_nan() && std::isfinite(output.computed);
  if (flip && (made_elsewhere || impossible)) {
    finding.kind = Kind::branch_flip;
    blame_flip(finding, tape, *flip);
    // If a neighbouring input has the computed result, the meaning of the inputs decides whether that matters.
    if (verdict_by_moving(input, tape, analysis, own, 0) == Verdict::avoidable)
      finding.verdict = Verdict::avoidable;
    return;
  }
  if (record == 0 || made_elsewhere)
    return; // the error does not arise on this path: no operation on it is at fault
  const explain::Blame& blame = analysis.blame(tape, record);
  if (blame.record != 0) {
    name_cause(finding, tape.site(blame.record));
    name_roots(finding, tape, blame.record);
    finding.cause->condition = blame.condition;
    finding.cause->share = blame.share;
    // A subnormal input that vanishes is an ordinary underflow.
    if (has_subnormal_input(tape) && underflows(tape, exact)) {
      finding.kind = Kind::underflow;
      return;
    }
  }
  const explain::Conditioning conditioning = explain::conditioning(tape, record, exact, own.relative);
  finding.verdict = !conditioning.known            ? Verdict::unknown
                    : conditioning.ill_conditioned ? Verdict::ill_conditioned
                                                   : Verdict::avoidable;
  const bool own_path = exact.flips.empty(); // otherwise the derivatives are those of another path
  if (own_path && (!conditioning.in_range || finding.verdict == Verdict::ill_conditioned))
    return;
  finding.verdict = verdict_by_moving(input, tape, analysis, own, blame.record).value_or(finding.verdict);
}

Error Judge::error_of(const OutputJudgement& output) const {
  return {output.relative, output.absolute, output.ulps, output.bits, arrays_.norm_of(output.output)};
}

Finding Judge::describe(const exec::Input& input, const tape::Tape& tape, Analysis& analysis,
                        const OutputJudgement& output) {
  const model::Cell& cell = session_.target().outputs[output.output];
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
