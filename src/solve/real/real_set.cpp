#include "solve/real/real_set.h"

#include <algorithm>
#include <unordered_set>

namespace faultline::solve {

using numeric::Int128;
using numeric::Uint128;

namespace {

constexpr size_t most_intervals = 24;

// Returns the order of the nearest finite float.
Int128 nearest(const BigFloat& value, BinaryFormat format) {
  const Bits bits = numeric::nearest_bits(value.raw(), format);
  if (format.is_nan(bits))
    return 0;
  return format.order(format.is_infinite(bits) ? bits - 1 : bits);
}

int compare(Int128 order, const BigFloat& value, BinaryFormat format) {
  BigFloat there = real_number(0);
  numeric::set_bits(there.raw(), format.at(order), format);
  return mpfr_cmp(there.raw(), value.raw());
}

Int128 clamped(Int128 order, BinaryFormat format) {
  const Int128 largest = Int128(format.largest());
  return std::clamp(order, -1 - largest, largest);
}

// Adds floats of the range with few bits, those of magnitude near one first.
void add_simple(const FloatRange& range, BinaryFormat format, std::vector<Int128>& list) {
  if (range.low > range.high)
    return;
  const bool negative = range.high < 0;
  if (range.low <= 0 && range.high >= -1) {
    list.push_back(range.high >= 0 ? 0 : -1);
    if (range.low < 0 && range.high >= 0)
      list.push_back(-1);
  }
  for (const numeric::Value value : {1.0L, -1.0L, 2.0L, -2.0L, 0.5L, -0.5L})
    if (const Int128 order = format.order(numeric::bits_of(value, format)); range.low <= order && order <= range.high)
      list.push_back(order);
  // Clears as many low bits as the range allows.
  const Uint128 small = negative ? Uint128(-1 - range.high) : Uint128(std::max<Int128>(range.low, 1));
  const Uint128 large = negative ? Uint128(-1 - range.low) : Uint128(std::max<Int128>(range.high, 1));
  for (int bits = format.fraction_bits(); bits > 0; --bits) {
    const Uint128 step = Uint128{1} << bits, rounded = (small + step - 1) / step * step;
    if (rounded < small || rounded > large)
      continue;
    list.push_back(negative ? -1 - Int128(rounded) : Int128(rounded));
    const Uint128 last = large / step * step, middle = (small / 2 + large / 2) / step * step;
    list.push_back(negative ? -1 - Int128(last) : Int128(last));
    if (middle >= small)
      list.push_back(negative ? -1 - Int128(middle) : Int128(middle));
    break;
  }
}

Int128 middle_order(const FloatRange& range) { return range.low + (range.high - range.low) / 2; }

std::vector<Int128> of_interval(const RealInterval& interval, BinaryFormat format, size_t most, numeric::Rng& rng) {
  std::vector<Int128> list;
  const FloatRange range = floats_within(interval, format);
  if (range.low <= range.high) {
    list.push_back(between(range, format, 0.5));
    add_simple(range, format, list);
    list.push_back(middle_order(range));
    for (const Int128 order : {range.low, range.high, range.low + 1, range.high - 1})
      list.push_back(std::clamp(order, range.low, range.high));
    for (const double part : {0.25, 0.75, 0.01, 0.99})
      list.push_back(between(range, format, part));
    for (const int part : {1, 3, 7})
      list.push_back(range.low + Int128(Uint128(range.high - range.low) / 8 * unsigned(part)));
  }
  // The ends, and floats beyond them at growing distance.
  for (const BigFloat* end : {&interval.low, &interval.high})
    if (end->is_finite())
      list.push_back(nearest(*end, format));
  for (int step = 1; step <= 12; ++step)
    for (const BigFloat* end : {&interval.low, &interval.high})
      if (end->is_finite())
        for (const int sign : {1, -1})
          list.push_back(nearest(*end, format) + sign * step);
  while (list.size() < most) {
    if (range.high - range.low > 32 && rng.coin()) {
      const Uint128 width = Uint128(range.high - range.low);
      list.push_back(rng.coin() ? between(range, format, rng.uniform())
                                : range.low + Int128((Uint128(rng.next()) << 64 | rng.next()) % width));
      continue;
    }
    const BigFloat& end = rng.coin() ? interval.low : interval.high;
    const Int128 from = end.is_finite() ? nearest(end, format) : middle_order(range);
    list.push_back(from + Int128(rng.below(uint64_t{1} << (1 + rng.below(12)))) * (rng.coin() ? 1 : -1));
  }
  return list;
}

BigFloat infinite(int sign) {
  BigFloat result = real_number(0);
  mpfr_set_inf(result.raw(), sign);
  return result;
}

} // namespace

FloatRange floats_within(const RealInterval& interval, BinaryFormat format) {
  const Int128 largest = Int128(format.largest());
  FloatRange range{-1 - largest, largest};
  if (interval.low.is_finite()) {
    range.low = nearest(interval.low, format);
    if (interval.low.is_zero())
      range.low = -1;
    while (range.low <= largest) {
      const int order = compare(range.low, interval.low, format);
      if (order > 0 || (order == 0 && interval.low_in))
        break;
      ++range.low;
    }
  }
  if (interval.high.is_finite()) {
    range.high = nearest(interval.high, format);
    if (interval.high.is_zero())
      range.high = 0;
    while (range.high >= -1 - largest) {
      const int order = compare(range.high, interval.high, format);
      if (order < 0 || (order == 0 && interval.high_in))
        break;
      --range.high;
    }
  }
  return range;
}

Int128 between(const FloatRange& range, BinaryFormat format, double part) {
  BigFloat low = real_number(0), high = real_number(0), weight = real_number(part);
  numeric::set_bits(low.raw(), format.at(range.low), format);
  numeric::set_bits(high.raw(), format.at(range.high), format);
  mpfr_sub(high.raw(), high.raw(), low.raw(), MPFR_RNDN);
  mpfr_mul(high.raw(), high.raw(), weight.raw(), MPFR_RNDN);
  mpfr_add(low.raw(), low.raw(), high.raw(), MPFR_RNDN);
  return std::clamp(nearest(low, format), range.low, range.high);
}

std::vector<Bits> floats_to_try(const RealSet& set, BinaryFormat format, size_t most, numeric::Rng& rng) {
  std::vector<RealInterval> intervals = set.intervals();
  while (intervals.size() > most_intervals)
    intervals.erase(intervals.begin() + long(rng.below(intervals.size())));
  std::vector<std::vector<Int128>> lists;
  for (const RealInterval& interval : intervals)
    lists.push_back(of_interval(interval, format, std::max<size_t>(most / intervals.size(), 8), rng));
  std::vector<Bits> result;
  std::unordered_set<uint64_t> seen; // by the low bits: losing a candidate is harmless
  for (size_t turn = 0; result.size() < most; ++turn) {
    bool any = false;
    for (const std::vector<Int128>& list : lists)
      if (turn < list.size()) {
        any = true;
        const Int128 order = clamped(list[turn], format);
        if (seen.insert(uint64_t(order) ^ uint64_t(Uint128(order) >> 64)).second)
          result.push_back(format.at(order));
      }
    if (!any)
      break;
  }
  return result;
}

std::vector<Bits> random_float(const RealSet& set, BinaryFormat format, numeric::Rng& rng) {
  if (set.empty())
    return {};
  const RealInterval& interval = set.intervals()[rng.below(set.intervals().size())];
  const FloatRange range = floats_within(interval, format);
  if (range.low > range.high)
    return {format.at(clamped(nearest(interval.low, format), format))};
  const Uint128 width = Uint128(range.high - range.low) + 1;
  switch (rng.below(6)) {
  case 0:
    return {format.at(range.low)};
  case 1:
    return {format.at(range.high)};
  case 2:
    return {format.at(range.low + Int128((Uint128(rng.next()) << 64 | rng.next()) % width))};
  case 3: {
    std::vector<Int128> simple;
    add_simple(range, format, simple);
    return {format.at(simple.empty() ? middle_order(range) : simple[rng.below(simple.size())])};
  }
  default:
    return {format.at(between(range, format, rng.uniform()))};
  }
}

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
    // Advances past the interval that ends first. At equal ends, one that contains its end lasts longer.
    (high < 0 || (high == 0 && !x.high_in) ? i : k) += 1;
  }
  return result;
}

RealSet operator|(const RealSet& a, const RealSet& b) { return (a.complement() & b.complement()).complement(); }

} // namespace faultline::solve
