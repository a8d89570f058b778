#include "oracle/meaning/evaluation.h"

#include "numeric/ball_budget.h"

#include <cmath>
#include <fmt/format.h>

namespace faultline::oracle {
namespace {

using numeric::Ball;
using numeric::ComplexBall;

// The first has three limbs, so that Arb allocates and its work can be counted (numeric/ball_budget.h). The last is
// enough for what cancels over the whole range of exponents of a double, several times.
constexpr long first_meaning_precision = 192, last_meaning_precision = 12288;
constexpr long believed_precision = 1536; // from here on: what is not finite of moderate arguments has no value
constexpr int spare_bits = 16;            // as oracle/judgement.h's agree has it
// Of one evaluation: an ordinary one takes less than 1000; this many take about 0.2 s. The time is for loops
// that do not allocate.
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

// So close to zero that no number of the format lies between.
bool is_nothing(const Ball& ball, numeric::Format format, double floor) {
  if (!ball.is_finite() || ball.radius_exponent() == INT64_MAX)
    return false;
  return is_as_good_as_zero({ball.middle(), ball.radius_exponent()}, format, floor);
}

// Is the imaginary part zero as far as one can tell?
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

  // Is the answer found?
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
                      std::span<const long double> inputs, numeric::Format format, double floor) {
  MeaningValue answer;
  MeaningInputs exact;
  exact.names.assign(names.begin(), names.end());
  for (const long double value : inputs) {
    if (!std::isfinite(value)) {
      answer.kind = MeaningValue::Kind::undefined;
      answer.why = "an input is no finite number";
      return answer;
    }
    exact.values.emplace_back(value);
  }
  numeric::use_full_exponent_range();
  try {
    Attempt attempt(expression, format, floor); // goes before what was broken off is forgotten
    const numeric::BallBudget budget(most_work, most_seconds);
    for (long precision = first_meaning_precision; precision <= last_meaning_precision; precision *= 2)
      if (attempt.at(exact, precision, answer))
        return answer;
    answer.why = fmt::format("the meaning's value does not settle up to {} bits", last_meaning_precision);
  } catch (const Undefined& undefined) {
    answer.kind = MeaningValue::Kind::undefined;
    answer.why = undefined.why;
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
