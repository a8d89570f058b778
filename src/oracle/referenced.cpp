#include "oracle/referenced.h"

#include <fmt/format.h>

namespace faultline::oracle {

Judgement judge_referenced(exec::Reference& reference, const frontend::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, double floor, exec::Flight* flight, long first) {
  Judgement judgement;
  const frontend::Cell& cell = target.outputs[output];
  Settling settling(floor);
  for (long precision = first; precision <= last_precision; precision *= 2) {
    Reference value;
    const exec::Outcome outcome = reference.evaluate(input, precision, value.value, flight);
    if (outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("the reference {}", exec::text(outcome));
      return judgement;
    }
    if (const numeric::BigFloat& known = value.value; known.is_finite() && !known.is_zero())
      value.error = mpfr_get_exp(known.raw()) - precision;
    const bool settled = settling.add({value}, std::span(&cell.type.format, 1));
    if (settled || !reference.any_precision()) {
      judgement.certainty = Certainty::known;
      judgement.precision = precision;
      judgement.outputs.push_back(
          measure(output, cell, tape.outputs()[output].value, settling.settled()[0].value, floor));
      return judgement;
    }
  }
  judgement.why_unknown = fmt::format("the reference does not settle up to {} bits", last_precision);
  return judgement;
}

} // namespace faultline::oracle
