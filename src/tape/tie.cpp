#include "tape/tie.h"

#include "ops/op.h"

#include <cmath>
#include <optional>

namespace faultline::tape {
namespace {

constexpr int most_quarters = 8; // of pi

// The number of the family that a constant is the nearest float to; its sign is that of the constant.
std::optional<numeric::BigFloat> meant_by(long double constant, numeric::Format format, long precision) {
  const long double magnitude = std::fabs(constant);
  if (!(magnitude > 0.5L && magnitude < 8)) // none of them lies elsewhere
    return std::nullopt;
  numeric::BigFloat number(precision);
  auto is_it = [&] {
    numeric::BigFloat nearest = number;
    nearest.round_to(format);
    if (mpfr_cmp_ld(nearest.raw(), magnitude) != 0)
      return false;
    mpfr_setsign(number.raw(), number.raw(), std::signbit(constant), MPFR_RNDN);
    return true;
  };
  for (int quarters = 1; quarters <= most_quarters; ++quarters) {
    mpfr_const_pi(number.raw(), MPFR_RNDN);
    mpfr_mul_si(number.raw(), number.raw(), quarters, MPFR_RNDN);
    mpfr_div_2ui(number.raw(), number.raw(), 2, MPFR_RNDN);
    if (is_it())
      return number;
  }
  mpfr_set_ui(number.raw(), 1, MPFR_RNDN);
  mpfr_exp(number.raw(), number.raw(), MPFR_RNDN);
  if (is_it())
    return number;
  mpfr_const_log2(number.raw(), MPFR_RNDN);
  if (is_it())
    return number;
  mpfr_sqrt_ui(number.raw(), 2, MPFR_RNDN);
  return is_it() ? std::optional(number) : std::nullopt;
}

} // namespace

std::vector<uint32_t> ties_with_constants(const Tape& tape) {
  constexpr long enough = 128; // bits, to tell the nearest float
  std::vector<uint32_t> found;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    if (!ops::is_comparison(site.op) || ops::arity(site.op) < 2)
      continue;
    const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
    if (runtime::is_constant(a) != runtime::is_constant(b) && tape.exact(a) == tape.exact(b) &&
        meant_by(tape.exact(a), site.format, enough))
      found.push_back(index);
  }
  return found;
}

bool is_what_is_meant(const Tape& tape, uint32_t comparison, mpfr_srcptr exact) {
  const long precision = mpfr_get_prec(exact);
  const std::optional<numeric::BigFloat> number =
      meant_by(tape.exact(tape.operand(comparison, 0)), tape.site(comparison).format, precision);
  if (!number)
    return false;
  numeric::BigFloat difference(precision);
  mpfr_sub(difference.raw(), exact, number->raw(), MPFR_RNDN);
  // What led there was rounded to this precision, too: three quarters of the bits must agree.
  return difference.is_zero() || mpfr_get_exp(difference.raw()) < mpfr_get_exp(number->raw()) - precision / 4 * 3;
}

} // namespace faultline::tape
