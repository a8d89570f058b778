#include "explain/conditioning.h"

#include "ops/table.h"
#include "tape/adjoint.h"

#include <cmath>
#include <limits>

namespace faultline::explain {
namespace {

constexpr int64_t few_bits = 8;

// The adjoints may omit steps that are not finite, which makes the problem look better conditioned than it is. After a
// division by a number that no precision distinguishes from zero, they are noise.
enum class Sweep : uint8_t { complete, incomplete, noise };

bool is_lost(const tape::Replay& exact, uint32_t operand) {
  return !runtime::is_constant(operand) &&
         ops::good_bits(exact.values[operand].raw(), exact.errors[operand]) < few_bits;
}

Sweep sweep_of(const tape::Tape& tape, const tape::Replay& exact, const std::vector<double>& values,
               const std::vector<double>& adjoints) {
  auto value = [&](uint32_t operand) { return runtime::is_constant(operand) ? tape.value(operand) : values[operand]; };
  Sweep sweep = Sweep::complete;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const tape::Record& record = tape.record(index);
    const ops::Op op = tape.site(index).op;
    const int arity = ops::arity(op);
    if (adjoints[index] == 0 || arity == 0)
      continue;
    if (op == ops::Op::fdiv && is_lost(exact, record.b))
      return Sweep::noise;
    const auto partials = ops::partials(op, value(record.a), arity > 1 ? value(record.b) : 0,
                                        arity > 2 ? value(record.c) : 0, value(index));
    for (int i = 0; i < arity; ++i)
      if (!runtime::is_constant(tape.operand(index, i)) && !std::isfinite(adjoints[index] * partials[size_t(i)]))
        sweep = Sweep::incomplete;
  }
  return sweep;
}

// True for a result that underflows to zero as a double, or is not finite.
bool is_out_of_double_range(const numeric::BigFloat& exact, double value) {
  return !std::isfinite(value) || (std::fabs(value) < std::numeric_limits<double>::min() && !exact.is_zero());
}

} // namespace

Conditioning conditioning(const tape::Tape& tape, uint32_t output, const tape::Replay& exact, double relative_error) {
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
  result.ill_conditioned = relative_error <= few_roundings * result.unavoidable;
  const Sweep sweep = sweep_of(tape, exact, values, adjoints);
  result.in_range = !is_out_of_double_range(exact.values[output], values[output]);
  result.known =
      result.in_range && (sweep == Sweep::complete || (sweep == Sweep::incomplete && result.ill_conditioned));
  return result;
}

} // namespace faultline::explain
