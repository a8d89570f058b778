// An expression at one precision: balls in, a ball out.
#pragma once

#include "oracle/meaning/expression.h"
#include "oracle/meaning/functions.h"

#include <map>
#include <string>
#include <vector>

namespace faultline::oracle {

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

} // namespace faultline::oracle
