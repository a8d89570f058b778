#include "oracle/decision.h"

#include "ops/table.h"
#include "tape/replay.h"

namespace faultline::oracle {
namespace {

constexpr uint64_t most_bytes = 256u << 20; // of a tape in high precision
constexpr int64_t margin = 4;               // bits: the error is of first order

struct Known {
  numeric::BigFloat value;
  ops::ErrorExponent error;
};

Known known(const tape::Tape& tape, const tape::Replay& exact, uint32_t operand) {
  if (runtime::is_constant(operand))
    return {numeric::BigFloat(tape.exact(operand), 64), ops::no_error};
  return {exact.values[operand], exact.errors[operand]};
}

// At this precision, a difference that no format could tell from zero is one: the pivot of a singular matrix.
constexpr long tie_precision = 2048;
constexpr int64_t nothing = -1100;

bool compares_certainly(const Known& a, const Known& b, ops::Op op, int64_t outcome, long precision) {
  const ops::ErrorExponent error = std::max(a.error, b.error);
  if (error == ops::no_error)
    return true;
  numeric::BigFloat difference(std::max(a.value.precision(), b.value.precision()));
  mpfr_sub(difference.raw(), a.value.raw(), b.value.raw(), MPFR_RNDN);
  if (!difference.is_finite())
    return false;
  const int64_t size = difference.is_zero() ? ops::no_error : mpfr_get_exp(difference.raw());
  if (size > error + margin)
    return true;
  const bool tie = precision >= tie_precision && std::max(size, error) + margin < nothing;
  return tie && outcome == int64_t(ops::evaluate80(op, 0, 0));
}

// Every number within the error gives the same integer, cut off or rounded.
bool converts_certainly(const Known& a) {
  if (a.error == ops::no_error)
    return true;
  if (!a.value.is_finite() || a.error + margin >= 0)
    return false;
  numeric::BigFloat step(2), low(2 * a.value.precision()), high(2 * a.value.precision());
  mpfr_set_si_2exp(step.raw(), 1, a.error + margin, MPFR_RNDN);
  mpfr_sub(low.raw(), a.value.raw(), step.raw(), MPFR_RNDD);
  mpfr_add(high.raw(), a.value.raw(), step.raw(), MPFR_RNDU);
  return mpfr_get_sj(low.raw(), MPFR_RNDZ) == mpfr_get_sj(high.raw(), MPFR_RNDZ) &&
         mpfr_get_sj(low.raw(), MPFR_RNDN) == mpfr_get_sj(high.raw(), MPFR_RNDN);
}

} // namespace

bool is_certain(const tape::Tape& tape, const tape::Divergence& flip, long precision) {
  constexpr uint64_t beside_the_bits = 64; // of a number, about
  if (uint64_t(tape.size()) * (uint64_t(precision) / 8 + beside_the_bits) > most_bytes)
    return false;
  const tape::Replay exact = tape::replay(tape, precision);
  const uint32_t record = flip.branch.record;
  const Known a = known(tape, exact, tape.operand(record, 0));
  if (ops::is_to_int(tape.site(record).op))
    return converts_certainly(a);
  return compares_certainly(a, known(tape, exact, tape.operand(record, 1)), tape.site(record).op, flip.lifted,
                            precision);
}

} // namespace faultline::oracle
