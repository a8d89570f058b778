#include "tape/replay.h"

#include "base/clock.h"
#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/tie.h"

#include <cmath>
#include <optional>

namespace faultline::tape {

namespace {

constexpr uint32_t fuse_every = 128; // records: some 0.1 ms of additions, 20 ms of logarithms with many bits

// Is what was recorded one of the two neighbours that the exact value lies between, or nearly? `exact` is not rounded
// yet: a sum, or the operand of a rounding to an integer.
bool is_at_border(const Tape& tape, uint32_t index, mpfr_srcptr exact) {
  constexpr long double nearly = 1 + 0x1p-10L; // units: right to a thousandth before it was rounded
  const Site& site = tape.site(index);
  const long double recorded = tape.exact(index);
  const long double unit = ops::rounds_on_purpose(site.op) ? numeric::ulp(recorded, site.format) : 1;
  numeric::BigFloat distance(64);
  mpfr_set_ld(distance.raw(), recorded, MPFR_RNDN);
  mpfr_sub(distance.raw(), distance.raw(), exact, MPFR_RNDN);
  return std::fabs(distance.to_double()) <= double(nearly * unit);
}

// May the run's decision stand, though exact arithmetic decides otherwise?
bool may_stand(const Tape& tape, uint32_t index, std::span<const ops::Operand> operands) {
  if (!ops::is_comparison(tape.site(index).op))
    return is_at_border(tape, index, operands[0].value);
  const bool first = runtime::is_constant(tape.operand(index, 0));
  return is_what_is_meant(tape, index, operands[first ? 1 : 0].value);
}

} // namespace

Replay replay(const Tape& tape, long precision, std::span<const long double> inputs, std::span<const Keep> keep) {
  Replay replay;
  replay.values.reserve(tape.size());
  std::vector<std::optional<numeric::BigFloat>> constants(tape.table().constants.size()); // as they are needed
  auto shadow = [&](uint32_t operand) -> mpfr_srcptr {
    if (!runtime::is_constant(operand))
      return replay.values[operand].raw();
    const size_t number = operand & ~runtime::constant_flag;
    if (!constants[number])
      constants[number].emplace(tape.table().constants[number].value, precision);
    return constants[number]->raw();
  };
  replay.values.emplace_back(0.0L, 2);
  replay.errors.assign(tape.size(), ops::no_error);
  numeric::BigFloat decided(precision);
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (index % fuse_every == 0)
      base::TimeLimit::check();
    const Site& site = tape.site(index);
    const auto arity = size_t(ops::arity(site.op));
    if (arity == 0) {
      replay.values.emplace_back(index <= inputs.size() ? inputs[index - 1] : tape.exact(index), precision);
      continue;
    }
    ops::Operand operands[3];
    for (size_t i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(index, int(i));
      operands[i] = {shadow(operand), runtime::is_constant(operand) ? ops::no_error : replay.errors[operand]};
    }
    const Keep kept = keep.empty() ? Keep::nothing : keep[index];
    if (ops::is_comparison(site.op) || ops::is_to_int(site.op)) {
      ops::evaluate(site.op, decided.raw(), operands[0].value, operands[1].value, operands[2].value);
      const bool same = mpfr_cmp_ld(decided.raw(), tape.exact(index)) == 0 ||
                        (kept == Keep::choice && may_stand(tape, index, std::span(operands, arity)));
      if (!same && mpfr_number_p(decided.raw())) {
        replay.flips.push_back(index);
        replay.decided.push_back(mpfr_get_sj(decided.raw(), MPFR_RNDZ));
      }
      replay.values.emplace_back(tape.exact(index), 64); // the path is the run's
      continue;
    }
    numeric::BigFloat value(precision);
    mpfr_clear_inexflag();
    ops::evaluate(site.op, value.raw(), operands[0].value, operands[1].value, operands[2].value);
    const bool inexact = mpfr_inexflag_p() != 0;
    replay.errors[index] = ops::error_exponent(site.op, value.raw(), inexact, std::span(operands, arity));
    if (kept == Keep::choice &&
        is_at_border(tape, index, ops::rounds_on_purpose(site.op) ? value.raw() : operands[0].value))
      value = numeric::BigFloat(tape.exact(index), precision);
    else if (kept == Keep::rounding || ops::rounds_on_purpose(site.op))
      value.round_to(site.format);
    replay.values.push_back(std::move(value));
  }
  return replay;
}

std::vector<double> rounded(const Replay& replay) {
  std::vector<double> values;
  values.reserve(replay.values.size());
  for (const numeric::BigFloat& value : replay.values)
    values.push_back(value.to_double());
  return values;
}

} // namespace faultline::tape
