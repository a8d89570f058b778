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
