#include "oracle/meaning/evaluation.h"

#include "numeric/ball_budget.h"

#include <acb_calc.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::oracle {

namespace {

// The inputs of a call as exact balls, by their names in expressions.
struct MeaningInputs {
  std::vector<std::string> names;
  std::vector<numeric::Ball> values;
};

// The sums have too many terms, or the integrals need too many evaluations.
struct TooManyTerms {};

using Kind = Expression::Kind;

// The limit for all sums and integrals of one evaluation. A term of a special function takes some 10 us.
constexpr uint64_t most_terms = 20'000;
constexpr long largest_decimal_exponent = 5000; // beyond what any format has

// A decimal, exactly or within the precision.
ComplexBall number(const std::string& text, long precision) {
  std::string digits;
  long exponent = 0;
  const size_t mark = text.find_first_of("eE");
  const std::string_view mantissa = std::string_view(text).substr(0, mark);
  const size_t point = mantissa.find('.');
  for (const char c : mantissa)
    if (c != '.')
      digits += c;
  if (point != std::string_view::npos)
    exponent -= long(mantissa.size() - point - 1);
  if (mark != std::string::npos)
    exponent += std::clamp(std::atol(text.c_str() + mark + 1), -largest_decimal_exponent, largest_decimal_exponent);
  fmpq_t exact;
  fmpq_init(exact);
  fmpz_set_str(fmpq_numref(exact), digits.c_str(), 10);
  fmpz_t power;
  fmpz_init(power);
  fmpz_ui_pow_ui(power, 10, ulong(std::labs(exponent)));
  if (exponent >= 0)
    fmpz_mul(fmpq_numref(exact), fmpq_numref(exact), power);
  else
    fmpz_set(fmpq_denref(exact), power);
  fmpq_canonicalise(exact);
  ComplexBall ball;
  arb_set_fmpq(ball.real(), exact, precision);
  fmpz_clear(power);
  fmpq_clear(exact);
  return ball;
}

// True if the number is neither so large nor so close to zero that a precision could be too small for it.
bool is_moderate(arb_srcptr x) {
  constexpr long largest = 7, smallest = -64; // exponents
  return arf_cmpabs_2exp_si(arb_midref(x), largest) < 0 &&
         (arf_is_zero(arb_midref(x)) || arf_cmpabs_2exp_si(arb_midref(x), smallest) > 0);
}

bool reaches_cut(const ComplexBall& x) { return arb_contains_zero(x.imaginary()) && !arb_is_positive(x.real()); }

class Evaluator {
public:
  Evaluator(const MeaningInputs& inputs, long precision) : inputs_(inputs), precision_(precision) {}

  // Evaluates at one precision. Not finite where the precision is too small. Throws Undefined and TooManyTerms.
  numeric::ComplexBall value(const Expression& expression) {
    const auto part = [&](size_t i) { return value(expression.parts[i]); };
    switch (expression.kind) {
    case Kind::number:
      return number(expression.name, precision_);
    case Kind::constant:
      return constant(expression.name);
    case Kind::input:
      return inputs_.values[expression.index];
    case Kind::element:
      return element(expression);
    case Kind::variable:
      return bound_[expression.index];
    case Kind::negate:
      return minus({}, part(0), precision_);
    case Kind::add:
      return plus(part(0), part(1), precision_);
    case Kind::subtract:
      return minus(part(0), part(1), precision_);
    case Kind::multiply:
      return times(part(0), part(1), precision_);
    case Kind::divide:
      return quotient(part(0), part(1), precision_);
    case Kind::power:
      return power(expression);
    case Kind::call:
      return call(expression);
    case Kind::choose: {
      const Truth chosen = truth(expression.parts[0]);
      return chosen == Truth::open ? ComplexBall::unknown() : part(chosen == Truth::yes ? 1 : 2);
    }
    case Kind::let: {
      bound_.push_back(part(0));
      ComplexBall result = part(1);
      bound_.pop_back();
      return result;
    }
    case Kind::sum:
    case Kind::product:
      return series(expression);
    case Kind::integral:
      return integral(expression);
    default:
      return ComplexBall::unknown(); // conditions have no value; the parser prevents this
    }
  }

