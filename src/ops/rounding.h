// Rounding to integers, remainders, and taking floats apart.
#pragma once

#include "ops/forms.h"
#include "ops/formulas.h"

namespace faultline::ops {

inline float round_half_even(float a) { return __builtin_roundevenf(a); }
inline double round_half_even(double a) { return __builtin_roundeven(a); }
inline long double round_half_even(long double a) { return __builtin_roundevenl(a); }

constexpr auto big_ldexp = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  mpfr_mul_2si(result, a, mpfr_get_si(b, MPFR_RNDZ), MPFR_RNDN);
};

constexpr auto big_frexp = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  mpfr_exp_t exponent = 0;
  mpfr_frexp(&exponent, result, a, MPFR_RNDN);
};

constexpr auto big_logb = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  if (mpfr_regular_p(a))
    mpfr_set_si(result, mpfr_get_exp(a) - 1, MPFR_RNDN);
  else if (mpfr_nan_p(a))
    mpfr_set_nan(result);
  else
    mpfr_set_inf(result, mpfr_zero_p(a) ? -1 : 1);
};

// result = a - n * b with an integer n, so n = (a - result) / b up to roundings that `rint` removes while n is small.
constexpr auto remainder_partials = [](double a, double b, double, double result) {
  return Gradient{1, -std::rint((a - result) / b), 0};
};
constexpr auto remainder_conditions = [](double a, double, double, double result) {
  return Gradient{std::fabs(a / result), std::fabs((a - result) / result), 0};
};
// Zero at the nonzero multiples of b. The result itself is unsuitable: fmod's keeps its sign there, and remainder's
// also changes sign by a jump half-way between them.
constexpr auto remainder_danger = [](double a, double b, double, double) {
  return triangle_wave(std::fabs(a), std::fabs(b));
};

// Fortran's modulo: a - floor(a / b) * b, with the sign of b. Only the sum rounds. It jumps at all multiples of b,
// including zero.
constexpr auto native_modulo = [](auto a, auto b, auto) {
  const auto rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : std::copysign(rest, b);
};
constexpr auto big_modulo = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  Spare rest(result);
  mpfr_fmod(rest, a, b, MPFR_RNDN);
  if (mpfr_nan_p(rest) || mpfr_zero_p(rest) || mpfr_signbit(rest) == mpfr_signbit(b))
    mpfr_setsign(result, rest, mpfr_signbit(b), MPFR_RNDN);
  else
    mpfr_add(result, rest, b, MPFR_RNDN);
};
constexpr auto modulo_danger = [](double a, double b, double, double) { return triangle_wave(a, std::fabs(b)); };

constexpr auto truncated = [](auto a, auto, auto) { return std::trunc(a); };
constexpr auto rounded_half_even = [](auto a, auto, auto) { return round_half_even(a); };
constexpr auto rounded_half_away = [](auto a, auto, auto) { return std::round(a); };

// Raised by values that round to an integer outside int64. A conversion's type may be narrower, which only the site
// knows (goal/exception.cpp). Of two integers at the same distance, the even one is the end itself.
template <Rounding direction>
inline constexpr Raises beyond_int64 = {
    is_invalid(first >= (direction == Rounding::to_zero ? 0x1p63L : 0x1p63L - 0.5L)),
    direction == Rounding::to_zero        ? is_invalid(first <= -0x1p63L - 1)
    : direction == Rounding::nearest_even ? is_invalid(first < -0x1p63L - 0.5L)
                                          : is_invalid(first <= -0x1p63L - 0.5L)};

