#include "tape/intended.h"

#include "ops/op.h"
#include "tape/accumulation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace faultline::tape {
namespace {

using numeric::Format;
using ops::Op;

// A constant that rounds what is added to it: 1.5 * 2^k, or 2^k, whose unit in the last place is one, a little less (a
// multiple of a power of two is wanted) or a little more. Table-driven functions use steps down to 2^-11 or so.
bool rounds(const Tape& tape, uint32_t operand, Format format) {
  constexpr uint64_t below_first_bit = (uint64_t(1) << 51) - 1; // a double's fraction is 0 or 0.5: quick to tell
  if ((std::bit_cast<uint64_t>(tape.value(operand)) & below_first_bit) != 0)
    return false;
  const long double constant = tape.exact(operand);
  if (!std::isfinite(constant) || constant == 0)
    return false;
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(constant), &exponent) * 2; // in [1, 2)
  const int unit = exponent - 1 - (numeric::info(format).precision - 1);       // log2 of the constant's ulp
  return (fraction == 1.5L && unit >= -12 && unit <= 8) || (fraction == 1 && (unit == 0 || unit == 1));
}

// Has no input a part in it? A few operations deep: 1.5 / epsilon, copysign(2^52, x), whose sign alone is x's.
bool is_fixed(const Tape& tape, uint32_t operand, int depth = 4) {
  if (runtime::is_constant(operand))
    return true;
  if (operand == 0 || operand <= tape.inputs() || depth == 0)
    return false;
  const Site& site = tape.site(operand);
  if (ops::is_leaf(site.op))
    return site.foreign == 0 && site.parameter < 0;
  if (site.op == Op::copysign)
    return is_fixed(tape, tape.operand(operand, 0), depth - 1);
  if (!ops::is_arithmetic(site.op))
    return false;
  for (int i = 0; i < ops::arity(site.op); ++i)
    if (!is_fixed(tape, tape.operand(operand, i), depth - 1))
      return false;
  return true;
}

// What an addition adds on purpose, with its sign; 0 if nothing.
long double shift_of(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  auto fitting = [&](int which, long double sign) {
    const uint32_t operand = tape.operand(record, which);
    return rounds(tape, operand, site.format) && is_fixed(tape, operand) ? sign * tape.exact(operand) : 0;
  };
  switch (ops::without_purpose(site.op)) {
  case Op::fadd:
    if (const long double shift = fitting(1, 1); shift != 0)
      return shift;
    return fitting(0, 1);
  case Op::fsub:
    return fitting(1, -1);
  case Op::fma:
    return fitting(2, 1);
  default:
    return 0;
  }
}

// Does this record take the shift off the sum again?
bool undoes(const Tape& tape, uint32_t record, uint32_t sum, long double shift) {
  const Op op = ops::without_purpose(tape.site(record).op);
  const uint32_t a = tape.operand(record, 0), b = tape.operand(record, 1);
  const long double other = tape.exact(a == sum ? b : a);
  return (op == Op::fadd && other == -shift) || (op == Op::fsub && other == shift);
}

} // namespace

std::vector<uint32_t> intended_roundings(const Tape& tape, uint32_t most_records) {
  const uint32_t end = std::min(tape.size(), most_records);
  std::map<uint32_t, long double> sums; // that a shift was added in, by record
  std::set<uint32_t> sites;
  for (uint32_t index = 1; index < end; ++index) {
    const Op op = ops::without_purpose(tape.site(index).op);
    if (!is_addition(op))
      continue;
    for (int i = 0; i < 2 && op != Op::fma && !sums.empty(); ++i)
      if (const auto sum = sums.find(tape.operand(index, i)); sum != sums.end())
        if (undoes(tape, index, sum->first, sum->second))
          sites.insert(tape.record(sum->first).site);
    if (const long double shift = shift_of(tape, index); shift != 0)
      sums.emplace(index, shift);
  }
  for (uint32_t index = 1; index < end && !sites.empty(); ++index)
    if (!sums.contains(index))
      sites.erase(tape.record(index).site);
  return {sites.begin(), sites.end()};
}

void note_intended_roundings(exec::Session& session, const Tape& tape, uint32_t most_records) {
  for (const uint32_t site : intended_roundings(tape, most_records))
    session.round_on_purpose(site);
}

} // namespace faultline::tape