  // A function without a finite value at exact arguments of moderate size: a pole or the end of a domain, where more
  // precision will not help. Empty: none.
  const std::string& not_finite() const { return not_finite_; }

private:
  struct Integrand {
    Evaluator* evaluator;
    const Expression* body;
  };

  enum class Truth { yes, no, open };

  numeric::ComplexBall constant(const std::string& name) const {
    ComplexBall value;
    if (name == "undefined")
      throw Undefined{"the expression evaluates to undefined"};
    if (name == "pi")
      arb_const_pi(value.real(), precision_);
    else if (name == "e")
      arb_const_e(value.real(), precision_);
    else if (name == "euler")
      arb_const_euler(value.real(), precision_);
    else if (name == "catalan")
      arb_const_catalan(value.real(), precision_);
    else
      acb_onei(value.raw()); // j
    return value;
  }

  numeric::ComplexBall element(const Expression& expression) {
    const ComplexBall index = value(expression.parts[0]);
    const std::string name = fmt::format("{}[{}]", expression.name, small_integer(index, "an index"));
    const auto found = std::ranges::find(inputs_.names, name);
    if (found == inputs_.names.end())
      throw Undefined{fmt::format("there is no input {}", name)};
    return inputs_.values[size_t(found - inputs_.names.begin())];
  }

  numeric::ComplexBall call(const Expression& expression) {
    std::vector<ComplexBall> arguments;
    for (const Expression& part : expression.parts) {
      arguments.push_back(value(part));
      if (!arguments.back().is_finite())
        return ComplexBall::unknown();
    }
    if (!may_be_used(*expression.function, arguments))
      return ComplexBall::unknown();
    ComplexBall result = expression.function->evaluate(arguments, precision_);
    if (!result.is_finite() && std::ranges::all_of(arguments, [](const ComplexBall& argument) {
          return argument.is_exact() && is_moderate(argument.real()) && is_moderate(argument.imaginary());
        }))
      not_finite_ = expression.name;
    return result;
  }

  numeric::ComplexBall power(const Expression& expression) {
    const ComplexBall base = value(expression.parts[0]), exponent = value(expression.parts[1]);
    const bool constant = base.is_real() && exponent.is_real();
    if (analytic_ && !constant && !is_integer(exponent) && reaches_cut(base))
      return ComplexBall::unknown();
    return to_the_power(base, exponent, precision_);
  }

  // Evaluates a sum or product over the integers from the first to the second part.
  numeric::ComplexBall series(const Expression& expression) {
    const bool sum = expression.kind == Kind::sum;
    const long low = small_integer(value(expression.parts[0]), "the start of a sum");
    const long high = small_integer(value(expression.parts[1]), "the end of a sum");
    ComplexBall total(sum ? 0L : 1L);
    for (long k = low; k <= high; ++k) {
      count_term();
      bound_.emplace_back(k);
      const ComplexBall term = value(expression.parts[2]);
      bound_.pop_back();
      total = sum ? plus(total, term, precision_) : times(total, term, precision_);
    }
    return total;
  }

  numeric::ComplexBall integral(const Expression& expression) {
    const ComplexBall low = value(expression.parts[0]), high = value(expression.parts[1]);
    if (analytic_ && !(low.is_real() && high.is_real()))
      return ComplexBall::unknown();
    acb_calc_integrate_opt_t options;
    acb_calc_integrate_opt_init(options);
    options->eval_limit = slong(most_terms);
    mag_t tolerance;
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -2 * precision_);
    Integrand context{this, &expression.parts[2]};
    ComplexBall result;
    acb_calc_integrate(result.raw(), integrand, &context, low.raw(), high.raw(), precision_, tolerance, options,
                       precision_);
    mag_clear(tolerance);
    return result;
  }