inline constexpr Entry rounding[] = {
    {.op = Op::floor,
     .native = [](auto a, auto, auto) { return std::floor(a); },
     .big = big_unary<mpfr_floor>,
     .raises = nothing},
    {.op = Op::ceil,
     .native = [](auto a, auto, auto) { return std::ceil(a); },
     .big = big_unary<mpfr_ceil>,
     .raises = nothing},
    {.op = Op::trunc, .native = truncated, .big = big_unary<mpfr_trunc>, .raises = nothing},
    {.op = Op::round, .native = rounded_half_away, .big = big_unary<mpfr_round>, .raises = nothing},
    {.op = Op::rint, .native = rounded_half_even, .big = big_unary<mpfr_roundeven>, .raises = nothing},
    {.op = Op::roundeven, .native = rounded_half_even, .big = big_unary<mpfr_roundeven>, .raises = nothing},
    {.op = Op::to_int,
     .symbol = "(int)",
     .native = truncated,
     .big = big_unary<mpfr_trunc>,
     .raises = beyond_int64<Rounding::to_zero>},
    {.op = Op::to_int_rint,
     .symbol = "lrint",
     .native = rounded_half_even,
     .big = big_unary<mpfr_roundeven>,
     .raises = beyond_int64<Rounding::nearest_even>},
    {.op = Op::to_int_round,
     .symbol = "lround",
     .native = rounded_half_away,
     .big = big_unary<mpfr_round>,
     .raises = beyond_int64<Rounding::nearest_away>},

    {.op = Op::fmod,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return std::fmod(a, b); },
     .big = big_binary<mpfr_fmod>,
     .partials = remainder_partials,
     .conditions = remainder_conditions,
     .danger = remainder_danger,
     .raises = {is_invalid(second == 0)}},
    {.op = Op::remainder,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return std::remainder(a, b); },
     .big = big_binary<mpfr_remainder>,
     .partials = remainder_partials,
     .conditions = remainder_conditions,
     .danger = remainder_danger,
     .raises = {is_invalid(second == 0)}},
    {.op = Op::modulo,
     .potentially_unstable = true,
     .native = native_modulo,
     .big = big_modulo,
     .partials = remainder_partials,
     .conditions = remainder_conditions,
     .danger = modulo_danger,
     .raises = {is_invalid(second == 0)}},
    // a - trunc(a): as fmod with b = 1. Danger: zero at the nonzero integers.
    {.op = Op::modf,
     .potentially_unstable = true,
     .native =
         [](auto a, auto, auto) {
           decltype(a) integer_part;
           return std::modf(a, &integer_part);
         },
     .big = big_unary<mpfr_frac>,
     .partials = constantly<1>,
     .conditions = magnitude_of([](double a, double r) { return a / r; }),
     .danger = danger_of([](double a, double) { return triangle_wave(std::fabs(a), 1); }),
     .raises = nothing},

    {.op = Op::ldexp,
     .native =
         [](auto a, auto b, auto) {
           const auto exponent = std::fmax(decltype(b){-100'000}, std::fmin(b, decltype(b){100'000}));
           return std::ldexp(a, static_cast<int>(exponent));
         },
     .big = big_ldexp,
     .partials =
         [](double, double b, double, double) {
           return Gradient{std::exp2(b), 0, 0};
         },
     .conditions = constantly<1>,
     .raises = {overflows(infinite), underflows(first != 0, tiny)}},
    // The fraction in [0.5, 1): a scaling by a power of two.
    {.op = Op::frexp,
     .native =
         [](auto a, auto, auto) {
           int exponent = 0;
           return std::frexp(a, &exponent);
         },
     .big = big_frexp,
     .partials = of_one([](double a, double r) { return a == 0 ? 1 : r / a; }),
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::logb,
     .native = [](auto a, auto, auto) { return std::logb(a); },
     .big = big_logb,
     .raises = {divides_by_zero(first == 0)}},
};

template <> struct Formulas<Op::ldexp> : Libm<no_bound, nullptr> { // exact, or nearly (ops/rounding_error.h)
  static constexpr Meaning meaning{};
  static auto range(const auto& a, const auto& exponent) { return scaled(a, exponent); }
  template <Enclosure T> static std::array<T, 2> slopes(const T&, const T& exponent, const T&) {
    return {scaled(T::of(1), exponent), T::of(0)};
  }
};
inline constexpr Ulps exact_result{0, 0, 0};
// By one divisor.
template <> struct Formulas<Op::fmod> : Libm<exact_result, nullptr> {
  static constexpr Meaning meaning{"x y", "rem(x, y)"};
  template <Enclosure T> static T range(const T& a, const T& b) { return Remainder<T>::of(a, b).range(a, b); }
  template <Enclosure T> static std::array<T, 2> slopes(const T& a, const T& b, const T&) {
    const auto rest = Remainder<T>::of(a, b);
    if (!rest.is_settled())
      return {T::nothing_known(), T::nothing_known()};
    return {T::of(1), -rest.turns};
  }
};
template <> struct Formulas<Op::modulo> : Unbounded {};
template <> struct Formulas<Op::frexp> : Unbounded {};
template <> struct Formulas<Op::modf> : Libm<exact_result, nullptr> {
  static constexpr Meaning meaning{};
  template <Enclosure T> static T range(const T& a) { return Remainder<T>::of(a, T::of(1)).range(a, T::of(1)); }
  template <Enclosure T> static T slope(const T& a, const T&) {
    return Remainder<T>::of(a, T::of(1)).is_settled() ? T::of(1) : T::nothing_known();
  }
};
template <> struct Formulas<Op::logb> : Unbounded {};

} // namespace faultline::ops
