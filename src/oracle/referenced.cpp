#include "oracle/referenced.h"

#include "oracle/lifted.h"

#include <fmt/format.h>

namespace faultline::oracle {

Judgement judge_referenced(exec::Reference& reference, const frontend::Target& target, const exec::Input& input,
                           const tape::Tape& tape, size_t output, exec::Flight* flight) {
  Judgement judgement;
  const frontend::Cell& cell = target.outputs[output];
  numeric::BigFloat coarse, fine;
  for (long precision = first_precision; precision <= last_precision; precision *= 2) {
    exec::Outcome outcome = reference.evaluate(input, precision, fine, flight);
    if (outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("the reference {}", exec::text(outcome));
      return judgement;
    }
    if (!reference.any_precision() ||
        (precision > first_precision && agree({coarse, precision / 2}, {fine, precision}, cell.type.format))) {
      judgement.certainty = Certainty::known;
      judgement.precision = precision;
      judgement.outputs.push_back(measure(output, cell, tape.outputs()[output].value, fine));
      return judgement;
    }
    coarse = fine;
  }
  judgement.why_unknown = fmt::format("the reference does not settle up to {} bits", last_precision);
  return judgement;
}

} // namespace faultline::oracle