  Truth truth(const Expression& condition) {
    const auto known = [](bool yes) { return yes ? Truth::yes : Truth::no; };
    if (condition.kind == Kind::opposite) {
      const Truth inside = truth(condition.parts[0]);
      return inside == Truth::open ? inside : known(inside == Truth::no);
    }
    if (condition.kind == Kind::both || condition.kind == Kind::either) {
      const Truth decisive = known(condition.kind == Kind::either);
      const Truth first = truth(condition.parts[0]);
      if (first == decisive)
        return first;
      const Truth second = truth(condition.parts[1]);
      return second == decisive || first != Truth::open ? second : first;
    }
    const ComplexBall a = value(condition.parts[0]), b = value(condition.parts[1]);
    if (!a.is_real() || !b.is_real())
      return Truth::open;
    switch (condition.kind) {
    case Kind::less:
      return arb_lt(a.real(), b.real()) ? Truth::yes : arb_ge(a.real(), b.real()) ? Truth::no : Truth::open;
    case Kind::less_equal:
      return arb_le(a.real(), b.real()) ? Truth::yes : arb_gt(a.real(), b.real()) ? Truth::no : Truth::open;
    case Kind::equal:
      return arb_eq(a.real(), b.real()) ? Truth::yes : arb_ne(a.real(), b.real()) ? Truth::no : Truth::open;
    default:
      return arb_ne(a.real(), b.real()) ? Truth::yes : arb_eq(a.real(), b.real()) ? Truth::no : Truth::open;
    }
  }

  // True unless the call is in an integrand, has arguments that are not constant, and the function may not be analytic
  // there.
  bool may_be_used(const Function& function, Arguments arguments) const {
    if (!analytic_ || all_real(arguments))
      return true;
    switch (function.analytic) {
    case Analytic::everywhere:
      return true;
    case Analytic::off_cut:
      return !reaches_cut(arguments.back()) && all_real(arguments.first(arguments.size() - 1));
    case Analytic::nowhere:
      break;
    }
    return false;
  }

  void count_term() {
    if (++terms_ > most_terms)
      throw TooManyTerms();
  }

  static int integrand(acb_ptr result, const acb_t at, void* context, slong order, slong precision) {
    const auto& [evaluator, body] = *static_cast<Integrand*>(context);
    evaluator->count_term();
    const bool analytic_before = evaluator->analytic_;
    const long precision_before = evaluator->precision_;
    const size_t depth = evaluator->bound_.size();
    ComplexBall point;
    acb_set(point.raw(), at);
    evaluator->analytic_ = order != 0;
    evaluator->precision_ = precision;
    evaluator->bound_.push_back(std::move(point));
    try {
      acb_set(result, evaluator->value(*body).raw());
    } catch (const Undefined&) {
      acb_indeterminate(result);
    }
    evaluator->bound_.resize(depth);
    evaluator->analytic_ = analytic_before;
    evaluator->precision_ = precision_before;
    return 0;
  }

  const MeaningInputs& inputs_;
  long precision_;
  std::vector<numeric::ComplexBall> bound_; // values of let, sum and integral, outermost first
  bool analytic_ = false;                   // in an integrand, which must be analytic
  uint64_t terms_ = 0;
  std::string not_finite_;
};

using numeric::Ball;
using numeric::ComplexBall;

// The first has three limbs, so that Arb allocates and its work can be counted (numeric/ball_budget.h). The last covers
// several cancellations over the whole exponent range of a double.
constexpr long first_meaning_precision = 192, last_meaning_precision = 12288;
constexpr long believed_precision = 1536; // from here on, infinite results for moderate arguments mean no value
constexpr int spare_bits = 16;            // as in oracle/judgement.h's agree
// The limits of one evaluation. An ordinary one takes less than 1000 units of work; this many take about 0.2 s. The
// time is for loops that do not allocate.
constexpr uint64_t most_work = 200'000;
constexpr double most_seconds = 0.5;

bool is_tight(const Ball& ball, numeric::Format format) {
  return ball.is_finite() && ball.accurate_bits() >= numeric::info(format).precision + spare_bits;
}

