#include "judge/diagnosis/comparison.h"

#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {
namespace {

constexpr uint64_t longest_run = 200'000; // records: there are hundreds of runs
constexpr int most_lifted = 40;           // of the oracle's, which cost a hundred times as much
constexpr int spare_bits = 16;            // of a reference, beyond the format

bool same_value(long double a, long double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_close(long double now, long double then, numeric::Format format) {
  return same_value(now, then) || (std::isfinite(now) && std::isfinite(then) &&
                                   std::fabs(now - then) <= allowed_ulps * numeric::ulp(now, format));
}

} // namespace

void Comparison::begin(size_t output, double wrong_ulps) {
  output_ = output;
  wrong_ulps_ = wrong_ulps;
  lifted_ = 0;
}

int Comparison::precision_of(size_t output) const {
  return numeric::info(session_.target().outputs[output].type.format).precision;
}

exec::Run Comparison::run(const exec::Input& input) { return session_.run_briefly(input, longest_run); }

Comparison::Looks Comparison::look(const exec::Input& input) {
  const exec::Run& run = this->run(input);
  if (run.outcome != exec::Outcome::returned)
    return {};
  const tape::Tape tape(run, session_.sites(), input.size());
  const double error = tape::estimated_error(tape, {output_}, residues_).relative;
  return {tape::path_hash(tape), error > std::ldexp(wrong_ulps_, -precision_of(output_)), true};
}

// By the tape, if its path is that of exact arithmetic, and the code's own.
bool Comparison::replayed(TrialInput& input, const tape::Tape& tape) {
  if (judge_.oracle() != finding::OracleName::lifted && judge_.oracle() != finding::OracleName::replay)
    return false;
  for (tape::Exact& exact : exact_) {
    exact.read(tape, judge_.outputs());
    if (exact.flips())
      return false;
    bool known = !exact.doubtful();
    input.references.clear();
    for (const size_t output : judge_.outputs()) {
      const exec::OutputValue& made = tape.outputs()[output];
      numeric::BigFloat value(made.value, 1024);
      if (made.record != 0) {
        mpfr_set(value.raw(), exact.value(made.record), MPFR_RNDN);
        known = known && ops::good_bits(value.raw(), exact.error(made.record)) >= precision_of(output) + spare_bits;
      }
      input.references.push_back(std::move(value));
    }
    if (known)
      return true;
  }
  return false;
}

void Comparison::find_references(TrialInput& input, const tape::Tape& tape) {
  if (input.judged)
    return;
  input.judged = true;
  if (replayed(input, tape))
    return;
  input.references.clear();
  if (lifted_ >= most_lifted)
    return;
  ++lifted_;
  const oracle::Judgement judgement = judge_.judge(input.input, tape);
  if (judgement.certainty == oracle::Certainty::known && judgement.outputs.size() == judge_.outputs().size())
    for (const oracle::OutputJudgement& output : judgement.outputs)
      input.references.push_back(output.reference);
}

void Comparison::weigh(Compared& compared, const TrialInput& input, const tape::Tape& tape,
                       const tape::Rerun& changed) const {
  compared.effect = Effect::same;
  for (size_t i = 0; i < judge_.outputs().size(); ++i) {
    const size_t output = judge_.outputs()[i];
    const frontend::Cell& cell = session_.target().outputs[output];
    const numeric::BigFloat& reference = input.references[i];
    const double before = oracle::measure(output, cell, tape.outputs()[output].value, reference).ulps;
    const double after = oracle::measure(output, cell, explain::output_of(tape, changed, output), reference).ulps;
    const double allowed = std::max(allowed_factor * before, before + allowed_ulps);
    compared.harm = std::max(compared.harm, std::isinf(allowed) ? 0 : after / allowed);
    if (after > allowed_ulps && std::isfinite(before))
      compared.risk = std::max(compared.risk, std::min(after / (2 * before), 1.0));
    if (output == output_) {
      compared.wrong = before > wrong_ulps_;
      if (before > allowed_ulps && after * 2 <= before)
        compared.effect = Effect::better;
    }
  }
  if (compared.harm > 1)
    compared.effect = Effect::worse;
}

Compared Comparison::compare(TrialInput& input, const explain::Change& change) {
  Compared compared;
  const exec::Run& run = this->run(input.input);
  compared.records = run.records.size();
  compared.ended = run.outcome != exec::Outcome::timed_out && run.outcome != exec::Outcome::out_of_memory;
  if (run.outcome == exec::Outcome::tape_full || !compared.ended)
    compared.effect = Effect::unknown;
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return compared;
  const tape::Tape tape(run, session_.sites(), input.input.size());
  const std::optional<tape::Rerun> changed = explain::changed(tape, change);
  if (changed && changed->replaced == 0)
    return compared;
  if (!changed || changed->flips) {
    compared.effect = Effect::unknown;
    return compared;
  }
  bool close = true;
  compared.agrees = true;
  for (const size_t output : judge_.outputs()) {
    const long double now = tape.outputs()[output].value, then = explain::output_of(tape, *changed, output);
    close = close && is_close(now, then, session_.target().outputs[output].type.format);
    const long double common = std::ldexp(std::max(std::fabs(now), std::fabs(then)), -precision_of(output) / 2);
    const bool alike = std::isfinite(common) && std::fabs(now - then) <= common;
    compared.agrees = compared.agrees && (same_value(now, then) || alike);
  }
  compared.effect = Effect::same;
  if (close)
    return compared;
  find_references(input, tape);
  if (input.references.empty())
    compared.effect = Effect::unknown;
  else
    weigh(compared, input, tape, *changed);
  return compared;
}

} // namespace faultline::judge
