#include "judge/diagnosis/open_zero.h"

#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/adjoint.h"

#include <cmath>
#include <vector>

namespace faultline::judge {
namespace {

// Are so many of its last bits zero?
bool ends_in_zeros(long double value, numeric::Format format, int bits) {
  return value == 0 || std::fmod(std::fabs(value), std::ldexp(numeric::ulp(value, format), bits)) == 0;
}

// A constant that uses nearly all bits of its format was rounded to it; 1, 0.5 and 0.9375 are what was meant. A number
// of random bits has its last eight zero once in 256 times.
bool is_rounded(long double value, numeric::Format format) {
  constexpr int last_bits = 8;
  return std::isfinite(value) && !ends_in_zeros(value, format, last_bits);
}

// Roots that are floats are short: 1, 2, 0.5. At others a result of zero is wrong, as the root is nearby.
bool has_short_inputs(const tape::Tape& tape) {
  constexpr int most_bits = 16; // a guess: enough for all whole numbers that people have roots at
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input)
    if (const numeric::Format format = tape.site(input).format;
        !std::isfinite(tape.exact(input)) ||
        !ends_in_zeros(tape.exact(input), format, numeric::info(format).precision - most_bits))
      return false;
  return true;
}

// Is it a rounded constant, of the code itself or of a table, or made of one?
bool is_approximate(const tape::Tape& tape, uint32_t record, const std::vector<bool>& approximate) {
  const tape::Site& site = tape.site(record);
  if (record <= tape.inputs() || ops::is_decision(site.op))
    return false;
  if (ops::is_leaf(site.op))
    return is_rounded(tape.exact(record), site.format);
  for (int i = 0; i < ops::arity(site.op); ++i) {
    const uint32_t operand = tape.operand(record, i);
    if (runtime::is_constant(operand)
            ? is_rounded(tape.exact(operand), tape.table().constants[operand & ~runtime::constant_flag].format)
            : approximate[operand])
      return true;
  }
  return false;
}

} // namespace

bool is_open_zero(const tape::Tape& tape, uint32_t output, double absolute) {
  if (output == 0 || tape.exact(output) != 0 || !has_short_inputs(tape))
    return false;
  const std::vector<double> adjoints = tape::adjoint(tape, output);
  std::vector<bool> approximate(tape.size());
  for (uint32_t record = 1; record < output; ++record) {
    approximate[record] = is_approximate(tape, record, approximate);
    const double half_ulp = double(numeric::ulp(tape.exact(record), tape.site(record).format)) / 2;
    if (approximate[record] && std::fabs(adjoints[record]) * half_ulp >= absolute)
      return true;
  }
  return false;
}

} // namespace faultline::judge
