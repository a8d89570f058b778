// The half of exceptions.h that asks what exact arithmetic makes of an input.
#include "judge/exceptions/exceptions.h"
#include "oracle/lifted.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {

using finding::OracleName;
using finding::Result;
using finding::Verdict;
using oracle::Judgement;
using oracle::OutputJudgement;

namespace {

// Can the format hold it? A subnormal only if it is exact: to round to one is to underflow.
bool representable(const numeric::BigFloat& value, numeric::Format format) {
  numeric::BigFloat rounded = value;
  rounded.round_to(format);
  if (!rounded.is_finite() || value.is_zero())
    return rounded.is_finite();
  return !rounded.is_zero() && (rounded == value || rounded.log2_magnitude() >= numeric::info(format).min_exponent);
}

// Where an infinity or NaN was computed, a zero that a tiny result rounds to would have been right.
bool has_finite_nearest(numeric::BigFloat value, numeric::Format format) {
  value.round_to(format);
  return value.is_finite();
}

// What a run costs at least, in records. In high precision it may take another path, but not one so many times as long:
// nobody would learn much from it. Both are guesses.
constexpr uint64_t least_cost = 1'000, longer = 8;

class LiftedLimit {
public:
  LiftedLimit(exec::Session& session, uint64_t operations) : session_(session) { session.limit_lifted(operations); }
  ~LiftedLimit() { session_.limit_lifted(~uint64_t(0)); }
  LiftedLimit(const LiftedLimit&) = delete;
  LiftedLimit& operator=(const LiftedLimit&) = delete;

private:
  exec::Session& session_;
};

} // namespace

bool is_spoiled(const OutputJudgement& output) {
  return !std::isfinite(output.computed) && output.reference.is_finite();
}

// In exact arithmetic, as far as it is needed: does the code end in the same refusal, or have no result either? A value
// whose bits are all lost may be anything, until there are enough of them for the squares of the smallest doubles.
// Nothing: the oracle would not come to an end, and need not be asked.
// `result`: what the outputs are against these.
std::optional<bool> ExceptionJudge::ends_alike(const exec::Input& input, const exec::Run& run, Result& result) {
  constexpr long coarse = 2 * oracle::first_precision, fine = 2304;
  constexpr size_t most_records = 1 << 14; // of a run that is carried out in the finer precision
  for (const long precision : {coarse, fine}) {
    if (precision == fine && run.records.size() > most_records)
      return std::nullopt;
    mpfr_clear_overflow();
    const exec::LiftedRun lifted = session_.lift(input, precision);
    if (mpfr_overflow_p())
      return std::nullopt; // beyond the range of the oracle's own numbers: an infinity says nothing
    if (lifted.outcome == exec::Outcome::timed_out) {
      ++timeouts_;
      return std::nullopt;
    }
    const bool alike = run.outcome == exec::Outcome::returned
                           ? lifted.outcome == exec::Outcome::returned && is_undefined(lifted)
                           : lifted.outcome == run.outcome;
    if (!alike)
      return false;
    result = result_of(lifted, run);
  }
  return true;
}

namespace {

// The same NaN or infinity, or within an ulp of it.
bool is_same(long double computed, const numeric::BigFloat& exact, const frontend::Cell& cell) {
  if (std::isnan(computed) || exact.is_nan())
    return std::isnan(computed) && exact.is_nan();
  numeric::BigFloat nearest = exact;
  nearest.round_to(cell.type.format);
  const long double value = nearest.to_long_double();
  if (computed == value || std::isinf(computed) || std::isinf(value))
    return computed == value;
  return oracle::measure(0, cell, computed, exact).ulps <= 1;
}

} // namespace

// In the order of floating outputs.
Result ExceptionJudge::result_of(const exec::LiftedRun& lifted, const exec::Run& run) const {
  if (run.outcome != exec::Outcome::returned || lifted.outcome != exec::Outcome::returned)
    return Result::unknown;
  size_t next = 0;
  const auto& cells = session_.target().outputs;
  for (size_t output = 0; output < cells.size(); ++output) {
    if (!cells[output].type.floating)
      continue;
    const numeric::BigFloat& exact = lifted.outputs[next++];
    if (std::ranges::find(judge_.outputs(), output) != judge_.outputs().end() &&
        !is_same(run.outputs[output].value, exact, cells[output]))
      return Result::wrong;
  }
  return Result::right;
}

Result ExceptionJudge::result_of(const Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known || judgement.outputs.empty())
    return Result::unknown;
  const bool right = std::ranges::all_of(judgement.outputs, [&](const OutputJudgement& output) {
    return is_same(output.computed, output.reference, session_.target().outputs[output.output]);
  });
  return right ? Result::right : Result::unknown; // how wrong it is, the judge says
}

bool ExceptionJudge::is_undefined(const exec::LiftedRun& lifted) const {
  size_t next = 0;
  const auto& cells = session_.target().outputs;
  for (size_t output = 0; output < cells.size(); ++output) {
    if (!cells[output].type.floating)
      continue;
    if (!lifted.outputs[next].is_finite() && std::ranges::find(judge_.outputs(), output) != judge_.outputs().end())
      return true;
    ++next;
  }
  return false;
}

ExceptionJudge::Exact ExceptionJudge::exact(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  Exact exact;
  constexpr int most_timeouts = 2; // they cost their full time
  const uint64_t cost = std::max<uint64_t>(tape.size(), least_cost);
  if (settings_.oracle == OracleName::none || timeouts_ >= most_timeouts || cost > allowance_)
    return exact;
  allowance_ -= cost;
  const LiftedLimit limit(session_, longer * cost);
  const bool finite =
      std::ranges::all_of(judge_.outputs(), [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
  const bool ended = run.outcome != exec::Outcome::returned;
  if (settings_.oracle == OracleName::lifted && (ended || !finite)) {
    const std::optional<bool> alike = ends_alike(input, run, exact.result);
    if (alike.value_or(false))
      exact.verdict = Verdict::inherent;
    if (alike.value_or(true))
      return exact;
  }
  exact.judgement = judge_.judge(input, tape);
  exact.verdict = verdict_of(exact.judgement);
  exact.result = result_of(exact.judgement);
  return exact;
}

Verdict ExceptionJudge::verdict_of(const Judgement& judgement) const {
  if (judgement.certainty != oracle::Certainty::known || judgement.outputs.empty())
    return Verdict::unknown;
  const bool all = std::ranges::all_of(judgement.outputs, [&](const OutputJudgement& output) {
    const numeric::Format format = session_.target().outputs[output.output].type.format;
    return is_spoiled(output) ? has_finite_nearest(output.reference, format) : representable(output.reference, format);
  });
  return all ? Verdict::avoidable : Verdict::inherent;
}

} // namespace faultline::judge
