// The value of a meaning at an input. The precision doubles until the ball is as tight as the output's format needs.
#pragma once

#include "numeric/format.h"
#include "oracle/judgement.h"
#include "oracle/meaning/functions.h"
#include "oracle/meaning/parser.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace faultline::oracle {

// The inputs of a call as exact balls, by their names in expressions.
struct MeaningInputs {
  std::vector<std::string> names;
  std::vector<numeric::Ball> values;
};

// The sums have too many terms, or the integrals need too many evaluations.
struct TooManyTerms {};

class Evaluator {
public:
  Evaluator(const MeaningInputs& inputs, long precision) : inputs_(inputs), precision_(precision) {}

  // Evaluates at one precision. Not finite where the precision is too small. Throws Undefined and TooManyTerms.
  numeric::ComplexBall value(const Expression& expression);

  // A function without a finite value at exact arguments of moderate size: a pole or the end of a domain, where more
  // precision will not help. Empty: none.
  const std::string& not_finite() const { return not_finite_; }

private:
  enum class Truth { yes, no, open };

  numeric::ComplexBall constant(const std::string& name) const;
  numeric::ComplexBall element(const Expression& expression);
  numeric::ComplexBall call(const Expression& expression);
  numeric::ComplexBall power(const Expression& expression);
  numeric::ComplexBall series(const Expression& expression);
  numeric::ComplexBall integral(const Expression& expression);
  Truth truth(const Expression& condition);
  bool may_be_used(const Function& function, Arguments arguments) const;
  void count_term();

  static int integrand(acb_ptr result, const acb_t at, void* context, slong order, slong precision);

  const MeaningInputs& inputs_;
  long precision_;
  std::vector<numeric::ComplexBall> bound_; // values of let, sum and integral, outermost first
  bool analytic_ = false;                   // in an integrand, which must be analytic
  uint64_t terms_ = 0;
  std::string not_finite_;
};

struct MeaningValue {
  // undefined: there is no real value, as at a pole, for the logarithm of a negative number, or for an input that is
  // not finite. unknown: the ball stays wide, or evaluation takes too long.
  enum class Kind : uint8_t { value, undefined, unknown };
  Kind kind = Kind::unknown;
  Reference reference;
  long precision = 0; // the precision of the value
  std::string why;    // why there is no value
  bool pole = false;  // undefined, since the function is infinite there
  bool cut = false;   // stopped by the clock: another run may succeed
};

MeaningValue evaluate(const Expression& expression, std::span<const std::string> names,
                      std::span<const numeric::Value> inputs, numeric::Format format, double floor = 0);

} // namespace faultline::oracle
