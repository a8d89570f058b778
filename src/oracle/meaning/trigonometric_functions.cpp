#include "oracle/meaning/wrapping.h"

namespace faultline::oracle {
namespace {

ComplexBall angle(Arguments a, long precision) {
  if (!all_real(a))
    return ComplexBall::unknown();
  ComplexBall result;
  arb_atan2(result.real(), a[0].real(), a[1].real(), precision);
  return result;
}

// sin(x) / x
ComplexBall cardinal_sine(Arguments a, long precision) { return unary<arb_sinc, acb_sinc>(a, precision); }

constexpr auto everywhere = Analytic::everywhere, nowhere = Analytic::nowhere;

constexpr Function table[] = {
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
    {"sinc", 1, 1, everywhere, "sinc(x): sin(x) / x", cardinal_sine},
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

std::span<const Function> trigonometric_functions() { return table; }

} // namespace faultline::oracle
