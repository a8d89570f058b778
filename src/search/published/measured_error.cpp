#include "search/published/measured_error.h"

#include "numeric/ulp.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::search {

Measurement measure(Quest& quest, const exec::Input& input, tape::Residues& residues) {
  const tape::Tape tape = quest.evaluator.run(input);
  if (!quest.evaluator.usable())
    return {};
  quest.evaluator.charge(sweep_cost * tape.size());
  residues.read(tape, quest.outputs);
  Measurement worst;
  for (size_t output : quest.outputs) {
    const exec::OutputValue& value = tape.outputs()[output];
    if (value.record == 0 || !std::isfinite(value.value))
      continue;
    const tape::Shadow shadow = residues.shadow(tape, value.record);
    const long double error = std::fabs(shadow.error);
    if (!(error > 0) || std::isnan(shadow.exact))
      continue;
    const numeric::Format format = tape.site(value.record).format;
    const double relative =
        double(std::min<long double>(error / std::fabs(shadow.exact), std::numeric_limits<double>::max()));
    const auto ulps = double(error / numeric::ulp(shadow.exact, format));
    if (ulps > 1)
      worst.error = std::max(worst.error, relative);
    const double ordinary = std::ldexp(ulps, 1 - numeric::info(format).precision);
    worst.fitness = std::max(worst.fitness, ulps > 1 ? relative : std::min(relative, ordinary));
  }
  return worst;
}

} // namespace faultline::search
