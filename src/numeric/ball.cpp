#include "numeric/ball.h"

#include <algorithm>
#include <cstdint>

namespace faultline::numeric {

Ball::Ball(Value value) : Ball() {
  const BigFloat exact(value, 64);
  arf_set_mpfr(arb_midref(value_), exact.raw());
}

BigFloat Ball::middle() const {
  constexpr long fewest = 64, most = 4096; // an exact ball may have any number of bits
  BigFloat middle(std::clamp(is_exact() ? arb_bits(value_) : accurate_bits(), fewest, most));
  arf_get_mpfr(middle.raw(), arb_midref(value_), MPFR_RNDN);
  return middle;
}

int64_t Ball::radius_exponent() const {
  const mag_srcptr radius = arb_radref(value_);
  if (mag_is_zero(radius))
    return INT64_MIN;
  if (mag_is_inf(radius) || COEFF_IS_MPZ(MAG_EXP(radius)))
    return fmpz_sgn(MAG_EXPREF(radius)) < 0 && !mag_is_inf(radius) ? INT64_MIN / 2 : INT64_MAX;
  return MAG_EXP(radius);
}

} // namespace faultline::numeric
