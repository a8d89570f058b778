#!/usr/bin/env python3
"""Writes gsl_values.csv: GSL's functions at some points, by mpmath, which shares no code with the meanings under test.

Run by hand, with mpmath installed: ./gsl_values.py > gsl_values.csv; names after it select functions. A value is kept if two precisions, the higher at least
twice the lower, agree to 45 digits; what takes mpmath longer than some seconds is left out.
"""
import math
import signal
import sys
from multiprocessing import Pool
from mpmath import *

HALF = mpf(1) / 2
SECONDS = 3


def airy_scale(x, sign):
    return exp(sign * 2 * x * sqrt(x) / 3) if x > 0 else 1


def debye(n, x):
    if x < 1e-30:
        return 1 - n * x / (2 * (n + 1)) + n * x**2 / (12 * (n + 2))
    if x > 2000:
        return n * factorial(n) * zeta(n + 1) / x**n
    return n / x**n * quad(lambda t: t**n / expm1(t), linspace(0, x, 9))


def transport(n, x):
    if x < 1e-30:
        return x ** (n - 1) / (n - 1) - x ** (n + 1) / (12 * (n + 1))
    if x > 2000:
        return factorial(n) * zeta(n)
    return quad(lambda t: t**n * exp(-t) / expm1(-t) ** 2, linspace(0, x, 9))


def synchrotron_1(x):
    """x times the integral of exp(-x cosh t) cosh(5t/3) / cosh t over t > 0, cut where it is below the precision."""
    end = acosh(1 + 3 * mp.dps / x)
    scaled = quad(lambda t: exp(-x * (cosh(t) - 1)) * cosh(5 * t / 3) / cosh(t), linspace(0, end, 9))
    return x * exp(-x) * scaled  # quad's goal is an absolute error


def fermi_dirac(j, x):
    """By its integral, over u = sqrt(t): mpmath's polylog fails for orders that are no integers."""
    if x < -150:
        return exp(x) - exp(2 * x) / mpf(2) ** (j + 1)
    ends = [max(x, 0) + t for t in (-8, -4, -2, 0, 2, 4, 8, 3 * mp.dps)]
    split = [0] + [sqrt(t) for t in ends if t > 0]
    return exp(x) * quad(lambda u: 2 * u ** (2 * j + 1) / (exp(u * u) + exp(x)), split) / gamma(j + 1)


def sinh_ratio(x):  # the scaled i_1 and i_2 without branches
    return (x * cosh(x) - sinh(x)) / x**2 * exp(-abs(x))


def carlson_p(phi, k, n):
    return quad(lambda t: 1 / ((1 + n * sin(t) ** 2) * sqrt(1 - k * k * sin(t) ** 2)), linspace(0, phi, 5))


def recurrence_q(l, x):
    q0 = log(abs((1 + x) / (1 - x))) / 2
    q = [q0, x * q0 - 1]
    for k in range(1, int(l)):
        q.append(((2 * k + 1) * x * q[k] - k * q[k - 1]) / (k + 1))
    return q[int(l)]


