#include "oracle/meaning/evaluation.h"
#include "oracle/meaning/parser.h"
#include "targets.h"

namespace faultline::fuzz {

// An expression that was read can be evaluated: to a value, or not.
int fuzz_meaning(const uint8_t* data, size_t size) {
  const std::vector<std::string> names = {"x", "n", "a[0]", "a[1]"};
  const std::vector<long double> inputs = {0.75L, 3, 2, -1};
  oracle::Expression expression;
  try {
    expression = oracle::parse_meaning(text_of(data, size), names);
  } catch (const oracle::WrongExpression& wrong) {
    if (wrong.column > size || wrong.what.empty() || wrong.cure.empty())
      throw Broken("an error without a place, a reason or a cure");
    throw base::UserError(base::status_usage, wrong.what, wrong.cure);
  }
  oracle::evaluate(expression, names, inputs, numeric::Format::binary64);
  return 0;
}

} // namespace faultline::fuzz
