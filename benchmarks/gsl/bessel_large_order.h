// K_nu(x), exp(x) K_nu(x) and Y_nu(x) for x > 0, in the shape of Arb's functions: Arb's own, but for large orders at
// small arguments, where Arb has no fast method.
//
// There, with S(N) = the sum of (c x^2/4)^k gamma(nu - k) / k! over k < N:
//  - K_nu(x) is (2/x)^nu / 2 times the integral of s^(nu-1) exp(-s - x^2 / 4s) over s > 0. Expanding exp(-x^2 / 4s),
//  whose
//    series alternates, gives (2/x)^nu S(N) / 2 with c = -1, and an error below the first term left out.
//  - Y_nu(x) is -(2/x)^nu / pi times the integral of s^(nu-1) exp(-s + x^2 / 4s) over s > x/2, and less than 2 from the
//    other integrals of DLMF 10.9.7. That is -(2/x)^nu S(N) / pi with c = 1, but for exp(x/2) times the first term left
//    out, and for exp(x/2) because the integrals from 0 to x/2 are taken along.
#pragma once

#include "ball.h"

namespace faultline::benchmarks {

void bessel_k(arb_t value, const arb_t nu, const arb_t x, slong precision);
void bessel_k_scaled(arb_t value, const arb_t nu, const arb_t x, slong precision);
void bessel_y(arb_t value, const arb_t nu, const arb_t x, slong precision);

} // namespace faultline::benchmarks
