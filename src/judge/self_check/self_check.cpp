#include "judge/self_check/self_check.h"

#include "judge/number.h"
#include "judge/self_check/chain_check.h"
#include "oracle/lifted.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Finding;
using finding::Kind;
using finding::Violation;
using oracle::OutputJudgement;

namespace {

// The cause of these is a call, or nothing: no operation of the tape.

const OutputJudgement* judged(const oracle::Judgement& judgement, const frontend::Target& target,
                              const std::string& name) {
  const auto found = std::ranges::find_if(
      judgement.outputs, [&](const OutputJudgement& output) { return target.outputs[output.output].name == name; });
  return found == judgement.outputs.end() ? nullptr : &*found;
}

// Relative errors as JSON keeps them: without infinities.
bool same_error(double a, double b) {
  constexpr double largest = 1.7e308, rounding = 1e-9;
  return (a > largest && b > largest) || std::fabs(a - b) <= rounding * std::max(a, b);
}

// Is the coarser reference as near to the finer one as it claims to be? A format's references are settled when they
// have 16 bits more than it (oracle/judgement.h); some of these may be lost to the last rounding.
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

void SelfCheck::note(std::string what, std::string expected, std::string found) {
  violations_.push_back({std::move(what), std::move(expected), std::move(found)});
}

void SelfCheck::check_computed(const exec::Input& input, const Finding& finding) {
  if (!finding.output)
    return;
  const exec::Run& native = session_.run_native(input);
  const std::vector<frontend::Cell>& outputs = session_.target().outputs;
  const auto cell = std::ranges::find(outputs, finding.output->name, &frontend::Cell::name);
  const std::string& saved = finding.output->computed.hex;
  if (native.outcome != exec::Outcome::returned)
    return note("computed value", saved, std::string(exec::text(native.outcome)));
  if (cell == outputs.end())
    return note("computed value", saved, "no output " + finding.output->name);
  const finding::Number now = number_of(native.outputs[size_t(cell - outputs.begin())].value, cell->type);
  const bool both_nan = now.decimal.ends_with("nan") && finding.output->computed.decimal.ends_with("nan");
  if (now.hex != saved && !both_nan) // the sign of a NaN is nobody's choice
    note("computed value of " + finding.output->name, saved, now.hex);
}

// Twice the precision at which the reference was found: the oracle begins there.
void SelfCheck::check_finer(const exec::Input& input, const tape::Tape& tape, const OutputJudgement& coarse,
                            long precision) {
  if (2 * precision > oracle::last_precision || coarse.truncation)
    return;
  judge_.begin_at(precision);
  const oracle::Judgement finer = judge_.judge(input, tape);
  judge_.begin_at(oracle::first_precision);
  const frontend::Cell& cell = session_.target().outputs[coarse.output];
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
  const frontend::Type& type = session_.target().outputs[output->output].type;
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
  const finding::Cause& cause = *finding.cause;
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
      std::ranges::none_of(finding.diagnosis->chain,
                           [&](const finding::ChainLink& step) { return is_at(step, finding.cause); }))
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
