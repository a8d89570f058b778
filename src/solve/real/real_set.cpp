#include "solve/real/real_set.h"

#include <algorithm>

namespace faultline::solve {
namespace {

BigFloat infinite(int sign) {
  BigFloat result = real_number(0);
  mpfr_set_inf(result.raw(), sign);
  return result;
}

} // namespace

int compare_ends(const BigFloat& a, const BigFloat& b) {
  constexpr mpfr_exp_t equal_bits = real_precision - 16;
  const int order = mpfr_cmp(a.raw(), b.raw());
  if (order == 0 || !a.is_finite() || !b.is_finite() || a.is_zero() || b.is_zero())
    return order < 0 ? -1 : order > 0 ? 1 : 0;
  BigFloat difference = real_number(0);
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  if (mpfr_get_exp(difference.raw()) < mpfr_get_exp(a.raw()) - equal_bits)
    return 0;
  return order < 0 ? -1 : 1;
}

RealSet RealSet::everything() { return between({infinite(-1), infinite(1)}); }
RealSet RealSet::point(const BigFloat& value) { return between({value, value, true, true}); }
RealSet RealSet::above(const BigFloat& value, bool itself) { return between({value, infinite(1), itself, false}); }
RealSet RealSet::below(const BigFloat& value, bool itself) { return between({infinite(-1), value, false, itself}); }

RealSet RealSet::between(RealInterval interval) {
  RealSet result;
  result.append(std::move(interval));
  return result;
}

bool RealSet::is_everything() const {
  return intervals_.size() == 1 && intervals_[0].low.is_inf() && intervals_[0].high.is_inf();
}

bool RealSet::contains(const BigFloat& value) const {
  return std::any_of(intervals_.begin(), intervals_.end(), [&](const RealInterval& interval) {
    const int low = compare_ends(interval.low, value), high = compare_ends(value, interval.high);
    return (low < 0 || (low == 0 && interval.low_in)) && (high < 0 || (high == 0 && interval.high_in));
  });
}

void RealSet::append(RealInterval interval) {
  interval.low_in = interval.low_in && interval.low.is_finite();
  interval.high_in = interval.high_in && interval.high.is_finite();
  const int order = compare_ends(interval.low, interval.high);
  if (interval.low.is_nan() || interval.high.is_nan() || order > 0 ||
      (order == 0 && !(interval.low_in && interval.high_in)))
    return;
  if (!intervals_.empty()) {
    RealInterval& last = intervals_.back();
    if (compare_ends(last.high, interval.low) == 0 && (last.high_in || interval.low_in)) {
      last.high = interval.high;
      last.high_in = interval.high_in || (order == 0 && last.high_in);
      return;
    }
  }
  intervals_.push_back(std::move(interval));
}

RealSet RealSet::complement() const {
  RealSet result;
  BigFloat low = infinite(-1);
  bool low_in = false;
  for (const RealInterval& interval : intervals_) {
    result.append({low, interval.low, low_in, !interval.low_in});
    low = interval.high;
    low_in = !interval.high_in;
  }
  result.append({low, infinite(1), low_in, false});
  return result;
}

RealSet operator&(const RealSet& a, const RealSet& b) {
  RealSet result;
  for (size_t i = 0, k = 0; i < a.intervals_.size() && k < b.intervals_.size();) {
    const RealInterval &x = a.intervals_[i], &y = b.intervals_[k];
    const int low = compare_ends(x.low, y.low), high = compare_ends(x.high, y.high);
    result.append({low < 0 ? y.low : x.low, high < 0 ? x.high : y.high,
                   low < 0   ? y.low_in
                   : low > 0 ? x.low_in
                             : x.low_in && y.low_in,
                   high < 0   ? x.high_in
                   : high > 0 ? y.high_in
                              : x.high_in && y.high_in});
    // The one that ends first is done with. One that holds its end outlasts one that does not.
    (high < 0 || (high == 0 && !x.high_in) ? i : k) += 1;
  }
  return result;
}

RealSet operator|(const RealSet& a, const RealSet& b) { return (a.complement() & b.complement()).complement(); }

} // namespace faultline::solve
