#include "solve/interval/ulp_max.h"

#include <algorithm>

namespace faultline::solve {

using constraint::BinaryFormat;
using constraint::Bits;
using ops::Basic;
using ops::Op;

namespace {

// A positive float as significand * 2^unit.
struct Parts {
  Bits significand;
  int unit;
};

Parts parts(BinaryFormat format, Int128 order) {
  const auto field = int(order >> format.fraction_bits());
  const Bits hidden = field == 0 ? 0 : format.smallest_normal();
  return {(Bits(order) & (format.smallest_normal() - 1)) | hidden,
          format.min_exponent() - format.fraction_bits() + std::max(field - 1, 0)};
}

int trailing_zeros(Bits bits) {
  int count = 0;
  while ((bits & 1) == 0) {
    bits >>= 1;
    ++count;
  }
  return count;
}

// The largest q such that 2^q divides a float from `low` to `high`, both positive.
int coarsest(BinaryFormat format, Int128 low, Int128 high) {
  const Parts a = parts(format, low), b = parts(format, high);
  if (a.unit != b.unit)
    return b.unit + format.fraction_bits(); // the power of two that begins high's binade
  int zeros = std::max(trailing_zeros(a.significand), trailing_zeros(b.significand));
  if (const Bits difference = a.significand ^ b.significand; difference != 0) {
    // high without the bits below the first that differs lies above low, and ends in that bit.
    int first = 0;
    while (difference >> (first + 1) != 0)
      ++first;
    zeros = std::max(zeros, first);
  }
  return a.unit + zeros;
}

// The order of the largest magnitude that a term of a sum may have; the largest float if there is no bound.
Int128 largest_term(BinaryFormat format, Int128 low, Int128 high) {
  const int q = coarsest(format, low, high);
  const Int128 field = Int128(q) + format.significand_bits - format.min_exponent() + 1; // of 2^(q+p)
  if (field > 2 * format.max_exponent())
    return format.highest() - 1;
  const Parts z = parts(format, high);
  // Beyond 2^(q+p), where floats are 2^(q+1) apart: the successor of high less 2^q. In units of high's last place.
  const Int128 beyond = Int128(z.significand) + 1 - (Int128(1) << (q - z.unit));
  const Int128 steps = beyond >> (q - z.unit + 1);
  return std::min((field << format.fraction_bits()) + steps, format.highest() - 1);
}

// The order of the largest float that is not above value * 2^shift.
Int128 scaled(BinaryFormat format, Int128 order, long shift) {
  numeric::BigFloat value(format.significand_bits);
  numeric::set_bits(value.raw(), format.at(order), format);
  mpfr_mul_2si(value.raw(), value.raw(), shift, MPFR_RNDU);
  return std::min(format.order(numeric::nearest_bits(value.raw(), format)), format.highest() - 1);
}

void bound_magnitude(Domain& domain, Int128 most) { domain.numbers = meet(domain.numbers, {-1 - most, most}); }

} // namespace

void filter_by_ulp_max(Op op, BinaryFormat format, Scope& scope) {
  if (scope.result.nan || scope.result.numbers.empty())
    return;
  Range z = scope.result.numbers;
  if (z.high < 0)
    z = {-1 - z.high, -1 - z.low};
  if (z.low <= 0 || z.high >= format.highest())
    return;
  const Int128 above = z.high + 1; // a real result that is rounded to z lies below
  if (!ops::is_basic(op))
    return;
  switch (Basic(op)) {
  case Basic::fadd:
  case Basic::fsub: {
    const Int128 most = largest_term(format, z.low, z.high);
    bound_magnitude(scope.operands[0], most);
    bound_magnitude(scope.operands[1], most);
    return;
  }
  case Basic::fmul: {
    if (above >= format.highest())
      return;
    const Int128 most = scaled(format, above, format.fraction_bits() - format.min_exponent());
    bound_magnitude(scope.operands[0], most);
    bound_magnitude(scope.operands[1], most);
    return;
  }
  case Basic::fdiv:
    if (above < format.highest())
      bound_magnitude(scope.operands[0], scaled(format, above, format.max_exponent() + 1));
    return;
  case Basic::sqrt:
    return;
  }
}

} // namespace faultline::solve
