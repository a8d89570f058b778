#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

Ball ai(const Ball& x) {
  Ball value(x.precision());
  arb_hypgeom_airy(value.raw(), nullptr, nullptr, nullptr, x.raw(), x.precision());
  return value;
}
Ball ai_deriv(const Ball& x) {
  Ball value(x.precision());
  arb_hypgeom_airy(nullptr, value.raw(), nullptr, nullptr, x.raw(), x.precision());
  return value;
}
Ball bi(const Ball& x) {
  Ball value(x.precision());
  arb_hypgeom_airy(nullptr, nullptr, value.raw(), nullptr, x.raw(), x.precision());
  return value;
}
Ball bi_deriv(const Ball& x) {
  Ball value(x.precision());
  arb_hypgeom_airy(nullptr, nullptr, nullptr, value.raw(), x.raw(), x.precision());
  return value;
}

// GSL scales for x > 0 only: there, Ai falls and Bi grows by exp(2/3 x^(3/2)).
template <Ball (*function)(const Ball&), int sign>
Ball scaled(const Ball& x) {
  if (!x.is_certainly_positive())
    return function(x);
  return function(x) * exp(sign * 2 * x * sqrt(x) / 3);
}

const GslReference references[] = {
    {"gsl_sf_airy_Ai", 1, everywhere<ai>},
    {"gsl_sf_airy_Bi", 1, everywhere<bi>},
    {"gsl_sf_airy_Ai_scaled", 1, everywhere<scaled<ai, +1>>},
    {"gsl_sf_airy_Bi_scaled", 1, everywhere<scaled<bi, -1>>},
    {"gsl_sf_airy_Ai_deriv", 1, everywhere<ai_deriv>},
    {"gsl_sf_airy_Bi_deriv", 1, everywhere<bi_deriv>},
    {"gsl_sf_airy_Ai_deriv_scaled", 1, everywhere<scaled<ai_deriv, +1>>},
    {"gsl_sf_airy_Bi_deriv_scaled", 1, everywhere<scaled<bi_deriv, -1>>},
};

} // namespace

Family airy_family() { return references; }

} // namespace faultline::benchmarks
