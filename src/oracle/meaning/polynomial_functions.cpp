// Orthogonal polynomials, and the functions that they become for other degrees.
#include "oracle/meaning/wrapping.h"

#include <arb_hypgeom.h>

#include <acb_hypgeom.h>

namespace faultline::oracle {
namespace {

ComplexBall legendre(Arguments a, long precision) {
  const ComplexBall arguments[] = {a[0], ComplexBall(0L), a[1]};
  return ternary_flagged<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 0>(arguments, precision);
}

// The last argument is the type of mpmath: 2, with a cut outside of (-1, 1), or 3, with one up to 1.
template <auto Type2, auto Type3>
ComplexBall associated(Arguments a, long precision) {
  const long type = a.size() > 3 ? small_integer(a[3], "the type of a Legendre function") : 2;
  if (type != 2 && type != 3)
    throw Undefined{"Legendre functions are of type 2 or 3"};
  return type == 2 ? Type2(a.first(3), precision) : Type3(a.first(3), precision);
}
constexpr auto legendre_p = associated<ternary_flagged<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 0>,
                                       ternary_flagged<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 1>>;
constexpr auto legendre_q = associated<ternary_flagged<arb_hypgeom_legendre_q, acb_hypgeom_legendre_q, 0>,
                                       ternary_flagged<arb_hypgeom_legendre_q, acb_hypgeom_legendre_q, 1>>;

ComplexBall jacobi(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    arb_hypgeom_jacobi_p(result.real(), a[0].real(), a[1].real(), a[2].real(), a[3].real(), precision);
    if (result.is_finite())
      return result;
  }
  acb_hypgeom_jacobi_p(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), a[3].raw(), precision);
  return result;
}

constexpr auto nowhere = Analytic::nowhere;

constexpr Function table[] = {
    {"legendre", 2, 2, nowhere, "legendre(n, x)", legendre},
    {"legenp", 3, 4, nowhere, "legenp(n, m, x), legenp(n, m, x, 3): associated, of type 2 and 3", legendre_p},
    {"legenq", 3, 4, nowhere, "legenq(n, m, x), legenq(n, m, x, 3): of the second kind", legendre_q},
    {"gegenbauer", 3, 3, nowhere, "gegenbauer(n, a, x)", ternary<arb_hypgeom_gegenbauer_c, acb_hypgeom_gegenbauer_c>},
    {"jacobi", 4, 4, nowhere, "jacobi(n, a, b, x)", jacobi},
    {"hermite", 2, 2, nowhere, "hermite(n, x): the physicists'", binary<arb_hypgeom_hermite_h, acb_hypgeom_hermite_h>},
    {"laguerre", 3, 3, nowhere, "laguerre(n, a, x)", ternary<arb_hypgeom_laguerre_l, acb_hypgeom_laguerre_l>},
    {"chebyt", 2, 2, nowhere, "chebyt(n, x)", binary<arb_hypgeom_chebyshev_t, acb_hypgeom_chebyshev_t>},
    {"chebyu", 2, 2, nowhere, "chebyu(n, x)", binary<arb_hypgeom_chebyshev_u, acb_hypgeom_chebyshev_u>},
};

} // namespace

std::span<const Function> polynomial_functions() { return table; }

} // namespace faultline::oracle
