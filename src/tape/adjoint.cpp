#include "tape/adjoint.h"

#include "ops/table.h"
#include "tape/rounding.h"

#include <cmath>

namespace faultline::tape {

std::vector<double> adjoint(const Tape& tape, uint32_t output, std::span<const double> values) {
  std::vector<double> adjoints(tape.size());
  if (output == 0 || output >= tape.size())
    return adjoints;
  auto value = [&](uint32_t operand) {
    return values.empty() || runtime::is_constant(operand) ? tape.value(operand) : values[operand];
  };
  adjoints[output] = 1;
  for (uint32_t index = output; index > 0; --index) {
    const double weight = adjoints[index];
    if (weight == 0)
      continue;
    const Record& record = tape.record(index);
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    if (arity == 0)
      continue;
    const auto partials = ops::partials(site.op, value(record.a), arity > 1 ? value(record.b) : 0,
                                        arity > 2 ? value(record.c) : 0, value(index));
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(index, i);
      const double step = weight * partials[size_t(i)];
      if (!runtime::is_constant(operand) && operand < index && std::isfinite(step))
        adjoints[operand] += step;
    }
  }
  return adjoints;
}

ErrorEstimate estimate_error(const Tape& tape, uint32_t output) {
  ErrorEstimate estimate;
  const std::vector<double> adjoints = adjoint(tape, output);
  estimate.contribution.resize(tape.size());
  for (uint32_t index = 1; index <= output && index < tape.size(); ++index) {
    if (adjoints[index] == 0)
      continue;
    estimate.contribution[index] = adjoints[index] * rounding(tape, index);
    estimate.absolute += estimate.contribution[index];
  }
  return estimate;
}

double problem_condition(const Tape& tape, uint32_t output, std::span<const double> adjoints,
                         std::span<const double> values) {
  const double result = values.empty() ? tape.value(output) : values[output];
  double sum = 0;
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input) {
    const double term = tape.value(input) * adjoints[input];
    if (term != 0)
      sum += std::fabs(term / result);
  }
  return sum;
}

} // namespace faultline::tape