def gegenbauer_series(n, a, x):
    n = int(n)
    return sum((-1) ** k * rf(a, n - k) / (factorial(k) * factorial(n - 2 * k)) * (2 * x) ** (n - 2 * k)
               for k in range(n // 2 + 1))



EVERYWHERE, POSITIVE, NOT_NEGATIVE, UNIT = "everywhere", "positive", "not negative", "unit"

ONE = {
    "airy_Ai": (airyai, EVERYWHERE),
    "airy_Bi": (airybi, EVERYWHERE),
    "airy_Ai_scaled": (lambda x: airyai(x) * airy_scale(x, 1), EVERYWHERE),
    "airy_Bi_scaled": (lambda x: airybi(x) * airy_scale(x, -1), EVERYWHERE),
    "airy_Ai_deriv": (lambda x: airyai(x, derivative=1), EVERYWHERE),
    "airy_Bi_deriv": (lambda x: airybi(x, derivative=1), EVERYWHERE),
    "airy_Ai_deriv_scaled": (lambda x: airyai(x, derivative=1) * airy_scale(x, 1), EVERYWHERE),
    "airy_Bi_deriv_scaled": (lambda x: airybi(x, derivative=1) * airy_scale(x, -1), EVERYWHERE),
    "bessel_J0": (lambda x: besselj(0, x), EVERYWHERE),
    "bessel_J1": (lambda x: besselj(1, x), EVERYWHERE),
    "bessel_Y0": (lambda x: bessely(0, x), POSITIVE),
    "bessel_Y1": (lambda x: bessely(1, x), POSITIVE),
    "bessel_I0": (lambda x: besseli(0, x), EVERYWHERE),
    "bessel_I1": (lambda x: besseli(1, x), EVERYWHERE),
    "bessel_I0_scaled": (lambda x: besseli(0, x) * exp(-abs(x)), EVERYWHERE),
    "bessel_I1_scaled": (lambda x: besseli(1, x) * exp(-abs(x)), EVERYWHERE),
    "bessel_K0": (lambda x: besselk(0, x), POSITIVE),
    "bessel_K1": (lambda x: besselk(1, x), POSITIVE),
    "bessel_K0_scaled": (lambda x: besselk(0, x) * exp(x), POSITIVE),
    "bessel_K1_scaled": (lambda x: besselk(1, x) * exp(x), POSITIVE),
    "bessel_j0": (lambda x: sin(x) / x, EVERYWHERE),
    "bessel_j1": (lambda x: (sin(x) / x - cos(x)) / x, EVERYWHERE),
    "bessel_j2": (lambda x: ((3 / (x * x) - 1) * sin(x) - 3 * cos(x) / x) / x, EVERYWHERE),
    "bessel_y0": (lambda x: -cos(x) / x, POSITIVE),
    "bessel_y1": (lambda x: -(cos(x) / x + sin(x)) / x, POSITIVE),
    "bessel_y2": (lambda x: (-3 / x**3 + 1 / x) * cos(x) - 3 / x**2 * sin(x), POSITIVE),
    "bessel_i0_scaled": (lambda x: -expm1(-2 * abs(x)) / (2 * abs(x)), EVERYWHERE),
    "bessel_i1_scaled": (sinh_ratio, EVERYWHERE),
    "bessel_i2_scaled": (lambda x: ((x * x + 3) * sinh(x) - 3 * x * cosh(x)) / x**3 * exp(-abs(x)), EVERYWHERE),
    "bessel_k0_scaled": (lambda x: pi / (2 * x), POSITIVE),
    "bessel_k1_scaled": (lambda x: pi / (2 * x) * (1 + 1 / x), POSITIVE),
    "bessel_k2_scaled": (lambda x: pi / (2 * x) * (1 + 3 / x + 3 / x**2), POSITIVE),
    "clausen": (lambda x: clsin(2, x), EVERYWHERE),
    "dawson": (lambda x: sqrt(pi) / 2 * exp(-x * x) * erfi(x), EVERYWHERE),
    **{f"debye_{n}": (lambda x, n=n: debye(n, x), POSITIVE) for n in range(1, 7)},
    "dilog": (lambda x: polylog(2, x).real, EVERYWHERE),
    "ellint_Kcomp": (lambda x: ellipk(x * x), UNIT),
    "ellint_Ecomp": (lambda x: ellipe(x * x), UNIT),
    "ellint_Dcomp": (lambda x: (ellipk(x * x) - ellipe(x * x)) / (x * x), UNIT),
    "erfc": (erfc, EVERYWHERE),
    "log_erfc": (lambda x: log(erfc(x)), EVERYWHERE),
    "erf": (erf, EVERYWHERE),
    "erf_Z": (npdf, EVERYWHERE),
    "erf_Q": (lambda x: erfc(x / sqrt(mpf(2))) / 2, EVERYWHERE),
    "hazard": (lambda x: sqrt(2 / pi) * exp(-x * x / 2) / erfc(x / sqrt(mpf(2))), EVERYWHERE),
    "exp": (exp, EVERYWHERE),
    "expm1": (expm1, EVERYWHERE),
    "exprel": (lambda x: expm1(x) / x, EVERYWHERE),
    "exprel_2": (lambda x: 2 * (expm1(x) - x) / (x * x), EVERYWHERE),
    "expint_E1": (lambda x: -ei(-x).real, EVERYWHERE),
    "expint_E2": (lambda x: exp(-x) + x * ei(-x).real, EVERYWHERE),
    "expint_E1_scaled": (lambda x: -ei(-x).real * exp(x), EVERYWHERE),
    "expint_E2_scaled": (lambda x: 1 + x * ei(-x).real * exp(x), EVERYWHERE),
    "expint_Ei": (lambda x: ei(x).real, EVERYWHERE),
    "expint_Ei_scaled": (lambda x: ei(x).real * exp(-x), EVERYWHERE),
    "Shi": (shi, EVERYWHERE),
    "Chi": (lambda x: chi(abs(x)), EVERYWHERE),
    "expint_3": (lambda x: gammainc(mpf(1) / 3, 0, x**3) / 3, POSITIVE),
    "Si": (si, EVERYWHERE),
    "Ci": (ci, POSITIVE),
    "atanint": (lambda x: polylog(2, mpc(0, x)).imag, EVERYWHERE),
    "fermi_dirac_m1": (lambda x: 1 / (1 + exp(-x)), EVERYWHERE),
    "fermi_dirac_0": (lambda x: log1p(exp(x)), EVERYWHERE),
    "fermi_dirac_1": (lambda x: fermi_dirac(1, x), EVERYWHERE),
    "fermi_dirac_2": (lambda x: fermi_dirac(2, x), EVERYWHERE),
    "fermi_dirac_mhalf": (lambda x: fermi_dirac(-HALF, x), EVERYWHERE),
    "fermi_dirac_half": (lambda x: fermi_dirac(HALF, x), EVERYWHERE),
    "fermi_dirac_3half": (lambda x: fermi_dirac(3 * HALF, x), EVERYWHERE),
    "lngamma": (lambda x: loggamma(x).real, EVERYWHERE),
    "gamma": (gamma, EVERYWHERE),
    "gammastar": (lambda x: exp(loggamma(x) - (x - HALF) * log(x) + x) / sqrt(2 * pi), POSITIVE),
    "gammainv": (rgamma, EVERYWHERE),
    "lambert_W0": (lambertw, NOT_NEGATIVE),
    "lambert_Wm1": (lambda x: lambertw(x) if x >= 0 else lambertw(x, -1).real, NOT_NEGATIVE),
    "legendre_P1": (lambda x: x, EVERYWHERE),
    "legendre_P2": (lambda x: (3 * x * x - 1) / 2, EVERYWHERE),
    "legendre_P3": (lambda x: (5 * x * x * x - 3 * x) / 2, EVERYWHERE),
    "legendre_Q0": (lambda x: log(abs((1 + x) / (1 - x))) / 2, NOT_NEGATIVE),
    "legendre_Q1": (lambda x: x / 2 * log(abs((1 + x) / (1 - x))) - 1, NOT_NEGATIVE),
    "log": (log, POSITIVE),
    "log_abs": (lambda x: log(abs(x)), EVERYWHERE),
    "log_1plusx": (log1p, NOT_NEGATIVE),
    "log_1plusx_mx": (lambda x: log1p(x) - x, NOT_NEGATIVE),
    "psi": (digamma, EVERYWHERE),
    "psi_1piy": (lambda x: digamma(mpc(1, x)).real, EVERYWHERE),
    "psi_1": (lambda x: psi(1, x), EVERYWHERE),
    "sin_pi": (sinpi, EVERYWHERE),
    "cos_pi": (cospi, EVERYWHERE),
    "synchrotron_1": (synchrotron_1, POSITIVE),
    "synchrotron_2": (lambda x: x * besselk(mpf(2) / 3, x), POSITIVE),
    **{f"transport_{n}": (lambda x, n=n: transport(n, x), POSITIVE) for n in range(2, 6)},
    "sin": (sin, EVERYWHERE),
    "cos": (cos, EVERYWHERE),
    "sinc": (lambda x: sinpi(x) / (pi * x), EVERYWHERE),
    "lnsinh": (lambda x: log(sinh(x)), POSITIVE),
    "lncosh": (lambda x: log(cosh(x)), EVERYWHERE),
    "zeta": (zeta, EVERYWHERE),
    "zetam1": (lambda x: zeta(x) - 1, EVERYWHERE),
    "eta": (altzeta, EVERYWHERE),
}

SIZES = ["1e-300", "3e-40", "1e-5", "0.1", "0.7", "2.3", "5.5", "18.25", "77.7", "750", "1e5", "3e20", "1e300"]

# Beyond the sizes: near roots, branch points and singularities.
EXTRA = {
    "bessel_J0": [2.404825557695773], "psi": [1.4616321449683622, -0.504083008264455], "lngamma": [-2.4570247382208006],
    "lambert_W0": [-0.36, -0.3678794411714423, -1e-9], "lambert_Wm1": [-0.36, -0.3678794411714423, -1e-300],
    "legendre_Q0": [-0.9999999999999999, 1.0000000000000002], "legendre_Q1": [0.8335565596009648],
    "log_1plusx": [-0.9999999999999999], "log_1plusx_mx": [-0.9999999999999999, -1e-200], "log": [1.0000000000000002],
    "ellint_Kcomp": [0.9999999999999999], "ellint_Ecomp": [0.9999999999999999], "ellint_Dcomp": [0.9999999999999999],
    "zeta": [1.0000000000000002, -2.0000000000000004, -33.5], "eta": [1.0000000000000002, -4.000000000000001],
    "zetam1": [130.0, 1.0000000000000002], "erf_Q": [14.0, 26.5], "hazard": [12.7, 14.0], "Ci": [0.6165054856207162],
    "dilog": [12.595170369845016, 1.0, 0.9999999999999999], "clausen": [3.141592653589793, 1e22], "sin": [1e22, 3.141592653589793],
    "cos": [1.5707963267948966], "gamma": [-170.5, 171.5], "fermi_dirac_0": [-100.0], "lnsinh": [0.881373587019543],
    "airy_Ai": [-2.338107410459767], "sinc": [1.0000000000000002], "sin_pi": [4503599627370495.5],
    "cos_pi": [2251799813685247.5, 0.5000000000000001], "psi_1": [-1e-5, -2.9999999999999996], "psi_1piy": [0.8882224],
}

MORE = {
    "bessel_Jn": (lambda n, x: besselj(n, x), [(0, 3.5), (5, 1e-20), (-3, 2.5), (40, 3.25), (2, 1e10), (7, -4.5)]),
    "bessel_Yn": (lambda n, x: bessely(n, x), [(0, 3.5), (5, 1e-20), (-3, 2.5), (40, 33.25), (2, 1e5)]),
    "bessel_In": (lambda n, x: besseli(n, x), [(0, 3.5), (5, 1e-20), (-3, 2.5), (40, 33.25), (3, -700.5)]),
    "bessel_In_scaled": (lambda n, x: besseli(n, x) * exp(-abs(x)), [(0, 3.5), (5, 1e-20), (3, -700.5), (2, 1e6)]),
    "bessel_Kn": (lambda n, x: besselk(n, x), [(0, 3.5), (5, 1e-20), (-3, 2.5), (40, 33.25), (3, 700.5)]),
    "bessel_Kn_scaled": (lambda n, x: besselk(n, x) * exp(x), [(0, 3.5), (5, 1e-20), (-3, 2.5), (3, 7000.5)]),
    "bessel_jl": (lambda l, x: sqrt(pi / (2 * x)) * besselj(l + HALF, x), [(3, 2.5), (7, 1e-30), (20, 55.5), (2, 1e9)]),
    "bessel_yl": (lambda l, x: sqrt(pi / (2 * x)) * bessely(l + HALF, x), [(3, 2.5), (7, 1e-30), (20, 55.5)]),
    "bessel_il_scaled": (lambda l, x: sqrt(pi / (2 * x)) * besseli(l + HALF, x) * exp(-x), [(3, 2.5), (7, 1e-30), (20, 55.5)]),
    "bessel_kl_scaled": (lambda l, x: sqrt(pi / (2 * x)) * besselk(l + HALF, x) * exp(x), [(3, 2.5), (7, 1e-30), (20, 55.5)]),
    "bessel_Jnu": (besselj, [(0.3, 2.5), (-1.7, 0.25), (33.3, 30.5), (2.25, 1e8), (1e-200, 1e-200)]),
    "bessel_Ynu": (bessely, [(0.3, 2.5), (1.7, 0.25), (33.3, 30.5), (2.25, 1e5), (1000.75, 31)]),
    "bessel_Inu": (besseli, [(0.3, 2.5), (1.7, 0.25), (33.3, 30.5), (2.25, 650.25)]),
    "bessel_Inu_scaled": (lambda n, x: besseli(n, x) * exp(-x), [(0.3, 2.5), (33.3, 30.5), (2.25, 6500.25)]),
    "bessel_Knu": (besselk, [(0.3, 2.5), (1.7, 0.25), (33.3, 30.5), (2.25, 650.25), (0.5, 1e-200), (2000.5, 40)]),
    "bessel_Knu_scaled": (lambda n, x: besselk(n, x) * exp(x), [(0.3, 2.5), (33.3, 30.5), (2.25, 6500.25)]),
    "bessel_lnKnu": (lambda n, x: log(besselk(n, x)), [(0.3, 2.5), (133.3, 30.5), (2.25, 6500.25), (1500.5, 20.25)]),
    "exprel_n": (lambda n, x: hyp1f1(1, n + 1, x), [(3, 1e-10), (5, 2.5), (12, -33.5), (7, 600.5)]),
    "exp_mult": (lambda x, y: exp(x) * y, [(2.5, -3.5), (-800.5, 1e300)]),
    "hypot": (lambda x, y: sqrt(x * x + y * y), [(1e300, 1e300), (3e-320, 1e-310), (1.5, -2.5)]),
    "pow_int": (lambda x, n: x ** int(n), [(1.0000001, 1000000), (-2.5, -7), (3.5, 0)]),
    "multiply": (lambda x, y: x * y, [(1e200, 1e200), (0.1, -0.3)]),
    "expint_En": (lambda n, x: expint(int(n), x), [(3, 2.5), (7, 1e-10), (5, 60.5), (0, 0.25)]),
    "expint_En_scaled": (lambda n, x: expint(int(n), x) * exp(x), [(3, 2.5), (7, 1e-10), (5, 6000.5)]),
    "fact": (factorial, [(0,), (20,), (171,)]), "lnfact": (lambda n: log(factorial(n)), [(20,), (171,)]),
    "doublefact": (fac2, [(0,), (7,), (20,), (301,)]), "lndoublefact": (lambda n: log(fac2(n)), [(7,), (20,), (301,)]),
    "choose": (binomial, [(10, 3), (1000, 500), (5, 5)]), "lnchoose": (lambda n, m: log(binomial(n, m)), [(10, 3), (1000, 500)]),
    "taylorcoeff": (lambda n, x: x**n / factorial(n), [(10, 3.5), (200, 55.5)]),
    "beta": (beta, [(2.5, 3.5), (1e-10, 1e10), (-0.5, 1.75), (1e5, 2e5)]),
    "lnbeta": (lambda a, b: log(abs(beta(a, b))), [(2.5, 3.5), (1e-10, 1e10), (1e5, 2e5)]),
    "poch": (rf, [(2.5, 3.25), (-7, 3), (1e10, 0.5), (0.25, -3.5)]),
    "lnpoch": (lambda a, x: log(rf(a, x)), [(2.5, 3.25), (1e10, 0.5), (7.5, 1e-20)]),
    "pochrel": (lambda a, x: (rf(a, x) - 1) / x, [(2.5, 3.25), (7.5, 1e-20), (1.5, -0.25)]),
    "gamma_inc": (lambda a, x: gammainc(a, x), [(2.5, 3.5), (-1.5, 0.25), (0, 2.5), (1e-10, 1e-10), (-3, 7.5), (50.5, 45.25)]),
    "gamma_inc_Q": (lambda a, x: gammainc(a, x, regularized=True), [(2.5, 3.5), (1e-10, 0.5), (50.5, 45.25), (1000.5, 1010.25)]),
    "gamma_inc_P": (lambda a, x: gammainc(a, 0, x, regularized=True), [(2.5, 3.5), (10.5, 1e-10), (50.5, 45.25), (1000.5, 1010.25), (2000.5, 1900.25)]),
    "beta_inc": (lambda a, b, x: betainc(a, b, 0, x, regularized=True), [(2.5, 3.5, 0.25), (100.5, 3.25, 0.9), (0.5, 0.5, 1e-20)]),
    "psi_int": (digamma, [(1,), (7,), (100000,)]), "psi_1_int": (lambda n: psi(1, n), [(1,), (7,), (100000,)]),
    "psi_n": (lambda n, x: psi(int(n), x), [(0, 2.5), (1, -0.25), (3, 0.125), (7, 33.5), (20, 1e-5)]),
    "fermi_dirac_int": (lambda j, x: fermi_dirac(j, x), [(3, 2.5), (5, -3.5), (4, 40.5), (0, 1.5)]),
    "fermi_dirac_inc_0": (lambda x, b: log1p(exp(x - b)), [(2.5, 3.5), (-3.5, 80.5), (500.5, 1.5)]),
    "zeta_int": (zeta, [(-3,), (0,), (2,), (50,)]), "zetam1_int": (lambda n: zeta(n) - 1, [(-3,), (2,), (50,)]),
    "eta_int": (altzeta, [(-3,), (1,), (2,), (50,)]),
    "hzeta": (lambda s, q: zeta(s, q), [(2.5, 0.25), (1.0000001, 3.5), (33.5, 20.5), (2.5, 1e6)]),
    "ellint_F": (lambda phi, k: ellipf(phi, k * k), [(0.5, 0.25), (1.5, -0.99), (1e-20, 0.5), (100.5, 0.75), (-2.5, 0.5), (0.1, 3.5)]),
    "ellint_E": (lambda phi, k: ellipe(phi, k * k), [(0.5, 0.25), (1.5, -0.99), (1e-20, 0.5), (100.5, 0.75), (-2.5, 0.5)]),
    "ellint_D": (lambda phi, k: (ellipf(phi, k * k) - ellipe(phi, k * k)) / k**2, [(0.5, 0.25), (1.5, -0.99), (100.5, 0.75)]),
    "ellint_P": (carlson_p, [(0.5, 0.25, 0.75), (1.5, -0.875, -0.5), (-1.25, 0.5, 30.5), (4.5, 0.5, 0.25)]),
    "ellint_Pcomp": (lambda k, n: carlson_p(pi / 2, k, n), [(0.25, 0.75), (0.875, -0.5), (0.5, 30.5)]),
    "ellint_RC": (elliprc, [(0.5, 2.5), (3.5, 0.25), (0.0, 1.5)]),
    "ellint_RF": (elliprf, [(0.5, 2.5, 1.5), (0.0, 1e-5, 3.5)]), "ellint_RD": (elliprd, [(0.5, 2.5, 1.5), (0.0, 1e-5, 3.5)]),
    "legendre_Pl": (lambda l, x: legendre(int(l), x), [(4, 0.3), (33, -0.99), (100, 0.5), (1000, 0.123)]),
    "legendre_Ql": (recurrence_q, [(4, 0.3), (33, -0.99), (2, 1.0001), (5, 30.5), (3, 1e20)]),
    "conicalP_0": (lambda l, x: hyp2f1(mpc(HALF, -l), mpc(HALF, l), 1, (1 - x) / 2).real, [(1.5, 0.3), (3.25, 7.5), (0.25, -0.75)]),
    **{f"laguerre_{n}": (lambda a, x, n=n: laguerre(n, a, x), [(0.5, 2.5), (-7.5, 1e10), (-2.5, -1e-10)]) for n in (1, 2, 3)},
    "laguerre_n": (lambda n, a, x: laguerre(int(n), a, x), [(3, -7.25, -6.5), (40, 0.5, 33.5), (11, -19.5, 0.25)]),
    **{f"gegenpoly_{n}": (lambda a, x, n=n: gegenbauer_series(n, a, x), [(0.5, 2.5), (7.25, -0.3), (-0.25, 1e10)]) for n in (1, 2, 3)},
    "gegenpoly_n": (gegenbauer_series, [(5, 0.5, 0.3), (30, 7.25, 1.5), (8, -0.25, 0.875)]),
    "hermite": (lambda n, x: hermite(int(n), x), [(5, 0.3), (30, 2.5), (8, -30.5)]),
    "hermite_prob": (lambda n, x: hermite(int(n), x / sqrt(mpf(2))) / sqrt(mpf(2)) ** n, [(5, 0.3), (30, 2.5), (8, -30.5)]),
    "hyperg_0F1": (hyp0f1, [(2.5, 3.5), (0.5, -100.5), (-1.5, 30.25), (1e-10, 1e-10)]),
    "hyperg_1F1": (hyp1f1, [(0.5, 2.5, 3.5), (-3.5, 0.25, 40.5), (100.5, 3.25, -7.5), (2.5, -0.5, 1e-10), (-2, -3, 1.5)]),
    "hyperg_1F1_int": (hyp1f1, [(2, 3, 3.5), (-3, 2, 40.5), (5, 3, -7.5)]),
    "hyperg_U": (hyperu, [(0.5, 2.5, 3.5), (-3.5, 0.25, 40.5), (10.5, 3.25, 0.125), (2.5, -0.5, 1e-10), (1.5, 2, 300.5)]),
    "hyperg_U_int": (hyperu, [(2, 3, 3.5), (-3, 2, 40.5), (5, 3, 0.125)]),
    "hyperg_2F0": (lambda a, b, x: (-1 / x) ** a * hyperu(a, 1 + a - b, -1 / x), [(0.5, 1.5, -0.25), (2.5, 0.25, -10.5)]),
    "hyperg_2F1": (hyp2f1, [(0.5, 1.5, 2.5, 0.25), (3.5, -2.25, 0.75, -0.9), (1.5, 0.5, 2, 0.999), (0.25, 0.5, 3.5, 1), (-2, 3.5, -3, 0.5)]),
}


def points(name, domain):
    sizes = [float(size) for size in SIZES]
    if domain == UNIT:
        sizes = [x for x in sizes if x < 1]
    signs = [1, -1] if domain in (EVERYWHERE, UNIT) else [1]
    xs = [x for i, x in enumerate(sizes)] + [-x for i, x in enumerate(sizes) if -1 in signs and i % 2 == 0]
    return [(x,) for x in xs + EXTRA.get(name, [])]


def value(function, arguments):
    """None where mpmath finds none, or two precisions differ."""
    previous = None
    extent = max(abs(math.log10(abs(x))) for x in (*arguments, 1.0) if x)
    for digits in (60, 120, 450, 1200):
        mp.dps = digits + int(3 * extent)  # for what cancels far from 1
        try:
            signal.alarm(SECONDS)
            now = function(*[mpf(x) for x in arguments])
            signal.alarm(0)
        except Exception:
            signal.alarm(0)
            return None
        now = now.real if isinstance(now, mpc) else mpf(now)
        if not isfinite(now) or now == 0 or abs(log(abs(now), 10)) > 1e15:
            return None
        if previous is not None and abs(now - previous) <= abs(now) * mpf(10) ** -45:
            return nstr(now, 40)
        previous = now
    return None


def expire(*_):
    raise TimeoutError


def row(work):
    name, arguments = work
    function = ONE[name][0] if name in ONE else MORE[name][0]
    exact = value(function, arguments)
    return f"gsl_sf_{name},{' '.join(float(x).hex() for x in arguments)},{exact}" if exact else None


signal.signal(signal.SIGALRM, expire)
work = [(name, arguments) for name, (_, domain) in ONE.items() for arguments in points(name, domain)]
work += [(name, arguments) for name, (_, where) in MORE.items() for arguments in where]
work = [point for point in work if len(sys.argv) == 1 or point[0] in sys.argv[1:]]
print("function,arguments,value")
with Pool() as pool:
    for line in pool.imap(row, work):
        if line:
            print(line, flush=True)
