#include "oracle/judgement.h"

#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::oracle {

OutputJudgement measure(size_t output, const frontend::Cell& cell, long double computed,
                        const numeric::BigFloat& reference, double floor) {
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
  if (reference.is_finite() && std::fabs(reference.to_double()) < floor)
    judgement.relative = judgement.absolute / floor;
  judgement.ulps = numeric::ulp_error(computed, reference, cell.type.format);
  judgement.bits = numeric::bits_of_error(judgement.ulps);
  return judgement;
}

bool OutputJudgement::is_certain() const {
  constexpr int64_t margin = 4;
  return good_bits > 1000 || relative > std::ldexp(1.0, int(margin - good_bits));
}

bool is_as_good_as_zero(const Reference& reference, numeric::Format format, double floor) {
  constexpr int spare_bits = 16;
  const numeric::FormatInfo& info = numeric::info(format);
  const int smallest = info.min_exponent - info.precision; // half the smallest subnormal
  const int64_t limit = floor > 0 ? std::max(std::ilogb(floor), smallest) - spare_bits : smallest;
  if (!reference.value.is_finite() || reference.error > limit)
    return false;
  return reference.value.is_zero() || mpfr_get_exp(reference.value.raw()) <= limit;
}

size_t among_floats(const frontend::Target& target, size_t output) {
  size_t before = 0;
  for (size_t i = 0; i < output; ++i)
    before += target.outputs[i].type.floating;
  return before;
}

std::vector<numeric::Format> formats_of(const frontend::Target& target, const std::vector<size_t>& outputs) {
  std::vector<numeric::Format> formats;
  for (size_t output : outputs)
    formats.push_back(target.outputs[output].type.format);
  return formats;
}

bool Settling::add(std::vector<Reference> finer, std::span<const numeric::Format> formats, uint64_t path) {
  bool settled = !last_.empty();
  const bool same_path = path == std::exchange(path_, path);
  for (size_t i = 0; i < finer.size(); ++i) {
    if (last_.empty() || agree(last_[i], finer[i], formats[i]))
      continue; // a value that is known stays as it is, however small
    const bool was_zero = same_path && is_as_good_as_zero(last_[i], formats[i], floor_);
    if (was_zero && is_as_good_as_zero(finer[i], formats[i], floor_))
      finer[i] = {numeric::BigFloat(0.0L, 64), ops::no_error};
    else
      settled = false;
  }
  last_ = std::move(finer);
  return settled;
}

bool agree(const Reference& coarse, const Reference& fine, numeric::Format format) {
  constexpr int spare_bits = 16, fewest = 8, no_progress = 4;
  const int precision = numeric::info(format).precision;
  const bool limited = fine.good_bits() >= fewest && fine.good_bits() <= coarse.good_bits() + no_progress;
  if (fine.good_bits() < precision + spare_bits && !limited)
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
