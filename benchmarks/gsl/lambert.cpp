#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

// No double is -1/e, so the comparison is decided at some precision; GSL returns -1 and an error below it.
bool is_below_branch_point(double x) {
  const Ball exact(x, 256);
  return (exact + exp(exact.constant(-1))).is_certainly_negative();
}

Ball w(const Ball& x, int branch) {
  Ball value(x.precision());
  arb_lambertw(value.raw(), x.raw(), branch, x.precision());
  return value;
}

Value w0(const Arguments& a) {
  if (is_below_branch_point(a[0]))
    return undefined;
  return w(a.ball(0), 0);
}

// GSL's W_-1 goes on as W_0 from 0 upwards.
Value wm1(const Arguments& a) {
  if (is_below_branch_point(a[0]))
    return undefined;
  return w(a.ball(0), a[0] < 0 ? 1 : 0);
}

const GslReference references[] = {
    {"gsl_sf_lambert_W0", 1, w0},
    {"gsl_sf_lambert_Wm1", 1, wm1},
};

} // namespace

Family lambert_family() { return references; }

} // namespace faultline::benchmarks
