/* Exceptions that random search does not meet: each stands behind a condition that hardly any input fulfils. The marked
 * line of each function raises the exception that the mark names.
 *
 *   faultline hunt examples/exceptions/hidden.c --strategy ariadne --for exceptions
 */
#include <math.h>

/* Conditions that are equalities, or nearly. */
double linear_equality(double x) {
  if (3 * x + 7 == 12.25)
    return 1 / (x - 1.75); /* divide-by-zero */
  return x;
}

double two_equalities(double x, double y) {
  if (x + y == 40.375 && x - y == 5.125)
    return 1 / (x - 22.75); /* divide-by-zero */
  return x + y;
}

double product_and_sum(double x, double y) {
  if (x * y == 391 && x + y == 40)
    return sqrt(y - x - 100); /* invalid */
  return x - y;
}

/* Polynomials of degree 2 to 6. */
double quadratic_root(double x) {
  double p = x * x + 92.125 * x - 128.5625;
  return 1 / p; /* divide-by-zero */
}

double cubic_root(double x) {
  double p = ((x - 1.625) * x - 1.625) * x - 2.625;
  if (p == 0)
    return exp(300 * x); /* overflow */
  return p;
}

double quartic_window(double x) {
  double p = (((x - 3) * x - 11) * x + 7) * x - 123.4;
  if (fabs(p) < 1e-9)
    return p * 1e-300; /* underflow */
  return x;
}

double quintic_window(double x) {
  double p = x * x * x * x * x - x - 3.7;
  if (fabs(p) < 1e-11)
    return sqrt(x - 2); /* invalid */
  return p;
}

double sextic_window(double x) {
  double square = x * x;
  double p = square * square * square - 4 * square * x + 2 * x - 1000.5;
  if (p > -1e-9 && p < 1e-9 && x < 0)
    return exp(-1e3 * x); /* overflow */
  return p;
}

double circle_and_cubic(double x, double y) {
  if (fabs(x * x + y * y - 1234.5) < 1e-8 && fabs(x * x * x - y) < 1e-8)
    return log(x + y - 100); /* invalid */
  return x;
}

/* Rational functions. */
double rational_window(double x) {
  double r = (x * x + 1) / (x - 3);
  if (fabs(r - 50.3) < 1e-11)
    return r * 1e307; /* overflow */
  return r;
}

double rational_pole(double x) {
  double denominator = (x - 0.1875) / (x * x + 1) - 0.25;
  return 1 / (denominator + 0.21875 - 0.0625); /* divide-by-zero */
}

double rational_of_two(double x, double y) {
  if (fabs((x - y) / (x + y) - 0.3) < 1e-14 && fabs(x - 12345.678) < 1e-9)
    return 1e-200 * exp(-y); /* underflow */
  return x;
}

/* Elementary functions. */
double exponential_window(double x) {
  double e = exp(x * x - 3);
  if (fabs(e - 7.7) < 1e-12)
    return log(2 - e); /* invalid */
  return e;
}

double logarithm_window(double x) {
  if (fabs(log(x) - 3.3) < 1e-14)
    return x * 1e307 * x; /* overflow */
  return x;
}

double sine_top(double x) {
  if (x > 1000 && x < 2000 && sin(x) > 1 - 1e-15)
    return log(-x); /* invalid */
  return x;
}

double power_window(double x) {
  double p = pow(x, 2.5);
  if (fabs(p - 17) < 1e-13)
    return p / (x - x); /* divide-by-zero */
  return p;
}

double square_root_equality(double x) {
  if (sqrt(x + 3) == 11.1875)
    return 1 / (x - 122.16015625); /* divide-by-zero */
  return x;
}

double arc_tangent_window(double x) {
  if (fabs(atan(x) - 1.2) < 1e-15)
    return exp(1e3 * x); /* overflow */
  return x;
}

/* Beyond a loop, and a conversion. */
double iterated_square(double x) {
  double s = x;
  for (int i = 0; i < 3; ++i)
    s = s * s - 1.5;
  if (fabs(s - 777.7) < 1e-9)
    return 1e-310 * x; /* underflow */
  return s;
}

int conversion(double x, double* rest) {
  double p = x * x * x - 29.7;
  *rest = p;
  if (fabs(p) < 1e-11)
    return (int)(x * 1e12); /* invalid */
  return 0;
}
