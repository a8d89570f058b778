#include "judge/arrays/matching.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace faultline::judge {

using numeric::BigFloat;
using oracle::OutputJudgement;

namespace {

using Elements = std::span<const OutputJudgement* const>;

std::vector<Meant> as_they_are(Elements elements) {
  std::vector<Meant> meant;
  for (const OutputJudgement* element : elements)
    meant.push_back({element->reference, element->good_bits});
  return meant;
}

// The square of the distance between what was computed and the references, times this sign.
BigFloat distance(Elements elements, int sign) {
  constexpr long precision = 256;
  BigFloat sum(0.0L, precision);
  for (const OutputJudgement* element : elements) {
    BigFloat difference(element->computed, precision);
    (sign < 0 ? mpfr_add : mpfr_sub)(difference.raw(), difference.raw(), element->reference.raw(), MPFR_RNDN);
    mpfr_sqr(difference.raw(), difference.raw(), MPFR_RNDN);
    mpfr_add(sum.raw(), sum.raw(), difference.raw(), MPFR_RNDN);
  }
  return sum;
}

} // namespace

std::vector<Meant> matched_by_order(Elements elements) {
  std::vector<Meant> meant = as_they_are(elements);
  if (std::ranges::any_of(elements, [](const OutputJudgement* element) {
        return std::isnan(element->computed) || element->reference.is_nan();
      }))
    return meant;
  std::ranges::sort(meant, [](const Meant& a, const Meant& b) { return a.reference < b.reference; });
  std::vector<size_t> ranks(elements.size());
  std::iota(ranks.begin(), ranks.end(), size_t(0));
  std::ranges::sort(ranks, {}, [&](size_t i) { return std::pair(elements[i]->computed, i); });
  std::vector<Meant> in_place(elements.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    in_place[ranks[rank]] = std::move(meant[rank]);
  return in_place;
}

std::vector<Meant> matched_by_sign(Elements elements) {
  std::vector<Meant> meant = as_they_are(elements);
  if (distance(elements, -1) < distance(elements, 1))
    for (Meant& one : meant)
      mpfr_neg(one.reference.raw(), one.reference.raw(), MPFR_RNDN);
  return meant;
}

} // namespace faultline::judge
