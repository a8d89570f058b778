// The C library's functions. Each has a float and a long double variant, with f and l behind its name.
#include "oracle/meaning/catalogue_entry.h"

namespace faultline::oracle {
namespace {

// clang-format off
constexpr CatalogueEntry table[] = {
  {"exp", "x", "exp(x)"},
  {"exp2", "x", "2^x"},
  {"exp10", "x", "10^x"},
  {"expm1", "x", "expm1(x)"},
  {"log", "x", "log(x)"},
  {"log1p", "x", "log1p(x)"},
  {"log2", "x", "log2(x)"},
  {"log10", "x", "log10(x)"},
  {"sqrt", "x", "sqrt(x)"},
  {"cbrt", "x", "cbrt(x)"},
  {"pow", "x y", "x^y"},
  {"hypot", "x y", "hypot(x, y)"},
  {"fmod", "x y", "rem(x, y)"},
  {"sin", "x", "sin(x)"},
  {"cos", "x", "cos(x)"},
  {"tan", "x", "tan(x)"},
  {"sinpi", "x", "sinpi(x)"},
  {"cospi", "x", "cospi(x)"},
  {"tanpi", "x", "tanpi(x)"},
  {"asin", "x", "asin(x)"},
  {"acos", "x", "acos(x)"},
  {"atan", "x", "atan(x)"},
  {"atan2", "y x", "atan2(y, x)"},
  {"sinh", "x", "sinh(x)"},
  {"cosh", "x", "cosh(x)"},
  {"tanh", "x", "tanh(x)"},
  {"asinh", "x", "asinh(x)"},
  {"acosh", "x", "acosh(x)"},
  {"atanh", "x", "atanh(x)"},
  {"erf", "x", "erf(x)"},
  {"erfc", "x", "erfc(x)"},
  {"tgamma", "x", "gamma(x)"},
  {"lgamma", "x", "lgamma(x)"},
  {"j0", "x", "besselj(0, x)"},
  {"j1", "x", "besselj(1, x)"},
  {"jn", "n:i x", "besselj(n, x)"},
  {"y0", "x", "bessely(0, x)"},
  {"y1", "x", "bessely(1, x)"},
  {"yn", "n:i x", "bessely(n, x)"},
};
// clang-format on

} // namespace

Catalogue c_meanings() { return {table, Floats::suffixed}; }

} // namespace faultline::oracle
