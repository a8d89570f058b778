#include "solve/real/inverse.h"

#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace faultline::solve {

using numeric::Rounding;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr long most_exponent = 20'000; // beyond all formats: infinity or zero

using Unary = std::function<void(mpfr_ptr, mpfr_srcptr)>;

// The function on a part of its domain where it is monotone.
struct MonotonePart {
  bool up;
  BigFloat low, high;       // of the arguments
  BigFloat at_low, at_high; // its values, or limits, there
  Unary inverse;
};

// Returns the description of a function that is monotone everywhere; for cosh, of its increasing half.
const ops::Monotone* find_monotone(Op op) {
  static constexpr ops::Monotone right_half{ops::Monotone::Direction::up, 0, infinity, mpfr_acosh};
  const ops::Monotone& found = op == Op::cosh ? right_half : ops::entry(op).monotone;
  return found && found.inverse ? &found : nullptr;
}

bool steps(Op op) { return ops::rounding_of(op).has_value(); }

BigFloat tamed(BigFloat value) {
  if (mpfr_regular_p(value.raw()) && mpfr_get_exp(value.raw()) > most_exponent)
    mpfr_set_inf(value.raw(), mpfr_sgn(value.raw()));
  if (mpfr_regular_p(value.raw()) && mpfr_get_exp(value.raw()) < -most_exponent)
    mpfr_set_zero(value.raw(), 1);
  return value;
}

// Returns the argument between low and high with the value `value`, which is in the range of values.
BigFloat argument_of(const MonotonePart& part, const BigFloat& value) {
  BigFloat result = real_number(0);
  part.inverse(result.raw(), value.raw());
  return tamed(result);
}

RealSet preimage_in(const MonotonePart& part, const RealSet& values) {
  const BigFloat &least = part.up ? part.at_low : part.at_high, &greatest = part.up ? part.at_high : part.at_low;
  std::vector<RealInterval> found;
  for (const RealInterval& interval : values.intervals()) {
    if (interval.high < least || interval.low > greatest)
      continue;
    const bool from_least = interval.low <= least, to_greatest = interval.high >= greatest;
    RealInterval arguments{from_least ? (part.up ? part.low : part.high) : argument_of(part, interval.low),
                           to_greatest ? (part.up ? part.high : part.low) : argument_of(part, interval.high),
                           from_least ? interval.low < least || interval.low_in : interval.low_in,
                           to_greatest ? interval.high > greatest || interval.high_in : interval.high_in};
    if (!part.up) {
      std::swap(arguments.low, arguments.high);
      std::swap(arguments.low_in, arguments.high_in);
    }
    found.push_back(std::move(arguments));
  }
  if (!part.up)
    std::reverse(found.begin(), found.end());
  RealSet result;
  for (RealInterval& interval : found)
    result.append(std::move(interval));
  return result;
}

MonotonePart part_of(Op op) {
  const ops::Monotone& function = *find_monotone(op);
  MonotonePart part{function.up(),
                    real_number(function.low + 0.0), // zero has no sign here
                    real_number(function.high),
                    real_number(0),
                    real_number(0),
                    [inverse = function.inverse](mpfr_ptr y, mpfr_srcptr x) { inverse(y, x, MPFR_RNDN); }};
  ops::evaluate(op, part.at_low.raw(), part.low.raw(), nullptr, nullptr);
  ops::evaluate(op, part.at_high.raw(), part.high.raw(), nullptr, nullptr);
  return part;
}

RealSet mirrored(const RealSet& set) {
  RealSet result;
  for (auto interval = set.intervals().rbegin(); interval != set.intervals().rend(); ++interval) {
    RealInterval turned{interval->high, interval->low, interval->high_in, interval->low_in};
    mpfr_neg(turned.low.raw(), turned.low.raw(), MPFR_RNDN);
    mpfr_neg(turned.high.raw(), turned.high.raw(), MPFR_RNDN);
    result.append(std::move(turned));
  }
  return result;
}

// Returns the k-th half period of sin or cos, or the k-th period of tan.
MonotonePart period(Op op, long k) {
  const auto multiple_of_pi = [](long twice) {
    BigFloat result = real_number(0);
    mpfr_const_pi(result.raw(), MPFR_RNDN);
    mpfr_mul_si(result.raw(), result.raw(), twice, MPFR_RNDN);
    mpfr_div_2ui(result.raw(), result.raw(), 1, MPFR_RNDN);
    return result;
  };
  const bool even = k % 2 == 0;
  const long start = op == Op::cos ? 2 * k : 2 * k - 1; // in halves of pi
  MonotonePart part{op == Op::tan || (op == Op::sin) == even,
                    multiple_of_pi(start),
                    multiple_of_pi(start + 2),
                    real_number(op == Op::tan             ? -infinity
                                : (op == Op::sin) == even ? -1
                                                          : 1),
                    real_number(op == Op::tan             ? infinity
                                : (op == Op::sin) == even ? 1
                                                          : -1),
                    {}};
  const BigFloat base = multiple_of_pi(op == Op::cos && !even ? 2 * k + 2 : 2 * k);
  part.inverse = [op, even, base](mpfr_ptr y, mpfr_srcptr x) {
    op == Op::tan   ? mpfr_atan(y, x, MPFR_RNDN)
    : op == Op::sin ? mpfr_asin(y, x, MPFR_RNDN)
                    : mpfr_acos(y, x, MPFR_RNDN);
    op != Op::tan && !even ? mpfr_sub(y, base.raw(), y, MPFR_RNDN) : mpfr_add(y, base.raw(), y, MPFR_RNDN);
  };
  return part;
}

