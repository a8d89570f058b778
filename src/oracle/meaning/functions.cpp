#include "oracle/meaning/functions.h"

#include <acb_hypgeom.h>
#include <arb_hypgeom.h>
#include <array>
#include <fmt/format.h>
#include <map>

namespace faultline::oracle {

namespace {

ComplexBall angle(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  ComplexBall result;
  arb_atan2(result.real(), a[0].real(), a[1].real(), precision);
  return result;
}

constexpr Function trigonometric_rows[] = {
    {"sin", 1, 1, everywhere, "sin(x)", unary<arb_sin, acb_sin>},
    {"cos", 1, 1, everywhere, "cos(x)", unary<arb_cos, acb_cos>},
    {"tan", 1, 1, everywhere, "tan(x)", unary<arb_tan, acb_tan>},
    {"sec", 1, 1, everywhere, "sec(x): 1 / cos(x)", unary<arb_sec, acb_sec>},
    {"csc", 1, 1, everywhere, "csc(x): 1 / sin(x)", unary<arb_csc, acb_csc>},
    {"cot", 1, 1, everywhere, "cot(x): 1 / tan(x)", unary<arb_cot, acb_cot>},
    {"sinpi", 1, 1, everywhere, "sinpi(x): sin(pi x)", unary<arb_sin_pi, acb_sin_pi>},
    {"cospi", 1, 1, everywhere, "cospi(x): cos(pi x)", unary<arb_cos_pi, acb_cos_pi>},
    {"tanpi", 1, 1, everywhere, "tanpi(x): tan(pi x)", unary<arb_tan_pi, acb_tan_pi>},
    {"cotpi", 1, 1, everywhere, "cotpi(x): cot(pi x)", unary<arb_cot_pi, acb_cot_pi>},
    {"sinc", 1, 1, everywhere, "sinc(x): sin(x) / x", unary<arb_sinc, acb_sinc>},
    {"asin", 1, 1, nowhere, "asin(x)", unary<arb_asin, acb_asin>},
    {"acos", 1, 1, nowhere, "acos(x)", unary<arb_acos, acb_acos>},
    {"atan", 1, 1, nowhere, "atan(x)", unary<arb_atan, acb_atan>},
    {"atan2", 2, 2, nowhere, "atan2(y, x): the angle of the point (x, y)", angle},
    {"sinh", 1, 1, everywhere, "sinh(x)", unary<arb_sinh, acb_sinh>},
    {"cosh", 1, 1, everywhere, "cosh(x)", unary<arb_cosh, acb_cosh>},
    {"tanh", 1, 1, everywhere, "tanh(x)", unary<arb_tanh, acb_tanh>},
    {"sech", 1, 1, everywhere, "sech(x): 1 / cosh(x)", unary<arb_sech, acb_sech>},
    {"csch", 1, 1, everywhere, "csch(x): 1 / sinh(x)", unary<arb_csch, acb_csch>},
    {"coth", 1, 1, everywhere, "coth(x): 1 / tanh(x)", unary<arb_coth, acb_coth>},
    {"asinh", 1, 1, nowhere, "asinh(x)", unary<arb_asinh, acb_asinh>},
    {"acosh", 1, 1, nowhere, "acosh(x)", unary<arb_acosh, acb_acosh>},
    {"atanh", 1, 1, nowhere, "atanh(x)", unary<arb_atanh, acb_atanh>},
};

} // namespace

long small_integer(const ComplexBall& x, const char* of) {
  if (!is_integer(x) || arf_cmpabs_2exp_si(arb_midref(x.real()), 31) >= 0)
    throw Undefined{fmt::format("{} is defined for integers of moderate size only", of)};
  return arf_get_si(arb_midref(x.real()), ARF_RND_DOWN);
}

ComplexBall quotient(const ComplexBall& a, const ComplexBall& b, long precision) {
  if (b.is_zero())
    throw Undefined{"division by zero"};
  ComplexBall result;
  acb_div(result.raw(), a.raw(), b.raw(), precision);
  return result;
}

ComplexBall to_the_power(const ComplexBall& base, const ComplexBall& exponent, long precision) {
  if (base.is_zero() && exponent.is_real()) {
    if (exponent.is_zero())
      return ComplexBall(1L);
    if (arb_is_positive(exponent.real()))
      return {};
    if (arb_is_negative(exponent.real()))
      throw Undefined{"0 to a negative power"};
  }
  const std::array both = {base, exponent};
  return binary<arb_pow, acb_pow>(both, precision);
}

namespace {

ComplexBall power(Arguments a, long precision) { return to_the_power(a[0], a[1], precision); }

ComplexBall logarithm(Arguments a, long precision) {
  if (a[0].is_zero())
    throw Undefined{"the logarithm of 0"};
  return unary<arb_log, acb_log>(a, precision);
}

ComplexBall logarithm_of_sum(Arguments a, long precision) {
  if (a[0].is_real() && arb_equal_si(a[0].real(), -1))
    throw Undefined{"the logarithm of 0"};
  return unary<arb_log1p, acb_log1p>(a, precision);
}

template <int base> ComplexBall logarithm_to(Arguments a, long precision) {
  ComplexBall of_base;
  arb_log_ui(of_base.real(), base, precision);
  return quotient(logarithm(a, precision), of_base, precision);
}

// For odd order, returns the real root, even of negative numbers.
ComplexBall root_of_order(const ComplexBall& x, long order, long precision) {
  if (order <= 0)
    throw Undefined{"root is defined for positive orders only"};
  ComplexBall result;
  if (x.is_real() && order % 2 == 1 && arb_is_negative(x.real())) {
    arb_neg(result.real(), x.real());
    arb_root_ui(result.real(), result.real(), order, precision);
    arb_neg(result.real(), result.real());
    return result;
  }
  if (x.is_real() && arb_is_nonnegative(x.real()))
    arb_root_ui(result.real(), x.real(), order, precision);
  else
    acb_root_ui(result.raw(), x.raw(), order, precision);
  return result;
}

ComplexBall cube_root(Arguments a, long precision) { return root_of_order(a[0], 3, precision); }
ComplexBall root(Arguments a, long precision) { return root_of_order(a[0], small_integer(a[1], "root"), precision); }

ComplexBall absolute(Arguments a, long precision) {
  ComplexBall result;
  acb_abs(result.real(), a[0].raw(), precision);
  return result;
}

ComplexBall real_part(Arguments a, long) { return a[0].real_part(); }
ComplexBall imaginary_part(Arguments a, long) { return a[0].imaginary_part(); }

template <auto Pick> ComplexBall pick(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  ComplexBall best = a[0];
  for (const ComplexBall& other : a.subspan(1))
    Pick(best.real(), best.real(), other.real(), precision);
  return best;
}

void sign_of(arb_t result, const arb_t x, slong) { arb_sgn(result, x); }

void trunc_of(arb_t result, const arb_t x, slong precision) {
  if (arb_is_negative(x))
    arb_ceil(result, x, precision);
  else if (arb_is_nonnegative(x))
    arb_floor(result, x, precision);
  else
    arb_zero_pm_one(result); // around zero: a number below one, or not yet determined
}

// x - y * whole(x / y)
template <auto Whole> ComplexBall remainder(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  const ComplexBall ratio = quotient(a[0], a[1], precision);
  ComplexBall whole;
  Whole(whole.real(), ratio.real(), precision);
  return minus(a[0], times(a[1], whole, precision), precision);
}

ComplexBall hypotenuse(Arguments a, long precision) {
  ComplexBall result;
  if (!all_real(a))
    return ComplexBall::unknown();
  arb_hypot(result.real(), a[0].real(), a[1].real(), precision);
  return result;
}

// flags: 1 for the branch -1
ComplexBall lambert(Arguments a, long precision) {
  const long branch = a.size() > 1 ? small_integer(a[1], "the branch of lambertw") : 0;
  if ((branch != 0 && branch != -1) || !a[0].is_real())
    throw Undefined{"lambertw supports only real numbers and the branches 0 and -1"};
  if (branch == -1 && !arb_is_negative(a[0].real()) && !arb_contains_negative(a[0].real()))
    throw Undefined{"lambertw(x, -1) is defined for negative x only"};
  ComplexBall result, shifted;
  arb_const_e(shifted.real(), precision);
  arb_mul(shifted.real(), shifted.real(), a[0].real(), precision);
  arb_add_ui(shifted.real(), shifted.real(), 1, precision);
  if (arb_is_negative(shifted.real()))
    throw Undefined{"lambertw is not real below -1/e"};
  arb_lambertw(result.real(), a[0].real(), branch == 0 ? 0 : 1, precision);
  return result;
}

constexpr Function elementary_rows[] = {
    {"exp", 1, 1, Analytic::everywhere, "exp(x)", unary<arb_exp, acb_exp>},
    {"expm1", 1, 1, Analytic::everywhere, "expm1(x): exp(x) - 1", unary<arb_expm1, acb_expm1>},
    {"log", 1, 1, Analytic::off_cut, "log(x): the natural logarithm", logarithm},
    {"ln", 1, 1, Analytic::off_cut, "ln(x): the natural logarithm", logarithm},
    {"log1p", 1, 1, Analytic::nowhere, "log1p(x): log(1 + x)", logarithm_of_sum},
    {"log2", 1, 1, Analytic::off_cut, "log2(x)", logarithm_to<2>},
    {"log10", 1, 1, Analytic::off_cut, "log10(x)", logarithm_to<10>},
    {"sqrt", 1, 1, Analytic::off_cut, "sqrt(x)", unary<arb_sqrt, acb_sqrt>},
    {"cbrt", 1, 1, Analytic::nowhere, "cbrt(x): the real cube root", cube_root},
    {"root", 2, 2, Analytic::nowhere, "root(x, n): the n-th root, real for odd n", root},
    {"pow", 2, 2, Analytic::nowhere, "pow(x, y): x^y", power},
    {"abs", 1, 1, Analytic::nowhere, "abs(x)", absolute},
    {"re", 1, 1, Analytic::nowhere, "re(z): the real part", real_part},
    {"im", 1, 1, Analytic::nowhere, "im(z): the imaginary part", imaginary_part},
    {"min", 1, 16, Analytic::nowhere, "min(x, y, ...)", pick<arb_min>},
    {"max", 1, 16, Analytic::nowhere, "max(x, y, ...)", pick<arb_max>},
    {"floor", 1, 1, Analytic::nowhere, "floor(x)", real_unary<arb_floor>},
    {"ceil", 1, 1, Analytic::nowhere, "ceil(x)", real_unary<arb_ceil>},
    {"trunc", 1, 1, Analytic::nowhere, "trunc(x): towards 0", real_unary<trunc_of>},
    {"sign", 1, 1, Analytic::nowhere, "sign(x): -1, 0 or 1", real_unary<sign_of>},
    {"mod", 2, 2, Analytic::nowhere, "mod(x, y): x - y floor(x / y)", remainder<arb_floor>},
    {"rem", 2, 2, Analytic::nowhere, "rem(x, y): x - y trunc(x / y), as C's fmod", remainder<trunc_of>},
    {"hypot", 2, 2, Analytic::nowhere, "hypot(x, y): sqrt(x^2 + y^2)", hypotenuse},
    {"agm", 2, 2, Analytic::nowhere, "agm(x, y): the arithmetic-geometric mean", binary<arb_agm, acb_agm>},
    {"lambertw", 1, 2, Analytic::nowhere, "lambertw(x), lambertw(x, -1): the branches 0 and -1", lambert},
};

ComplexBall legendre(Arguments a, long precision) {
  const std::array arguments = {a[0], ComplexBall(0L), a[1]};
  return ternary<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 0>(arguments, precision);
}

// The last argument is mpmath's type: 2, with a cut outside of (-1, 1), or 3, with a cut up to 1.
template <auto Type2, auto Type3> ComplexBall associated(Arguments a, long precision) {
  const long type = a.size() > 3 ? small_integer(a[3], "the type of a Legendre function") : 2;
  if (type != 2 && type != 3)
    throw Undefined{"Legendre functions are of type 2 or 3"};
  return type == 2 ? Type2(a.first(3), precision) : Type3(a.first(3), precision);
}
constexpr auto legendre_p = associated<ternary<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 0>,
                                       ternary<arb_hypgeom_legendre_p, acb_hypgeom_legendre_p, 1>>;
constexpr auto legendre_q = associated<ternary<arb_hypgeom_legendre_q, acb_hypgeom_legendre_q, 0>,
                                       ternary<arb_hypgeom_legendre_q, acb_hypgeom_legendre_q, 1>>;

constexpr Function polynomial_rows[] = {
    {"legendre", 2, 2, nowhere, "legendre(n, x)", legendre},
    {"legenp", 3, 4, nowhere, "legenp(n, m, x), legenp(n, m, x, 3): associated, of type 2 and 3", legendre_p},
    {"legenq", 3, 4, nowhere, "legenq(n, m, x), legenq(n, m, x, 3): of the second kind", legendre_q},
    {"gegenbauer", 3, 3, nowhere, "gegenbauer(n, a, x)", ternary<arb_hypgeom_gegenbauer_c, acb_hypgeom_gegenbauer_c>},
    {"jacobi", 4, 4, nowhere, "jacobi(n, a, b, x)", applied<4, arb_hypgeom_jacobi_p, acb_hypgeom_jacobi_p>},
    {"hermite", 2, 2, nowhere, "hermite(n, x): the physicists'", binary<arb_hypgeom_hermite_h, acb_hypgeom_hermite_h>},
    {"laguerre", 3, 3, nowhere, "laguerre(n, a, x)", ternary<arb_hypgeom_laguerre_l, acb_hypgeom_laguerre_l>},
    {"chebyt", 2, 2, nowhere, "chebyt(n, x)", binary<arb_hypgeom_chebyshev_t, acb_hypgeom_chebyshev_t>},
    {"chebyu", 2, 2, nowhere, "chebyu(n, x)", binary<arb_hypgeom_chebyshev_u, acb_hypgeom_chebyshev_u>},
};

// By family.
std::vector<const Function*> all_functions() {
  std::vector<const Function*> all;
  for (const std::span<const Function> family :
       {std::span<const Function>(elementary_rows), std::span<const Function>(trigonometric_rows), gamma_functions(),
        error_functions(), bessel_functions(), elliptic_functions(), hypergeometric_functions(),
        std::span<const Function>(polynomial_rows)})
    for (const Function& function : family)
      all.push_back(&function);
  return all;
}

} // namespace

// Orthogonal polynomials, and their extensions to other degrees.

const Function* find_function(std::string_view name) {
  static const auto index = [] {
    std::map<std::string_view, const Function*> index;
    for (const Function* function : all_functions())
      index.emplace(function->name, function);
    return index;
  }();
  const auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names = {"if", "sum", "prod", "integral"};
  for (const Function* function : all_functions())
    names.emplace_back(function->name);
  return names;
}

} // namespace faultline::oracle
