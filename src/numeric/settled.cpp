#include "numeric/settled.h"

#include <algorithm>

namespace faultline::numeric {

bool rounds_to_one(const BigFloat& value, int64_t good_bits, Format format) {
  constexpr int64_t all_bits = 1 << 20; // more than any precision that is used: nothing is in doubt
  if (value.is_zero() || !value.is_finite() || good_bits >= all_bits)
    return true;
  BigFloat doubt = value;
  mpfr_div_2si(doubt.raw(), doubt.raw(), long(std::max<int64_t>(good_bits, 0)), MPFR_RNDA);
  BigFloat smaller = value, larger = value;
  mpfr_sub(smaller.raw(), smaller.raw(), doubt.raw(), MPFR_RNDZ);
  mpfr_add(larger.raw(), larger.raw(), doubt.raw(), MPFR_RNDA);
  smaller.round_to(format);
  larger.round_to(format);
  return smaller == larger;
}

} // namespace faultline::numeric
