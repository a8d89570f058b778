#include "oracle/judgement.h"

#include "numeric/ulp.h"

namespace faultline::oracle {

OutputJudgement measure(size_t output, const frontend::Cell& cell, long double computed, const numeric::BigFloat& reference) {
  OutputJudgement judgement;
  judgement.output = output;
  judgement.computed = computed;
  judgement.reference = reference;
  numeric::BigFloat nearest = reference;
  nearest.round_to(cell.type.format);
  const numeric::BigFloat own(computed, 64);
  const bool right = nearest == own || (nearest.is_nan() && own.is_nan());
  // Overflow and underflow to what the format has are right answers, however far off they are in relative terms.
  if (right && (nearest.is_zero() || !nearest.is_finite()))
    return judgement;
  judgement.relative = numeric::relative_error(computed, reference);
  judgement.absolute = numeric::absolute_error(computed, reference);
  judgement.ulps = numeric::ulp_error(computed, reference, cell.type.format);
  judgement.bits = numeric::bits_of_error(judgement.ulps);
  return judgement;
}

bool agree(const numeric::BigFloat& coarse, const numeric::BigFloat& fine, int64_t good_bits, numeric::Format format) {
  constexpr int spare_bits = 16;
  if (good_bits < numeric::info(format).precision + spare_bits)
    return false;
  if (coarse.is_nan() || fine.is_nan())
    return coarse.is_nan() && fine.is_nan();
  if (coarse == fine)
    return true;
  if (!coarse.is_finite() || !fine.is_finite() || fine.is_zero() || coarse.is_zero())
    return false;
  numeric::BigFloat difference(fine.precision());
  mpfr_sub(difference.raw(), coarse.raw(), fine.raw(), MPFR_RNDN);
  return mpfr_get_exp(difference.raw()) <= mpfr_get_exp(fine.raw()) - numeric::info(format).precision - spare_bits;
}

} // namespace faultline::oracle
