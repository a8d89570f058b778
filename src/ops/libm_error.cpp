#include "ops/libm_error.h"

#include <limits>

namespace faultline::ops {
namespace {

struct Ulps {
  double binary32, binary64, extended80;
};

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr Ulps nothing{unknown, unknown, unknown};

// Whole units that cover both the GNU C Library's manual (2.36, "Known Maximum Errors in Math Functions", x86_64) and
// the largest errors that Gladman, Innocente, Mather and Zimmermann have found in it ("Accuracy of Mathematical
// Functions in Single, Double, Double Extended, and Quadruple Precision", 2024). The errors of lgamma and of Bessel's
// functions have no such bound near their zeros.
constexpr Ulps ulps_of(Op op) {
  switch (op) {
  case Op::hypot:
  case Op::exp:
  case Op::exp2:
  case Op::log:
  case Op::log2:
  case Op::pow:
  case Op::sin:
  case Op::cos:
  case Op::asin:
  case Op::acos:
  case Op::atan:
  case Op::atan2:
    return {1, 1, 2};
  case Op::expm1:
  case Op::log1p:
  case Op::tan:
  case Op::erf:
    return {2, 2, 3};
  case Op::log10:
  case Op::exp10:
  case Op::sinh:
  case Op::cosh:
  case Op::tanh:
  case Op::asinh:
  case Op::acosh:
  case Op::atanh:
    return {3, 3, 4};
  case Op::cbrt:
    return {1, 4, 1};
  case Op::erfc:
    return {4, 6, 6};
  default:
    return nothing;
  }
}

} // namespace

double libm_ulps(Op op, numeric::Format format) {
  const Ulps ulps = ulps_of(op);
  if (format < numeric::carrier(format)) // computed as floats, of which a few units are a fraction of one
    return ulps.binary32 == unknown ? unknown : 1;
  switch (format) {
  case numeric::Format::binary32:
    return ulps.binary32;
  case numeric::Format::binary64:
    return ulps.binary64;
  default:
    return ulps.extended80;
  }
}

} // namespace faultline::ops
