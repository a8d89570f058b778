#include "explain/shares.h"

#include "explain/chain.h"
#include "explain/parts.h"
#include "ops/table.h"

#include <cmath>

namespace faultline::explain {
namespace {

double ratio(const numeric::BigFloat& part, const numeric::BigFloat& whole) {
  numeric::BigFloat quotient(64);
  mpfr_div(quotient.raw(), part.raw(), whole.raw(), MPFR_RNDN);
  return quotient.to_double();
}

// All of it to the end of the error path.
std::vector<double> to_the_origin(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<double> own(tape.size());
  if (const std::vector<Link> links = chain(tape, output, exact); !links.empty())
    own[links.back().record] = 1;
  return own;
}

} // namespace

std::vector<double> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<double> own(tape.size()), passing(tape.size());
  if (output == 0 || output >= tape.size() || error_of(tape, output, exact).is_zero())
    return own;
  passing[output] = 1;
  for (uint32_t index = output; index > 0; --index) {
    if (passing[index] == 0)
      continue;
    const Parts parts = parts_of(tape, index, exact);
    if (parts.error.is_zero())
      continue;
    own[index] = passing[index] * ratio(parts.own, parts.error);
    double rest = own[index];
    for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
      if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand)) {
        const double part = passing[index] * ratio(parts.operands[size_t(i)], parts.error);
        passing[operand] += part;
        rest += part;
      }
    if (!std::isfinite(rest))
      return to_the_origin(tape, output, exact);
  }
  return own;
}

} // namespace faultline::explain
