#include "judge/tasks/work.h"

#include "judge/diagnosis/diagnose.h"
#include "judge/given_input.h"
#include "numeric/bigfloat.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using namespace model;
using oracle::OutputJudgement;

namespace {

constexpr double close_enough = 1e-6;    // issue 18's bound for sums of shares; the same for errors
constexpr double printed_digits = 5e-18; // relative: half a unit of the last of 18 digits
constexpr double largest = 1.7e308;      // JSON has no infinities: they are written as the largest number

bool same(double a, double b) {
  if (std::fabs(a) > largest || std::fabs(b) > largest)
    return std::fabs(a) > largest && std::fabs(b) > largest;
  return std::fabs(a - b) <= close_enough * std::max(std::fabs(a), std::fabs(b)) + printed_digits;
}

std::string place(const ChainLink& step) { return fmt::format("{}:{}, {}", step.file, step.line, step.text); }

// The parts of "1 - 0.5 = 0.5".
std::string operands_in(const ChainLink& step) { return step.text.substr(0, step.text.rfind(" = ")); }
std::string result_in(const ChainLink& step) {
  const size_t equals = step.text.rfind(" = ");
  return equals == std::string::npos ? "" : step.text.substr(equals + 3);
}

// |recorded - exact| / |exact|, from the texts of both; empty where they are not finite numbers. The shortest decimal
// of a float reads back as the same float in its own format only, which the step does not contain: one for each format.
std::vector<double> errors_in(const ChainLink& step) {
  const std::string text = result_in(step);
  const std::optional<numeric::Value> rounded = numeric::parse_long_double(step.reference);
  if (!rounded || !std::isfinite(*rounded) || *rounded == 0)
    return {};
  numeric::BigFloat exact(128);
  mpfr_set_str(exact.raw(), step.reference.c_str(), 10, MPFR_RNDN);
  std::vector<double> errors;
  for (const numeric::Format format : numeric::all_formats)
    if (const std::optional<numeric::Value> recorded = numeric::parse_number(text, format);
        recorded && std::isfinite(*recorded)) {
      numeric::BigFloat difference(*recorded, 128);
      mpfr_sub(difference.raw(), difference.raw(), exact.raw(), MPFR_RNDN);
      mpfr_div(difference.raw(), difference.raw(), exact.raw(), MPFR_RNDN);
      errors.push_back(std::fabs(difference.to_double()));
    }
  return errors;
}

void check_lines(const Diagnosis& diagnosis, std::vector<Violation>& violations) {
  if (diagnosis.lines.empty() || diagnosis.lines.size() >= most_lines) // the smallest of many are omitted
    return;
  double sum = 0, magnitude = 1;
  for (const LineShare& line : diagnosis.lines) {
    sum += line.share;
    magnitude = std::max(magnitude, std::fabs(line.share));
  }
  if (!(std::fabs(sum - 1) <= close_enough * magnitude))
    violations.push_back({"sum of the shares of the lines", "1", fmt::format("{:.9g}", sum)});
}

void check_steps(const Diagnosis& diagnosis, bool ends_in_decision, std::vector<Violation>& violations) {
  const std::vector<ChainLink>& chain = diagnosis.chain;
  for (size_t i = 0; i < chain.size(); ++i) {
    const ChainLink& step = chain[i];
    const bool decision = ends_in_decision && i + 1 == chain.size();
    const std::vector<double> errors = decision ? std::vector<double>() : errors_in(step);
    if (!errors.empty() && std::ranges::none_of(errors, [&](double error) { return same(error, step.error); }))
      violations.push_back({"error of a step: " + place(step), fmt::format("{:.6g}", errors.front()),
                            fmt::format("{:.6g}", step.error)});
    if (i == 0 || step.skipped > 0)
      continue;
    const std::string before = result_in(chain[i - 1]);
    if (!before.empty() && operands_in(step).find(before) == std::string::npos)
      violations.push_back({"operand of a step: " + place(step), before, operands_in(step)});
  }
}

// The cause of these is a call, or unknown: not an operation of the tape.

const OutputJudgement* judged(const oracle::Judgement& judgement, const model::Target& target,
                              const std::string& name) {
  const auto found = std::ranges::find_if(
      judgement.outputs, [&](const OutputJudgement& output) { return target.outputs[output.output].name == name; });
  return found == judgement.outputs.end() ? nullptr : &*found;
}

// Relative errors as in JSON: without infinities.
bool same_error(double a, double b) {
  constexpr double largest = 1.7e308, rounding = 1e-9;
  return (a > largest && b > largest) || std::fabs(a - b) <= rounding * std::max(a, b);
}

// True if the coarser reference is as near to the finer one as it claims. A format's references are settled when they
// have 16 bits more than it (oracle/judgement.h); the last rounding may lose some of these.
bool is_within_doubt(const OutputJudgement& coarse, const OutputJudgement& fine, numeric::Format format) {
  constexpr int64_t spare_bits = 11;
  const numeric::BigFloat &a = coarse.reference, &b = fine.reference;
  if (a == b || (a.is_nan() && b.is_nan()))
    return true;
  if (!a.is_finite() || !b.is_finite() || b.is_zero())
    return false;
  numeric::BigFloat difference(b.precision());
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  const int64_t bits =
      std::min<int64_t>({coarse.good_bits, fine.good_bits, numeric::info(format).precision + spare_bits});
  return difference.is_zero() || mpfr_get_exp(difference.raw()) <= mpfr_get_exp(b.raw()) - bits + 1;
}

} // namespace

