#include "oracle/judgement.h"

#include "numeric/ulp.h"

#include <cmath>

namespace faultline::oracle {

OutputJudgement measure(size_t output, const frontend::Cell& cell, long double computed,
                        const numeric::BigFloat& reference) {
  OutputJudgement judgement;
  judgement.output = output;
  judgement.computed = computed;
  judgement.reference = reference;
  numeric::BigFloat nearest = reference;
  nearest.round_to(cell.type.format);
  const numeric::BigFloat own(computed, 64);
  // Rounding to nearest would overflow; the largest number is what directed rounding makes of that.
  const bool saturated = nearest.is_inf() && nearest.is_negative() == (computed < 0) &&
                         std::fabs(computed) == numeric::largest(cell.type.format);
  const bool right = nearest == own || (nearest.is_nan() && own.is_nan()) || saturated;
  // Overflow and underflow to what the format has are right answers, however far off they are in relative terms.
  if (right && (nearest.is_zero() || !nearest.is_finite()))
    return judgement;
  judgement.relative = numeric::relative_error(computed, reference);
  judgement.absolute = numeric::absolute_error(computed, reference);
  judgement.ulps = numeric::ulp_error(computed, reference, cell.type.format);
  judgement.bits = numeric::bits_of_error(judgement.ulps);
  return judgement;
}

bool OutputJudgement::is_certain() const {
  constexpr int64_t margin = 4;
  return good_bits > 1000 || relative > std::ldexp(1.0, int(margin - good_bits));
}

bool agree(const Reference& coarse, const Reference& fine, numeric::Format format) {
  constexpr int spare_bits = 16, fewest = 8, no_progress = 4;
  const int precision = numeric::info(format).precision;
  const bool limited = fine.good_bits >= fewest && fine.good_bits <= coarse.good_bits + no_progress;
  if (fine.good_bits < precision + spare_bits && !limited)
    return false;
  const numeric::BigFloat &a = coarse.value, &b = fine.value;
  if (a.is_nan() || b.is_nan())
    return a.is_nan() && b.is_nan();
  if (a == b)
    return true;
  if (!a.is_finite() || !b.is_finite() || a.is_zero() || b.is_zero())
    return false;
  numeric::BigFloat difference(b.precision());
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  return mpfr_get_exp(difference.raw()) <= mpfr_get_exp(b.raw()) - precision - spare_bits;
}

} // namespace faultline::oracle
