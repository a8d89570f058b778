// The value of a meaning at an input: the precision is doubled until the ball is as tight as the output's format needs.
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

// An expression at one precision: balls in, a ball out.

// The inputs of a call as exact balls, by the names that expressions know them by.
struct MeaningInputs {
  std::vector<std::string> names;
  std::vector<numeric::Ball> values;
};

// It takes more terms of sums, or evaluations of an integrand, than anybody wants to wait for.
struct TooManyTerms {};

class Evaluator {
public:
  Evaluator(const MeaningInputs& inputs, long precision) : inputs_(inputs), precision_(precision) {}

  // Not finite where the precision does not tell. Throws Undefined and TooManyTerms.
  numeric::ComplexBall value(const Expression& expression);

  // A function that has no finite value at arguments that are exact and of moderate size: more precision will not help,
  // it is a pole or the end of a domain. Empty: none.
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
  bool analytic_ = false;                   // an integrand, which must be analytic where it is asked for
  uint64_t terms_ = 0;
  std::string not_finite_;
};

struct MeaningValue {
  // undefined: the mathematics has no real value there; a pole, the logarithm of a negative number, an input that is no
  // number. unknown: the ball stays wide, or it takes too long.
  enum class Kind : uint8_t { value, undefined, unknown };
  Kind kind = Kind::unknown;
  Reference reference;
  long precision = 0; // at which it was found
  std::string why;    // it is not a value
  bool cut = false;   // unknown by the clock: another run may know it
};

MeaningValue evaluate(const Expression& expression, std::span<const std::string> names,
                      std::span<const long double> inputs, numeric::Format format, double floor = 0);

} // namespace faultline::oracle