RealSet preimage_in_periods(Op op, const RealSet& values, std::span<const double> hints) {
  constexpr long around_zero = 4, around_a_hint = 2, most = 1L << 52;
  std::set<long> wanted;
  for (long k = -around_zero; k <= around_zero; ++k)
    wanted.insert(k);
  for (const double hint : hints)
    if (const double turns = hint / M_PI; std::abs(turns) < double(most))
      for (long k = -around_a_hint; k <= around_a_hint; ++k)
        wanted.insert(std::lround(turns) + k);
  RealSet result;
  for (const long k : wanted) {
    const RealSet part = preimage_in(period(op, k), values);
    for (const RealInterval& interval : part.intervals())
      result.append(interval);
  }
  return result;
}

// Returns the arguments whose value is greater than `value` or, if `itself`, equal to it.
RealSet steps_from(Op op, const BigFloat& value, bool itself) {
  if (value.is_inf())
    return mpfr_sgn(value.raw()) < 0 ? RealSet::everything() : RealSet();
  BigFloat least = value; // the least suitable integer
  if (itself || !mpfr_integer_p(value.raw()))
    mpfr_ceil(least.raw(), value.raw());
  else
    mpfr_add_si(least.raw(), least.raw(), 1, MPFR_RNDN);
  BigFloat before = least;
  switch (*ops::rounding_of(op)) {
  case Rounding::to_zero:
    if (mpfr_sgn(least.raw()) <= 0)
      break;
    [[fallthrough]];
  case Rounding::down:
    return RealSet::above(least, true);
  case Rounding::nearest_even:
  case Rounding::nearest_away:
    mpfr_sub_d(before.raw(), least.raw(), 0.5, MPFR_RNDN);
    return RealSet::above(before, false);
  case Rounding::up:
    break;
  }
  mpfr_sub_d(before.raw(), least.raw(), 1, MPFR_RNDN);
  return RealSet::above(before, false);
}

RealSet preimage_of_steps(Op op, const RealSet& values) {
  RealSet result;
  for (const RealInterval& interval : values.intervals())
    result = result | (steps_from(op, interval.low, interval.low_in) &
                       steps_from(op, interval.high, !interval.high_in).complement());
  return result;
}

// x^c for x >= 0, or c^x.
MonotonePart part_of_power(const ElementaryFunction& function) {
  const BigFloat& c = function.constant;
  const double one = 1;
  const bool up = function.constant_base ? mpfr_cmp_d(c.raw(), one) > 0 : mpfr_sgn(c.raw()) > 0;
  const double low = function.constant_base ? -infinity : 0;
  MonotonePart part{
      up, real_number(low), real_number(infinity), real_number(up ? 0 : infinity), real_number(up ? infinity : 0), {}};
  if (function.constant_base)
    part.inverse = [c](mpfr_ptr y, mpfr_srcptr x) {
      BigFloat scale = real_number(0);
      mpfr_log(scale.raw(), c.raw(), MPFR_RNDN);
      mpfr_log(y, x, MPFR_RNDN);
      mpfr_div(y, y, scale.raw(), MPFR_RNDN);
    };
  else
    part.inverse = [c](mpfr_ptr y, mpfr_srcptr x) {
      BigFloat exponent = real_number(0);
      mpfr_ui_div(exponent.raw(), 1, c.raw(), MPFR_RNDN);
      mpfr_pow(y, x, exponent.raw(), MPFR_RNDN);
    };
  return part;
}

} // namespace

bool invertible(const ElementaryFunction& function) {
  const Op op = function.op;
  if (op == Op::pow)
    return function.constant.is_finite() && mpfr_sgn(function.constant.raw()) != 0 &&
           (!function.constant_base ||
            (mpfr_sgn(function.constant.raw()) > 0 && mpfr_cmp_ui(function.constant.raw(), 1) != 0));
  return steps(op) || ops::is_periodic(op) || find_monotone(op) != nullptr;
}

RealSet preimage(const ElementaryFunction& function, const RealSet& values, std::span<const double> hints) {
  const Op op = function.op;
  if (op == Op::pow)
    return preimage_in(part_of_power(function), values);
  if (steps(op))
    return preimage_of_steps(op, values);
  if (ops::is_periodic(op))
    return preimage_in_periods(op, values, hints);
  const RealSet arguments = preimage_in(part_of(op), values);
  return op == Op::cosh ? arguments | mirrored(arguments) : arguments;
}

} // namespace faultline::solve