std::vector<Violation> chain_violations(const Finding& finding) {
  std::vector<Violation> violations;
  if (!finding.diagnosis)
    return violations;
  const Diagnosis& diagnosis = *finding.diagnosis;
  check_lines(diagnosis, violations);
  const bool flipped = diagnosis.fault == Fault::branch_flip && finding.kind == Kind::branch_flip;
  check_steps(diagnosis, flipped, violations);
  if (!std::isfinite(diagnosis.accounted) || diagnosis.accounted < 0)
    violations.push_back({"part that is accounted for", "a number", fmt::format("{:g}", diagnosis.accounted)});
  else if (!flipped && finding.error && finding.error->norm.empty() && !diagnosis.chain.empty() &&
           !same(diagnosis.accounted * finding.error->relative, diagnosis.chain.back().error))
    violations.push_back({"error at the end of the chain",
                          fmt::format("{:.6g}", diagnosis.accounted * finding.error->relative),
                          fmt::format("{:.6g}", diagnosis.chain.back().error)});
  return violations;
}

void SelfCheck::note(std::string what, std::string expected, std::string found) {
  violations_.push_back({std::move(what), std::move(expected), std::move(found)});
}

void SelfCheck::check_computed(const exec::Input& input, const Finding& finding) {
  if (!finding.output)
    return;
  const exec::Run& native = session_.run_native(input);
  const std::vector<model::Cell>& outputs = session_.target().outputs;
  const auto cell = std::ranges::find(outputs, finding.output->name, &model::Cell::name);
  const std::string& saved = finding.output->computed.hex;
  if (native.outcome != exec::Outcome::returned)
    return note("computed value", saved, std::string(exec::text(native.outcome)));
  if (cell == outputs.end())
    return note("computed value", saved, "no output " + finding.output->name);
  const Number now = number_of(native.outputs[size_t(cell - outputs.begin())].value, cell->type);
  const bool both_nan = now.decimal.ends_with("nan") && finding.output->computed.decimal.ends_with("nan");
  if (now.hex != saved && !both_nan) // the sign of a NaN is arbitrary
    note("computed value of " + finding.output->name, saved, now.hex);
}

// Checks at twice the precision at which the reference was found: the oracle begins there.
void SelfCheck::check_finer(const exec::Input& input, const tape::Tape& tape, const OutputJudgement& coarse,
                            long precision) {
  if (2 * precision > oracle::last_precision || coarse.truncation)
    return;
  judge_.begin_at(precision);
  const oracle::Judgement finer = judge_.judge(input, tape);
  judge_.begin_at(oracle::first_precision);
  const model::Cell& cell = session_.target().outputs[coarse.output];
  const OutputJudgement* fine = judged(finer, session_.target(), cell.name);
  if (finer.certainty != oracle::Certainty::known || !fine || fine->truncation)
    return;
  if (!is_within_doubt(coarse, *fine, cell.type.format))
    note(fmt::format("reference of {} in twice the precision", cell.name),
         number_of(coarse.reference, cell.type).decimal, number_of(fine->reference, cell.type).decimal);
}

void SelfCheck::check_reference(const exec::Input& input, const tape::Tape& tape, const Finding& finding) {
  if (!finding.output || finding.output->reference.decimal.empty())
    return;
  const oracle::Judgement judgement = judge_.judge(input, tape);
  const OutputJudgement* output = judged(judgement, session_.target(), finding.output->name);
  const std::string& saved = finding.output->reference.decimal;
  if (judgement.certainty != oracle::Certainty::known || !output)
    return note("reference", saved, "unknown: " + judgement.why_unknown);
  const model::Type& type = session_.target().outputs[output->output].type;
  if (const std::string now = number_of(output->reference, type).decimal; now != saved)
    note("reference of " + finding.output->name, saved, now);
  if (finding.error && !same_error(finding.error->relative, output->relative))
    note("relative error of " + finding.output->name, fmt::format("{:.9g}", finding.error->relative),
         fmt::format("{:.9g}", output->relative));
  check_finer(input, tape, *output, judgement.precision);
}

void SelfCheck::check_cause(const tape::Tape& tape, const Finding& finding) {
  if (!finding.cause || is_ending(finding.kind))
    return;
  const Cause& cause = *finding.cause;
  const std::string named = fmt::format("{}:{}:{} {}", cause.file, cause.line, cause.column, cause.operation);
  bool executed = false;
  for (uint32_t record = 1; record < tape.size() && !executed; ++record) {
    const tape::Site& site = tape.site(record);
    executed = site.line == cause.line && site.column == cause.column && site.file == cause.file &&
               ops::name(site.op) == cause.operation;
  }
  if (!executed)
    note("cause", named + " is executed", "it is not");
  if (finding.diagnosis && !finding.diagnosis->chain.empty() &&
      std::ranges::none_of(finding.diagnosis->chain, [&](const ChainLink& step) { return is_at(step, finding.cause); }))
    note("cause", named + " is on the chain", "it is not");
}

std::vector<Violation> SelfCheck::violations(const exec::Input& input, const Finding& finding) {
  violations_.clear();
  check_computed(input, finding);
  const exec::Run& run = session_.run(input);
  if (run.outcome == exec::Outcome::returned) {
    const tape::Tape tape(run, session_.sites(), input.size());
    check_cause(tape, finding);
    check_reference(input, tape, finding);
  }
  std::ranges::move(chain_violations(finding), std::back_inserter(violations_));
  return std::move(violations_);
}

} // namespace faultline::judge
