// The value of a meaning at an input: the precision is doubled until the ball is as tight as the output's format needs.
#pragma once

#include "numeric/format.h"
#include "oracle/judgement.h"
#include "oracle/meaning/evaluator.h"

#include <span>

namespace faultline::oracle {

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
