#include "tape/intended.h"

#include "ops/op.h"
#include "ops/purpose.h"
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

// Powers of two by which numbers are rounded. Table-driven functions have steps of 2^-7 or so; beyond these bounds a
// constant of this form may well be there for another reason: (x + 1.5) - 1.5 and (x + 2^30) - 2^30 may be mistakes.
struct Steps {
  int smallest, largest;
};
constexpr Steps of_three_halves{-32, 32}, of_one{-12, 32}, any_step{-20000, 20000};

// Its sign is that of something else, copysign(C, x): so that it is of the sign of what it is added to.
bool has_given_sign(const Tape& tape, uint32_t operand) {
  return !runtime::is_constant(operand) && tape.site(operand).op == Op::copysign;
}

// A constant that rounds what is added to it: 1.5 * 2^k, or 2^k, whose unit in the last place is the step.
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
  const Steps& steps = has_given_sign(tape, operand) ? any_step : fraction == 1 ? of_one : of_three_halves;
  return (fraction == 1 || fraction == 1.5L) && unit >= steps.smallest && unit <= steps.largest;
}

bool is_fixed_within(const Tape& tape, uint32_t operand, int depth) {
  if (runtime::is_constant(operand))
    return true;
  if (operand == 0 || operand <= tape.inputs() || depth == 0)
    return false;
  const Site& site = tape.site(operand);
  if (ops::is_leaf(site.op))
    return site.foreign == 0 && site.parameter < 0;
  if (site.op == Op::copysign)
    return is_fixed_within(tape, tape.operand(operand, 0), depth - 1);
  if (!ops::is_arithmetic(site.op))
    return false;
  for (int i = 0; i < ops::arity(site.op); ++i)
    if (!is_fixed_within(tape, tape.operand(operand, i), depth - 1))
      return false;
  return true;
}

// What an addition adds on purpose, with its sign; 0 if nothing.
long double shift_of(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  auto fitting = [&](int which, long double sign) {
    const uint32_t operand = tape.operand(record, which);
    return is_shift(tape, operand, site.format) ? sign * tape.exact(operand) : 0;
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

// The largest number below one half, added so that halves, and they alone, come up to the next integer by rounding.
bool adds_almost_half(const Tape& tape, uint32_t record) {
  const Site& site = tape.site(record);
  const long double almost = 0.5L - std::ldexp(0.25L, 1 - numeric::info(site.format).precision);
  for (int i = 0; i < 2; ++i)
    if (const uint32_t operand = tape.operand(record, i);
        std::fabs(tape.value(operand)) < 0.5 && std::fabs(tape.exact(operand)) == almost && is_fixed(tape, operand))
      return true;
  return false;
}

// Does this record take the shift off the sum again?
bool undoes(const Tape& tape, uint32_t record, uint32_t sum, long double shift) {
  const Op op = ops::without_purpose(tape.site(record).op);
  const uint32_t a = tape.operand(record, 0), b = tape.operand(record, 1);
  const long double other = tape.exact(a == sum ? b : a);
  return (op == Op::fadd && other == -shift) || (op == Op::fsub && other == shift);
}

} // namespace

bool is_fixed(const Tape& tape, uint32_t operand) {
  constexpr int depth = 4;
  return is_fixed_within(tape, operand, depth);
}

bool is_shift(const Tape& tape, uint32_t operand, Format format) {
  return rounds(tape, operand, format) && is_fixed(tape, operand);
}

std::vector<uint32_t> intended_roundings(const Tape& tape, uint32_t most_records) {
  const uint32_t end = std::min(tape.size(), most_records);
  std::map<uint32_t, long double> sums; // that a shift was added in, by record; 0 for almost a half
  std::set<uint32_t> sites;
  for (uint32_t index = 1; index < end; ++index) {
    const Op op = ops::without_purpose(tape.site(index).op);
    if (ops::rounding_of(op) != ops::Rounding::none && !sums.empty())
      if (const auto sum = sums.find(tape.operand(index, 0)); sum != sums.end() && sum->second == 0)
        sites.insert(tape.record(sum->first).site);
    if (!is_addition(op))
      continue;
    for (int i = 0; i < 2 && op != Op::fma && !sums.empty(); ++i)
      if (const auto sum = sums.find(tape.operand(index, i)); sum != sums.end())
        if (sum->second != 0 && undoes(tape, index, sum->first, sum->second))
          sites.insert(tape.record(sum->first).site);
    if (const long double shift = shift_of(tape, index); shift != 0)
      sums.emplace(index, shift);
    else if (op != Op::fma && adds_almost_half(tape, index))
      sums.emplace(index, 0);
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
