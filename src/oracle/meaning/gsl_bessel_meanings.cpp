// GSL: Airy, Bessel, elliptic integrals and Legendre functions. gsl_mode_t 0 is double precision; the other modes are
// inaccurate on purpose and not judged.
#include "oracle/meaning/catalogue.h"

namespace faultline::oracle {

// clang-format off
constexpr CatalogueEntry gsl_bessel_meanings_rows[] = {
  {"gsl_sf_airy_Ai", "x mode:i", "airyai(x)"},
  {"gsl_sf_airy_Bi", "x mode:i", "airybi(x)"},
  {"gsl_sf_airy_Ai_deriv", "x mode:i", "airyai(x, 1)"},
  {"gsl_sf_airy_Bi_deriv", "x mode:i", "airybi(x, 1)"},
  {"gsl_sf_airy_Ai_scaled", "x mode:i", "if(x > 0, exp(2/3*x^(3/2))*airyai(x), airyai(x))"},
  {"gsl_sf_airy_Bi_scaled", "x mode:i", "if(x > 0, exp(-2/3*x^(3/2))*airybi(x), airybi(x))"},
  {"gsl_sf_airy_Ai_deriv_scaled", "x mode:i", "if(x > 0, exp(2/3*x^(3/2))*airyai(x, 1), airyai(x, 1))"},
  {"gsl_sf_airy_Bi_deriv_scaled", "x mode:i", "if(x > 0, exp(-2/3*x^(3/2))*airybi(x, 1), airybi(x, 1))"},
  {"gsl_sf_bessel_J0", "x", "besselj(0, x)"},
  {"gsl_sf_bessel_J1", "x", "besselj(1, x)"},
  {"gsl_sf_bessel_Jn", "n:i x", "besselj(n, x)"},
  {"gsl_sf_bessel_Jnu", "v x", "besselj(v, x)"},
  {"gsl_sf_bessel_Y0", "x", "bessely(0, x)"},
  {"gsl_sf_bessel_Y1", "x", "bessely(1, x)"},
  {"gsl_sf_bessel_Yn", "n:i x", "bessely(n, x)"},
  {"gsl_sf_bessel_Ynu", "v x", "bessely(v, x)"},
  {"gsl_sf_bessel_I0", "x", "besseli(0, x)"},
  {"gsl_sf_bessel_I1", "x", "besseli(1, x)"},
  {"gsl_sf_bessel_In", "n:i x", "besseli(n, x)"},
  {"gsl_sf_bessel_Inu", "v x", "besseli(v, x)"},
  {"gsl_sf_bessel_I0_scaled", "x", "besselie(0, x)"},
  {"gsl_sf_bessel_I1_scaled", "x", "besselie(1, x)"},
  {"gsl_sf_bessel_In_scaled", "n:i x", "besselie(n, x)"},
  {"gsl_sf_bessel_Inu_scaled", "v x", "besselie(v, x)"},
  {"gsl_sf_bessel_K0", "x", "besselk(0, x)"},
  {"gsl_sf_bessel_K1", "x", "besselk(1, x)"},
  {"gsl_sf_bessel_Kn", "n:i x", "besselk(n, x)"},
  {"gsl_sf_bessel_Knu", "v x", "besselk(v, x)"},
  {"gsl_sf_bessel_lnKnu", "v x", "log(besselk(v, x))"},
  {"gsl_sf_bessel_K0_scaled", "x", "besselke(0, x)"},
  {"gsl_sf_bessel_K1_scaled", "x", "besselke(1, x)"},
  {"gsl_sf_bessel_Kn_scaled", "n:i x", "besselke(n, x)"},
  {"gsl_sf_bessel_Knu_scaled", "v x", "besselke(v, x)"},
  {"gsl_sf_bessel_j0", "x", "sphericalj(0, x)"},
  {"gsl_sf_bessel_j1", "x", "sphericalj(1, x)"},
  {"gsl_sf_bessel_j2", "x", "sphericalj(2, x)"},
  {"gsl_sf_bessel_jl", "l:i x", "if(l < 0 or x < 0, undefined, sphericalj(l, x))"},
  {"gsl_sf_bessel_y0", "x", "if(x <= 0, undefined, sphericaly(0, x))"},
  {"gsl_sf_bessel_y1", "x", "if(x <= 0, undefined, sphericaly(1, x))"},
  {"gsl_sf_bessel_y2", "x", "if(x <= 0, undefined, sphericaly(2, x))"},
  {"gsl_sf_bessel_yl", "l:i x", "if(l < 0 or x <= 0, undefined, sphericaly(l, x))"},
  {"gsl_sf_bessel_i0_scaled", "x", "exp(-abs(x))*sphericali(0, x)"},
  {"gsl_sf_bessel_i1_scaled", "x", "exp(-abs(x))*sphericali(1, x)"},
  {"gsl_sf_bessel_i2_scaled", "x", "exp(-abs(x))*sphericali(2, x)"},
  {"gsl_sf_bessel_il_scaled", "l:i x", "if(l < 0, undefined, exp(-abs(x))*sphericali(l, x))"},
  {"gsl_sf_bessel_k0_scaled", "x", "if(x <= 0, undefined, exp(x)*sphericalk(0, x))"},
  {"gsl_sf_bessel_k1_scaled", "x", "if(x <= 0, undefined, exp(x)*sphericalk(1, x))"},
  {"gsl_sf_bessel_k2_scaled", "x", "if(x <= 0, undefined, exp(x)*sphericalk(2, x))"},
  {"gsl_sf_bessel_kl_scaled", "l:i x", "if(l < 0 or x <= 0, undefined, exp(x)*sphericalk(l, x))"},
  {"gsl_sf_ellint_Kcomp", "k mode:i", "ellipk(k^2)"},
  {"gsl_sf_ellint_Ecomp", "k mode:i", "ellipe(k^2)"},
  {"gsl_sf_ellint_Dcomp", "k mode:i", "elliprd(0, 1 - k^2, 1)/3"},
  {"gsl_sf_ellint_Pcomp", "k n mode:i", "ellippi(-n, k^2)"},
  {"gsl_sf_ellint_F", "phi k mode:i", "ellipf(phi, k^2)"},
  {"gsl_sf_ellint_E", "phi k mode:i", "ellipe(phi, k^2)"},
  {"gsl_sf_ellint_P", "phi k n mode:i", "ellippi(-n, phi, k^2)"},
  {"gsl_sf_ellint_D", "phi k mode:i", "if(k == 0, (phi - sin(phi)*cos(phi))/2, (ellipf(phi, k^2) - ellipe(phi, k^2))/k^2)"},
  {"gsl_sf_ellint_RC", "x y mode:i", "elliprc(x, y)"},
  {"gsl_sf_ellint_RD", "x y z mode:i", "elliprd(x, y, z)"},
  {"gsl_sf_ellint_RF", "x y z mode:i", "elliprf(x, y, z)"},
  {"gsl_sf_ellint_RJ", "x y z p mode:i", "elliprj(x, y, z, p)"},
  {"gsl_sf_legendre_P1", "x", "x"},
  {"gsl_sf_legendre_P2", "x", "(3*x^2 - 1)/2"},
  {"gsl_sf_legendre_P3", "x", "x*(5*x^2 - 3)/2"},
  {"gsl_sf_legendre_Pl", "l:i x", "if(l < 0, undefined, legendre(l, x))"},
  {"gsl_sf_legendre_Q0", "x", "if(x <= -1, undefined, log(abs((1 + x)/(1 - x)))/2)"},
  {"gsl_sf_legendre_Q1", "x", "if(x <= -1, undefined, x*log(abs((1 + x)/(1 - x)))/2 - 1)"},
  {"gsl_sf_legendre_Ql", "l:i x", "if(l < 0 or x <= -1, undefined, if(x < 1, legenq(l, 0, x), legenq(l, 0, x, 3)))"},
  {"gsl_sf_legendre_Plm", "l:i m:i x", "if(m < 0 or l < m or abs(x) > 1, undefined, legenp(l, m, x))"},
  {"gsl_sf_legendre_sphPlm", "l:i m:i x",
   "if(m < 0 or l < m or abs(x) > 1, undefined, sqrt((2*l + 1)/(4*pi)*factorial(l - m)/factorial(l + m))*legenp(l, m, x))"},
  {"gsl_sf_conicalP_0", "l x",
   "if(x <= -1, undefined, if(x == 1, 1, re(hyp2f1(1/2 - j*l, 1/2 + j*l, 1, (1 - x)/2))))"},
  {"gsl_sf_gegenpoly_1", "a x", "if(a == 0, 2*x, 2*a*x)"},
  {"gsl_sf_gegenpoly_2", "a x", "if(a == 0, chebyt(2, x), gegenbauer(2, a, x))"},
  {"gsl_sf_gegenpoly_3", "a x", "if(a == 0, 2/3*chebyt(3, x), gegenbauer(3, a, x))"},
  {"gsl_sf_gegenpoly_n", "n:i a x", "if(n < 0, undefined, if(a == 0 and n > 0, 2/n*chebyt(n, x), gegenbauer(n, a, x)))"},
  {"gsl_sf_laguerre_1", "a x", "1 + a - x"},
  {"gsl_sf_laguerre_2", "a x", "laguerre(2, a, x)"},
  {"gsl_sf_laguerre_3", "a x", "laguerre(3, a, x)"},
  {"gsl_sf_laguerre_n", "n:i a x", "if(n < 0, undefined, laguerre(n, a, x))"},
  {"gsl_sf_hermite", "n:i x", "if(n < 0, undefined, hermite(n, x))"},
  {"gsl_sf_hermite_prob", "n:i x", "if(n < 0, undefined, 2^(-n/2)*hermite(n, x/sqrt(2)))"},
};
// clang-format on

Catalogue gsl_bessel_meanings() { return {gsl_bessel_meanings_rows}; }

// GSL: gamma, beta, psi and zeta functions, hypergeometric functions.

// clang-format off
constexpr CatalogueEntry gsl_gamma_meanings_rows[] = {
  {"gsl_sf_gamma", "x", "gamma(x)"},
  {"gsl_sf_lngamma", "x", "lgamma(x)"},
  {"gsl_sf_gammastar", "x", "if(x <= 0, undefined, exp(loggamma(x) - (x - 1/2)*log(x) + x)/sqrt(2*pi))"},
  {"gsl_sf_gammainv", "x", "rgamma(x)"},
  {"gsl_sf_fact", "n:i", "if(n < 0, undefined, factorial(n))"},
  {"gsl_sf_doublefact", "n:i", "if(n < 0, undefined, fac2(n))"},
  {"gsl_sf_lnfact", "n:i", "if(n < 0, undefined, loggamma(n + 1))"},
  {"gsl_sf_lndoublefact", "n:i", "if(n < 0, undefined, log(fac2(n)))"},
  {"gsl_sf_choose", "n:i m:i", "if(m < 0 or n < m, undefined, binomial(n, m))"},
  {"gsl_sf_lnchoose", "n:i m:i", "if(m < 0 or n < m, undefined, log(binomial(n, m)))"},
  {"gsl_sf_taylorcoeff", "n:i x", "if(n < 0 or x < 0, undefined, x^n/factorial(n))"},
  {"gsl_sf_poch", "a x", "rf(a, x)"},
  {"gsl_sf_lnpoch", "a x", "if(a <= 0 or a + x <= 0, undefined, loggamma(a + x) - loggamma(a))"},
  {"gsl_sf_pochrel", "a x", "if(x == 0, digamma(a), (rf(a, x) - 1)/x)"},
  {"gsl_sf_gamma_inc", "a x", "if(x < 0, undefined, gammaupper(a, x))"},
  {"gsl_sf_gamma_inc_Q", "a x", "if(a <= 0 or x < 0, undefined, gammaq(a, x))"},
  {"gsl_sf_gamma_inc_P", "a x", "if(a <= 0 or x < 0, undefined, gammap(a, x))"},
  {"gsl_sf_beta", "a b", "beta(a, b)"},
  {"gsl_sf_lnbeta", "a b", "lgamma(a) + lgamma(b) - lgamma(a + b)"},
  {"gsl_sf_beta_inc", "a b x", "if(x < 0 or x > 1, undefined, if(x == 0 or x == 1, x, betai(a, b, x)))"},
  {"gsl_sf_psi", "x", "digamma(x)"},
  {"gsl_sf_psi_int", "n:i", "digamma(n)"},
  {"gsl_sf_psi_1piy", "y", "re(digamma(1 + j*y))"},
  {"gsl_sf_psi_1", "x", "psi(1, x)"},
  {"gsl_sf_psi_1_int", "n:i", "if(n <= 0, undefined, psi(1, n))"},
  {"gsl_sf_psi_n", "n:i x", "if(n < 0, undefined, psi(n, x))"},
  {"gsl_sf_zeta", "s", "zeta(s)"},
  {"gsl_sf_zetam1", "s", "zeta(s) - 1"},
  {"gsl_sf_zeta_int", "n:i", "zeta(n)"},
  {"gsl_sf_zetam1_int", "n:i", "zeta(n) - 1"},
  {"gsl_sf_hzeta", "s q", "if(s <= 1 or q <= 0, undefined, zeta(s, q))"},
  {"gsl_sf_eta", "s", "altzeta(s)"},
  {"gsl_sf_eta_int", "n:i", "altzeta(n)"},
  {"gsl_sf_lambert_W0", "x", "lambertw(x)"},
  {"gsl_sf_lambert_Wm1", "x", "if(x >= 0, lambertw(x), lambertw(x, -1))"},
  {"gsl_sf_dilog", "x", "re(polylog(2, x))"},
  {"gsl_sf_clausen", "x", "clsin(2, x)"},
  {"gsl_sf_hyperg_0F1", "c x", "hyp0f1(c, x)"},
  {"gsl_sf_hyperg_1F1", "a b x", "hyp1f1(a, b, x)"},
  {"gsl_sf_hyperg_1F1_int", "m:i n:i x", "if(m == n, exp(x), hyp1f1(m, n, x))"},
  {"gsl_sf_hyperg_U", "a b x", "hyperu(a, b, x)"},
  {"gsl_sf_hyperg_U_int", "m:i n:i x", "hyperu(m, n, x)"},
  {"gsl_sf_hyperg_2F1", "a b c x", 
   "if(x < -1 or x > 1 or (x == 1 and c - a - b <= 0), undefined, if(x < 1, hyp2f1(a, b, c, x), "
   "gamma(c)*gamma(c - a - b)*rgamma(c - a)*rgamma(c - b)))"},
  {"gsl_sf_hyperg_2F1_renorm", "a b c x", "if(x < -1 or x >= 1, undefined, hyp2f1(a, b, c, x)*rgamma(c))"},
  {"gsl_sf_hyperg_2F0", "a b x", "if(x > 0, undefined, if(x == 0, 1, (-1/x)^a*hyperu(a, 1 + a - b, -1/x)))"},
  {"gsl_sf_hydrogenicR_1", "z r", "2*z^(3/2)*exp(-z*r)"},
};
// clang-format on

Catalogue gsl_gamma_meanings() { return {gsl_gamma_meanings_rows}; }

// GSL: elementary functions, error functions, exponential and other integrals.

// Debye's function n/x^n times the integral of t^n/(exp(t) - 1), and the transport integrals of
// t^n exp(t)/(exp(t) - 1)^2, from 0 to x: with t = x u to keep all digits near 0; from 1 on by polylogarithms, which is
// faster. The integral of K(5/3, t) from x to infinity: by the series of its antiderivative and the matching constant;
// from 800 on it is about exp(-x), below every double.
// clang-format off
constexpr CatalogueEntry gsl_other_meanings_rows[] = {
  {"gsl_sf_exp", "x", "exp(x)"},
  {"gsl_sf_expm1", "x", "expm1(x)"},
  {"gsl_sf_exprel", "x", "exprel(x)"},
  {"gsl_sf_exprel_2", "x", "hyp1f1(1, 3, x)"},
  {"gsl_sf_exprel_n", "n:i x", "if(n < 0, undefined, hyp1f1(1, n + 1, x))"},
  {"gsl_sf_exp_mult", "x y", "y*exp(x)"},
  {"gsl_sf_log", "x", "log(x)"},
  {"gsl_sf_log_abs", "x", "log(abs(x))"},
  {"gsl_sf_log_1plusx", "x", "log1p(x)"},
  {"gsl_sf_log_1plusx_mx", "x", "log1p(x) - x"},
  {"gsl_sf_sin", "x", "sin(x)"},
  {"gsl_sf_cos", "x", "cos(x)"},
  {"gsl_sf_sin_pi", "x", "sinpi(x)"},
  {"gsl_sf_cos_pi", "x", "cospi(x)"},
  {"gsl_sf_sinc", "x", "if(x == 0, 1, sinpi(x)/(pi*x))"},
  {"gsl_sf_lnsinh", "x", "if(x <= 0, undefined, x + log1p(-exp(-2*x)) - log(2))"},
  {"gsl_sf_lncosh", "x", "abs(x) + log1p(exp(-2*abs(x))) - log(2)"},
  {"gsl_sf_multiply", "x y", "x*y"},
  {"gsl_sf_hypot", "x y", "hypot(x, y)"},
  {"gsl_sf_pow_int", "x n:i", "x^n"},
  {"gsl_sf_erf", "x", "erf(x)"},
  {"gsl_sf_erfc", "x", "erfc(x)"},
  {"gsl_sf_log_erfc", "x", "log(erfc(x))"},
  {"gsl_sf_erf_Z", "x", "exp(-x^2/2)/sqrt(2*pi)"},
  {"gsl_sf_erf_Q", "x", "erfc(x/sqrt(2))/2"},
  {"gsl_sf_hazard", "x", "if(x > 1, sqrt(2)/hyperu(1/2, 1/2, x^2/2), sqrt(2/pi)*exp(-x^2/2)/erfc(x/sqrt(2)))"},
  {"gsl_sf_dawson", "x", "dawson(x)"},
  {"gsl_sf_expint_E1", "x", "-ei(-x)"},
  {"gsl_sf_expint_E2", "x", "if(x == 0, 1, exp(-x) + x*ei(-x))"},
  {"gsl_sf_expint_En", "n:i x", "if(n == 0, exp(-x)/x, if(n == 1, -ei(-x), if(n == 2 and x < 0, exp(-x) + x*ei(-x), if(n < 0 or x < 0, undefined, expint(n, x)))))"},
  {"gsl_sf_expint_E1_scaled", "x", "-exp(x)*ei(-x)"},
  {"gsl_sf_expint_E2_scaled", "x", "if(x == 0, 1, 1 + x*exp(x)*ei(-x))"},
  {"gsl_sf_expint_En_scaled", "n:i x", "if(n == 0, 1/x, if(n == 1, -exp(x)*ei(-x), if(n == 2 and x < 0, 1 + x*exp(x)*ei(-x), if(n < 0 or x < 0, undefined, exp(x)*expint(n, x)))))"},
  {"gsl_sf_expint_Ei", "x", "ei(x)"},
  {"gsl_sf_expint_Ei_scaled", "x", "exp(-x)*ei(x)"},
  {"gsl_sf_expint_3", "x", "if(x < 0, undefined, if(x == 0, 0, gammalower(1/3, x^3)/3))"},
  {"gsl_sf_Shi", "x", "shi(x)"},
  {"gsl_sf_Chi", "x", "re(chi(x))"},
  {"gsl_sf_Si", "x", "si(x)"},
  {"gsl_sf_Ci", "x", "ci(x)"},
  {"gsl_sf_atanint", "x", "im(polylog(2, j*x))"},
  {"gsl_sf_fermi_dirac_m1", "x", "1/(1 + exp(-x))"},
  {"gsl_sf_fermi_dirac_0", "x", "log1p(exp(x))"},
  {"gsl_sf_fermi_dirac_1", "x", "-polylog(2, -exp(x))"},
  {"gsl_sf_fermi_dirac_2", "x", "-polylog(3, -exp(x))"},
  {"gsl_sf_fermi_dirac_int", "k:i x", "-polylog(k + 1, -exp(x))"},
  {"gsl_sf_fermi_dirac_mhalf", "x", "-polylog(1/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_half", "x", "-polylog(3/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_3half", "x", "-polylog(5/2, -exp(x))"},
  {"gsl_sf_fermi_dirac_inc_0", "x b", "if(b < 0, undefined, log1p(exp(b - x)) - (b - x))"},
  {"gsl_sf_debye_1", "x",
   "if(x < 0, undefined, if(x < 1, 1*integral(u, 0, 1, u^0/exprel(x*u)), "
   "1/x^1*(factorial(1)*zeta(2) - sum(k, 0, 1, ff(1, k)*x^(1 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_2", "x",
   "if(x < 0, undefined, if(x < 1, 2*integral(u, 0, 1, u^1/exprel(x*u)), "
   "2/x^2*(factorial(2)*zeta(3) - sum(k, 0, 2, ff(2, k)*x^(2 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_3", "x",
   "if(x < 0, undefined, if(x < 1, 3*integral(u, 0, 1, u^2/exprel(x*u)), "
   "3/x^3*(factorial(3)*zeta(4) - sum(k, 0, 3, ff(3, k)*x^(3 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_4", "x",
   "if(x < 0, undefined, if(x < 1, 4*integral(u, 0, 1, u^3/exprel(x*u)), "
   "4/x^4*(factorial(4)*zeta(5) - sum(k, 0, 4, ff(4, k)*x^(4 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_5", "x",
   "if(x < 0, undefined, if(x < 1, 5*integral(u, 0, 1, u^4/exprel(x*u)), "
   "5/x^5*(factorial(5)*zeta(6) - sum(k, 0, 5, ff(5, k)*x^(5 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_debye_6", "x",
   "if(x < 0, undefined, if(x < 1, 6*integral(u, 0, 1, u^5/exprel(x*u)), "
   "6/x^6*(factorial(6)*zeta(7) - sum(k, 0, 6, ff(6, k)*x^(6 - k)*polylog(k + 1, exp(-x))))))"},
  {"gsl_sf_transport_2", "x",
   "if(x < 0, undefined, if(x < 1, x^1*integral(u, 0, 1, u^0*exp(x*u)/exprel(x*u)^2), "
   "2*(factorial(1)*zeta(2) - sum(k, 0, 1, ff(1, k)*x^(1 - k)*polylog(k + 1, exp(-x)))) - x^2/expm1(x)))"},
  {"gsl_sf_transport_3", "x",
   "if(x < 0, undefined, if(x < 1, x^2*integral(u, 0, 1, u^1*exp(x*u)/exprel(x*u)^2), "
   "3*(factorial(2)*zeta(3) - sum(k, 0, 2, ff(2, k)*x^(2 - k)*polylog(k + 1, exp(-x)))) - x^3/expm1(x)))"},
  {"gsl_sf_transport_4", "x",
   "if(x < 0, undefined, if(x < 1, x^3*integral(u, 0, 1, u^2*exp(x*u)/exprel(x*u)^2), "
   "4*(factorial(3)*zeta(4) - sum(k, 0, 3, ff(3, k)*x^(3 - k)*polylog(k + 1, exp(-x)))) - x^4/expm1(x)))"},
  {"gsl_sf_transport_5", "x",
   "if(x < 0, undefined, if(x < 1, x^4*integral(u, 0, 1, u^3*exp(x*u)/exprel(x*u)^2), "
   "5*(factorial(4)*zeta(5) - sum(k, 0, 4, ff(4, k)*x^(4 - k)*polylog(k + 1, exp(-x)))) - x^5/expm1(x)))"},
  {"gsl_sf_synchrotron_1", "x",
   "if(x < 0, undefined, if(x == 0 or x > 800, 0, let a = 5/3 in let below = 1 - a in let above = 1 + a in let q = x^2/4 in "
   "let minus = (x/2)^(-a)*rgamma(below)/below*hyp1f2(below/2, below/2 + 1, below, q) in "
   "let plus = (x/2)^a*rgamma(above)/above*hyp1f2(above/2, above/2 + 1, above, q) in "
   "x*(-pi/sqrt(3) - pi/(2*sinpi(a))*x*(minus - plus))))"},
  {"gsl_sf_synchrotron_2", "x", "if(x < 0, undefined, if(x == 0, 0, x*besselk(2/3, x)))"},
};
// clang-format on

Catalogue gsl_other_meanings() { return {gsl_other_meanings_rows}; }

} // namespace faultline::oracle
