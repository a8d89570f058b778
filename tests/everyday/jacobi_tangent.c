// Tangent of the angle by which Jacobi's method turns a 2 by 2 matrix: the smaller root of t^2 + 2 tau t - 1 = 0,
// where tau = (a22 - a11) / (2 a12).
#include <math.h>

static double smaller_root(double tau) {
  return sqrt(1.0 + tau * tau) - tau; // bug: cancellation|absorption
}

double jacobi_tangent(double tau) {
  if (tau < 0.0)
    return -smaller_root(-tau);
  return smaller_root(tau);
}
