#include "explain/conditioning.h"

#include "tape/adjoint.h"

#include <cmath>

namespace faultline::explain {

Conditioning conditioning(const tape::Tape& tape, uint32_t output, const tape::Replay& exact, double relative_error) {
  // A backward stable algorithm perturbs its inputs by a few units, not by one half.
  constexpr double few = 8;
  Conditioning result;
  const std::vector<double> values = tape::rounded(exact);
  const std::vector<double> adjoints = tape::adjoint(tape, output, values);
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input) {
    const double term = std::fabs(tape.value(input) * adjoints[input] / values[output]);
    if (!(term > 0))
      continue;
    result.problem_condition += term;
    result.unavoidable += term * std::ldexp(1.0, -numeric::info(tape.site(input).format).precision);
  }
  result.ill_conditioned = relative_error <= few * result.unavoidable;
  return result;
}

} // namespace faultline::explain
