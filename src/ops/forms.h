// Short forms for entries: most operations have one operand, or wrap one MPFR function.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdlib>
#include <numbers>

#include "ops/table.h"

namespace faultline::ops {

// MPFR functions, with or without a rounding mode, as the table's `big`.
template <auto function>
constexpr auto big_unary = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  if constexpr (std::invocable<decltype(function), mpfr_ptr, mpfr_srcptr, mpfr_rnd_t>)
    function(result, a, MPFR_RNDN);
  else
    function(result, a);
};

template <auto function>
constexpr auto big_binary =
    [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) { function(result, a, b, MPFR_RNDN); };

// A function of one operand of libm, in its three formats, as the table's `native`.
template <auto binary32, auto binary64, auto extended80>
constexpr auto libm = [](auto a, auto, auto) {
  if constexpr (std::same_as<decltype(a), float>)
    return binary32(a);
  else if constexpr (std::same_as<decltype(a), double>)
    return binary64(a);
  else
    return extended80(a);
};

// An intermediate number with some more bits than the result, or with a given number of bits.
class Spare {
public:
  explicit Spare(mpfr_srcptr result) : Spare(mpfr_get_prec(result) + 32) {}
  explicit Spare(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~Spare() { mpfr_clear(value_); }
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;
  operator mpfr_ptr() { return value_; }

private:
  mpfr_t value_;
};

// A partial or condition of the form f(operand, result) for the one operand.
template <class F> constexpr auto of_one(F) {
  return [](double a, double, double, double result) { return Gradient{F{}(a, result), 0, 0}; };
}

// The same for the first of two operands, of the form f(first, second, result).
template <class F> constexpr auto of_first(F) {
  return [](double a, double b, double, double result) { return Gradient{F{}(a, b, result), 0, 0}; };
}

// The condition |f(operand, result)| of a function with f(0) = 0 and a finite slope there: its limit at zero is 1.
template <class F> constexpr auto one_at_zero(F) {
  return [](double a, double, double, double result) { return Gradient{a == 0 ? 1 : std::fabs(F{}(a, result)), 0, 0}; };
}

template <class F> constexpr auto magnitude_of(F) {
  return [](double a, double, double, double result) { return Gradient{std::fabs(F{}(a, result)), 0, 0}; };
}

// Constant numbers, independent of the operands.
template <auto a, auto b = 0, auto c = 0>
constexpr auto constantly = [](double, double, double, double) {
  return Gradient{a, b, c};
};

template <class F> constexpr auto danger_of(F) {
  return [](double a, double, double, double result) { return F{}(a, result); };
}

constexpr auto no_danger = [](double, double, double, double) { return std::numeric_limits<double>::quiet_NaN(); };
constexpr auto danger_at_result_zero = [](double, double, double, double result) { return result; };

// A continuous wave in a >= 0 that is zero at the multiples of the period, changes sign there, is positive in the first
// period, and has slopes of +-1: the danger function of operations that jump at those multiples.
inline double triangle_wave(double a, double period) {
  const double t = std::remainder(a, 2 * period);
  return std::fabs(t) <= period / 2 ? t : std::copysign(period, t) - t;
}

// Monotone functions: the inverse and the domain.
inline constexpr auto no_inverse = nullptr;
using BigInverse = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
inline constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr Monotone increasing(BigInverse inverse, double low = -unbounded, double high = unbounded) {
  return {Monotone::Direction::up, low, high, inverse};
}
constexpr Monotone decreasing(BigInverse inverse, double low = -unbounded, double high = unbounded) {
  return {Monotone::Direction::down, low, high, inverse};
}

// Triggers in readable form: overflows(first != 0, infinite).
struct Subject {
  int operand;
};
inline constexpr Subject first{0}, second{1};
constexpr Condition operator<(Subject x, numeric::Value value) { return {x.operand, Relation::below, value}; }
constexpr Condition operator>(Subject x, numeric::Value value) { return {x.operand, Relation::above, value}; }
constexpr Condition operator<=(Subject x, numeric::Value value) { return {x.operand, Relation::at_most, value}; }
constexpr Condition operator>=(Subject x, numeric::Value value) { return {x.operand, Relation::at_least, value}; }
constexpr Condition operator==(Subject x, numeric::Value value) { return {x.operand, Relation::equal, value}; }
constexpr Condition operator!=(Subject x, numeric::Value value) { return {x.operand, Relation::unequal, value}; }
constexpr Condition beyond(Subject x, numeric::Value value) { return {x.operand, Relation::beyond, value}; }
constexpr Condition whole(Subject x) { return {x.operand, Relation::whole}; }
constexpr Condition broken(Subject x) { return {x.operand, Relation::broken}; }
inline constexpr Condition infinite{Condition::result, Relation::infinite}, tiny{Condition::result, Relation::tiny};

constexpr Trigger overflows(auto... conditions) { return {Exception::overflow, {conditions...}}; }
constexpr Trigger underflows(auto... conditions) { return {Exception::underflow, {conditions...}}; }
constexpr Trigger divides_by_zero(auto... conditions) { return {Exception::divide_by_zero, {conditions...}}; }
constexpr Trigger is_invalid(auto... conditions) { return {Exception::invalid, {conditions...}}; }

} // namespace faultline::ops
