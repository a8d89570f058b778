#include "explain/cause.h"

#include "numeric/format.h"
#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/adjoint.h"
#include "tape/conditions.h"
#include "tape/dependence.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {
namespace {

constexpr double least_share = 0.05;

// Recorded minus exact, with room for errors beyond double's range.
numeric::BigFloat error_of(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  numeric::BigFloat error(tape.exact(index), 64);
  mpfr_sub(error.raw(), error.raw(), exact.values[index].raw(), MPFR_RNDN);
  return error;
}

double unit_roundoff(numeric::Format format) { return std::ldexp(1.0, -numeric::info(format).precision); }

} // namespace

std::vector<double> relative_errors(const tape::Tape& tape, const tape::Replay& exact) {
  std::vector<double> errors(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (ops::arity(tape.site(index).op) > 0 && !ops::is_comparison(tape.site(index).op))
      errors[index] = numeric::relative_error(tape.exact(index), exact.values[index]);
  return errors;
}

namespace {

// By how much the error grew here, against the operands' errors; 0 for what has none.
double amplification(const tape::Tape& tape, uint32_t index, const std::vector<double>& errors) {
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  if (arity == 0 || ops::is_comparison(site.op) || !(errors[index] > 0))
    return 0;
  double before = unit_roundoff(site.format);
  for (int i = 0; i < arity; ++i)
    if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand))
      before = std::max(before, errors[operand]);
  return std::min(errors[index], 1e300) / before;
}

} // namespace

Blame find_cause(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  Blame worst, anybody;
  if (output == 0 || output >= tape.size())
    return worst;
  const std::vector<double> values = tape::rounded(exact);
  const std::vector<double> adjoints = tape::adjoint(tape, output, values);
  const std::vector<double> errors = relative_errors(tape, exact);
  const numeric::BigFloat output_error = error_of(tape, output, exact);
  std::vector<bool> feeds(tape.size());
  feeds[output] = true;
  tape::mark_operands(tape, feeds, output);
  for (uint32_t index = 1; index <= output; ++index) {
    const double grown = feeds[index] ? amplification(tape, index, errors) : 0;
    if (grown > anybody.amplification)
      anybody = {index, tape::condition(tape, index), 1, grown};
    if (!(grown > worst.amplification))
      continue;
    // What overflowed has no derivative to speak of; all that follows from it is its doing.
    const bool overflowed = !std::isfinite(tape.exact(index)) && exact.values[index].is_finite();
    if (adjoints[index] == 0 && !overflowed)
      continue;
    // A derivative that blows up, or an error too large for first order, still passes all of it.
    numeric::BigFloat passed = error_of(tape, index, exact);
    mpfr_mul_d(passed.raw(), passed.raw(), adjoints[index], MPFR_RNDN);
    mpfr_div(passed.raw(), passed.raw(), output_error.raw(), MPFR_RNDN);
    const double share = passed.is_finite() && !overflowed ? std::min(1.0, std::fabs(passed.to_double())) : 1.0;
    if (share >= least_share)
      worst = {index, tape::condition(tape, index), share, grown};
  }
  // Where the exact result is a singularity (the root of zero), derivatives lead nowhere.
  return worst.record != 0 ? worst : anybody;
}

} // namespace faultline::explain