Reference reference_of(const Ball& ball) {
  Reference reference{ball.middle(), ops::no_error};
  if (!ball.is_exact() && reference.value.is_finite() && !reference.value.is_zero())
    reference.error = mpfr_get_exp(reference.value.raw()) - ball.accurate_bits();
  return reference;
}

// True if the ball is so close to zero that no number of the format lies between.
bool is_nothing(const Ball& ball, numeric::Format format, double floor) {
  if (!ball.is_finite() || ball.radius_exponent() == INT64_MAX)
    return false;
  return is_as_good_as_zero({ball.middle(), ball.radius_exponent()}, format, floor);
}

// True if the imaginary part is indistinguishable from zero.
bool is_real(const ComplexBall& value, numeric::Format format) {
  if (value.is_real())
    return true;
  const Ball imaginary = value.imaginary_part(), real = value.real_part();
  if (!imaginary.contains_zero())
    throw Undefined{"the value is not a real number there"};
  ComplexBall size;
  arb_abs(size.real(), imaginary.raw());
  arb_mul_2exp_si(size.real(), size.real(), numeric::info(format).precision + spare_bits);
  Ball magnitude;
  arb_abs(magnitude.raw(), real.raw());
  return arb_le(size.real(), magnitude.raw());
}

class Attempt {
public:
  Attempt(const Expression& expression, numeric::Format format, double floor)
      : expression_(expression), format_(format), floor_(floor) {}

  // Returns true if the answer is found.
  bool at(const MeaningInputs& inputs, long precision, MeaningValue& answer) {
    Evaluator evaluator(inputs, precision);
    const ComplexBall value = evaluator.value(expression_);
    answer.precision = precision;
    if (!value.is_finite()) {
      // Smaller precisions may be too small for a function's own intermediate results.
      if (!evaluator.not_finite().empty() && precision >= believed_precision)
        throw Undefined{fmt::format("{} has no finite value there", evaluator.not_finite())};
      return false;
    }
    const Ball real = value.real_part();
    if (is_tight(real, format_) && is_real(value, format_))
      answer.reference = reference_of(real);
    else if (is_nothing(real, format_, floor_) && is_nothing(value.imaginary_part(), format_, floor_))
      answer.reference = {numeric::BigFloat(0.0L, 64), ops::no_error};
    else
      return false;
    answer.kind = MeaningValue::Kind::value;
    return true;
  }

private:
  const Expression& expression_;
  numeric::Format format_;
  double floor_;
};

} // namespace

MeaningValue evaluate(const Expression& expression, std::span<const std::string> names,
                      std::span<const numeric::Value> inputs, numeric::Format format, double floor) {
  MeaningValue answer;
  MeaningInputs exact;
  exact.names.assign(names.begin(), names.end());
  for (const numeric::Value value : inputs) {
    if (!std::isfinite(value)) {
      answer.kind = MeaningValue::Kind::undefined;
      answer.why = "an input is not finite";
      return answer;
    }
    exact.values.emplace_back(value);
  }
  numeric::use_full_exponent_range();
  try {
    Attempt attempt(expression, format, floor); // destroyed before Arb's unfinished work is dropped
    const numeric::BallBudget budget(most_work, most_seconds);
    for (long precision = first_meaning_precision; precision <= last_meaning_precision; precision *= 2)
      if (attempt.at(exact, precision, answer))
        return answer;
    answer.why = fmt::format("the meaning's value does not settle up to {} bits", last_meaning_precision);
  } catch (const Undefined& undefined) {
    answer.kind = MeaningValue::Kind::undefined;
    answer.why = undefined.why;
    answer.pole = undefined.is_pole;
  } catch (const TooManyTerms&) {
    answer.why = "the meaning's sums or integrals take too many terms there";
  } catch (const numeric::OutOfBallBudget& broken) {
    answer.cut = broken.by_clock;
    numeric::forget_broken_off_work();
    answer.why = "computing the meaning's value takes too long there";
  }
  return answer;
}

} // namespace faultline::oracle
