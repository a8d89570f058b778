#include "judge/arrays/normwise.h"

#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {

using finding::Norm;
using numeric::BigFloat;
using oracle::OutputJudgement;

namespace {

constexpr long precision = 256;

BigFloat difference(const OutputJudgement& element) {
  BigFloat result(element.computed, precision);
  mpfr_sub(result.raw(), result.raw(), element.reference.raw(), MPFR_RNDN);
  return result;
}

template <class Of>
BigFloat norm_of(std::span<OutputJudgement* const> elements, Norm norm, Of of) {
  BigFloat result(0.0L, precision);
  for (const OutputJudgement* element : elements) {
    const BigFloat value = of(*element);
    if (norm == Norm::two)
      mpfr_hypot(result.raw(), result.raw(), value.raw(), MPFR_RNDN);
    else if (mpfr_cmpabs(value.raw(), result.raw()) > 0)
      mpfr_abs(result.raw(), value.raw(), MPFR_RNDN);
  }
  return result;
}

double quotient(const BigFloat& a, const BigFloat& b) {
  BigFloat result(precision);
  mpfr_div(result.raw(), a.raw(), b.raw(), MPFR_RNDN);
  return std::fabs(result.to_double());
}

BigFloat ulp_of(const BigFloat& value, numeric::Format format) {
  const numeric::FormatInfo& info = numeric::info(format);
  const long exponent = std::max<long>(mpfr_get_exp(value.raw()) - 1, info.min_exponent);
  BigFloat ulp(1.0L, precision);
  mpfr_mul_2si(ulp.raw(), ulp.raw(), exponent - info.precision + 1, MPFR_RNDN);
  return ulp;
}

// The bits of the reference that are known, counted from the norm's first one.
int64_t good_bits(const OutputJudgement& element, const BigFloat& norm) {
  if (element.good_bits > 1000 || element.reference.is_zero())
    return element.good_bits;
  return element.good_bits + mpfr_get_exp(norm.raw()) - mpfr_get_exp(element.reference.raw());
}

} // namespace

void measure_normwise(std::span<OutputJudgement* const> elements, Norm norm, numeric::Format format) {
  const auto finite = [](const OutputJudgement* element) {
    return std::isfinite(element->computed) && element->reference.is_finite();
  };
  if (norm == Norm::component || !std::ranges::all_of(elements, finite))
    return;
  const BigFloat whole = norm_of(elements, norm, [](const OutputJudgement& element) { return element.reference; });
  if (elements.empty() || whole.is_zero())
    return;
  const BigFloat ulp = ulp_of(whole, format);
  OutputJudgement* const worst = *std::ranges::max_element(elements, {}, &OutputJudgement::absolute);
  const auto set = [&](OutputJudgement& element, const BigFloat& error) {
    element.absolute = std::fabs(error.to_double());
    element.relative = quotient(error, whole);
    element.ulps = quotient(error, ulp);
    element.bits = numeric::bits_of_error(element.ulps);
    element.good_bits = good_bits(element, whole);
  };
  const BigFloat error = norm_of(elements, norm, difference);
  for (OutputJudgement* element : elements)
    set(*element, element == worst ? error : difference(*element));
}

} // namespace faultline::judge
