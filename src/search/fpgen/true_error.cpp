#include "search/fpgen/true_error.h"

#include "base/clock.h"
#include "tape/adjoint.h"
#include "tape/tape.h"

#include <cfloat>
#include <cmath>

namespace faultline::search {
// The cost of an operation relative to recording it, on the tape and in a lifted run: guesses.
constexpr uint64_t cost = 8, lifted_cost = 80;
constexpr int64_t fewest_bits = 16;      // good bits of an exact result: a guess
constexpr long magnitude_precision = 64; // of the divisors of errors: more than the 53 bits kept of them

double error_of(const TrueError& error, Aim aim) {
  switch (aim) {
  case Aim::any:
    return error.any;
  case Aim::not_zero:
    return error.not_zero;
  default:
    return error.most_absolute;
  }
}

TrueErrors::TrueErrors(Quest& quest)
    : quest_(quest), floor_(quest.floor > 0 ? quest.floor : double(FLT_MIN)), exact_(exact_precision),
      difference_(exact_precision), magnitude_(magnitude_precision) {
  size_t floats = 0;
  for (const model::Cell& cell : quest.evaluator.session().target().outputs)
    among_floats_.push_back(cell.type.floating ? floats++ : floats);
}

TrueError TrueErrors::measure(const exec::Input& input) {
  TrueError sum;
  const tape::Tape tape = quest_.evaluator.run(input);
  if (!quest_.evaluator.usable())
    return sum;
  last_ = tape;
  computed_.assign(tape.outputs().begin(), tape.outputs().end());
  if (!read(tape))
    return sum;
  if (exact_.doubtful())
    return sum;
  if (exact_.flips()) {
    quest_.evaluator.charge(lifted_cost * exact_.work());
    measure_lifted(sum, input);
    return sum;
  }
  for (size_t output : quest_.outputs)
    if (const uint32_t record = computed_[output].record)
      add(sum, output, computed_[output].value, exact_.value(record), exact_.error(record));
  return sum;
}

bool TrueErrors::read(const tape::Tape& tape) {
  try {
    exact_.read(tape, quest_.outputs);
  } catch (const base::TimeLimitExceeded&) {
    for (exec::OutputValue& output : computed_)
      output.record = 0; // without an exact value
    quest_.evaluator.break_off();
    return false;
  }
  quest_.evaluator.charge(cost * exact_.work());
  return true;
}

void TrueErrors::measure_lifted(TrueError& sum, const exec::Input& input) {
  const exec::LiftedRun run = quest_.evaluator.session().lift(input, exact_precision, exec::LiftedFor::search);
  if (run.outcome != exec::Outcome::returned)
    return;
  sum.flipped = true;
  for (size_t output : quest_.outputs) {
    const size_t at = among_floats_[output];
    add(sum, output, computed_[output].value, run.outputs[at].raw(), run.errors[at]);
  }
}

void TrueErrors::add(TrueError& sum, size_t output, Value computed, mpfr_srcptr exact, ops::ErrorExponent error) {
  if (!std::isfinite(computed) || !mpfr_number_p(exact))
    return;
  // A result that is all noise at this precision cannot be confirmed by the oracle.
  if (ops::good_bits(exact, error) <= fewest_bits && error >= std::ilogb(floor_))
    return;
  if (!sum.usable)
    sum.output = output;
  sum.usable = true;
  if (const auto narrow = double(computed); narrow == computed)
    mpfr_set_d(difference_.raw(), narrow, MPFR_RNDN);
  else
    mpfr_set_ld(difference_.raw(), computed, MPFR_RNDN);
  mpfr_sub(difference_.raw(), difference_.raw(), exact, MPFR_RNDA);
  const double absolute = std::fabs(mpfr_get_d(difference_.raw(), MPFR_RNDN));
  mpfr_abs(magnitude_.raw(), exact, MPFR_RNDN);
  const bool is_zero = mpfr_cmp_d(magnitude_.raw(), floor_) < 0;
  if (is_zero)
    mpfr_set_d(magnitude_.raw(), floor_, MPFR_RNDN);
  mpfr_div(difference_.raw(), difference_.raw(), magnitude_.raw(), MPFR_RNDN);
  const double relative = std::fabs(mpfr_get_d(difference_.raw(), MPFR_RNDN));
  sum.most_absolute = std::max(sum.most_absolute, absolute);
  if (relative > sum.any) {
    sum.any = relative;
    sum.output = output;
    sum.absolute = absolute;
  }
  if (!is_zero)
    sum.not_zero = std::max(sum.not_zero, relative);
}

mpfr_srcptr TrueErrors::exact(size_t output) const {
  const uint32_t record = computed_[output].record;
  return record ? exact_.value(record) : nullptr;
}

std::vector<size_t> TrueErrors::inputs_of(size_t output) const {
  std::vector<uint8_t> needed(last_->size());
  if (const uint32_t record = computed_[output].record)
    needed[record] = 1;
  tape::mark_operands(*last_, needed, last_->size() - 1);
  std::vector<size_t> inputs;
  for (size_t i = 0; i < last_->inputs(); ++i)
    if (needed[i + 1])
      inputs.push_back(i);
  return inputs;
}

uint32_t TrueErrors::suspect(size_t output) const {
  const uint32_t record = computed_[output].record;
  if (!record || exact_.flips())
    return 0;
  quest_.evaluator.charge(cost * last_->size());
  const tape::ErrorEstimate estimate = tape::estimate_error(*last_, record);
  uint32_t worst = 0;
  for (uint32_t i = 1; i < estimate.contribution.size(); ++i)
    if (std::fabs(estimate.contribution[i]) > (worst ? std::fabs(estimate.contribution[worst]) : 0))
      worst = i;
  return worst ? last_->record(worst).site : 0;
}

std::vector<double> TrueErrors::slopes(size_t output) {
  const uint32_t record = computed_[output].record;
  std::vector<double> all(last_->inputs() + 1);
  if (record) {
    quest_.evaluator.charge(cost * last_->size());
    all = tape::adjoint(*last_, record, exact_.rounded(*last_));
  }
  return {all.begin() + 1, all.begin() + 1 + ptrdiff_t(last_->inputs())};
}

} // namespace faultline::search
