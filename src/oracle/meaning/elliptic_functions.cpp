// Elliptic integrals, by the parameter m = k^2 as mpmath has it.
#include "oracle/meaning/wrapping.h"

#include <acb_elliptic.h>

namespace faultline::oracle {
namespace {

ComplexBall complete_first(Arguments a, long precision) {
  if (a[0].is_real() && arb_is_one(a[0].real()))
    throw Undefined{"ellipk is not finite at 1"};
  ComplexBall result;
  acb_elliptic_k(result.raw(), a[0].raw(), precision);
  return result;
}

ComplexBall second(Arguments a, long precision) {
  ComplexBall result;
  if (a.size() == 1)
    acb_elliptic_e(result.raw(), a[0].raw(), precision);
  else
    acb_elliptic_e_inc(result.raw(), a[0].raw(), a[1].raw(), 0, precision);
  return result;
}

ComplexBall incomplete_first(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_f(result.raw(), a[0].raw(), a[1].raw(), 0, precision);
  return result;
}

ComplexBall third(Arguments a, long precision) {
  ComplexBall result;
  if (a.size() == 2)
    acb_elliptic_pi(result.raw(), a[0].raw(), a[1].raw(), precision);
  else
    acb_elliptic_pi_inc(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), 0, precision);
  return result;
}

ComplexBall carlson_f(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rf(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), 0, precision);
  return result;
}
ComplexBall carlson_c(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rf(result.raw(), a[0].raw(), a[1].raw(), a[1].raw(), 0, precision);
  return result;
}
ComplexBall carlson_d(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rj(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), a[2].raw(), 0, precision);
  return result;
}
ComplexBall carlson_j(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rj(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), a[3].raw(), 0, precision);
  return result;
}
ComplexBall carlson_g(Arguments a, long precision) {
  ComplexBall result;
  acb_elliptic_rg(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), 0, precision);
  return result;
}

constexpr auto nowhere = Analytic::nowhere;

constexpr Function table[] = {
    {"ellipk", 1, 1, nowhere, "ellipk(m): the complete integral of the first kind, m = k^2", complete_first},
    {"ellipe", 1, 2, nowhere, "ellipe(m), ellipe(phi, m): of the second kind", second},
    {"ellipf", 2, 2, nowhere, "ellipf(phi, m): the incomplete one of the first kind", incomplete_first},
    {"ellippi", 2, 3, nowhere, "ellippi(n, m), ellippi(n, phi, m): of the third kind", third},
    {"elliprf", 3, 3, nowhere, "elliprf(x, y, z): Carlson's RF", carlson_f},
    {"elliprc", 2, 2, nowhere, "elliprc(x, y): Carlson's RC", carlson_c},
    {"elliprd", 3, 3, nowhere, "elliprd(x, y, z): Carlson's RD", carlson_d},
    {"elliprj", 4, 4, nowhere, "elliprj(x, y, z, p): Carlson's RJ", carlson_j},
    {"elliprg", 3, 3, nowhere, "elliprg(x, y, z): Carlson's RG", carlson_g},
};

} // namespace

std::span<const Function> elliptic_functions() { return table; }

} // namespace faultline::oracle
