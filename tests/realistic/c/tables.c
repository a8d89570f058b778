// Interpolation in tables, and integrals.
#include <math.h>

static const double viscosity[6] = {1.787, 1.519, 1.307, 1.002, 0.798, 0.653};

// Viscosity of water (mPa s) between 0 and 50 degrees, from a table with steps of 10 degrees.
double water_viscosity(double celsius) {
  if (celsius < 0.0 || celsius > 50.0)
    return -1.0;
  int i = (int)(celsius / 10.0);
  double t = celsius / 10.0 - i;
  return viscosity[i] + t * (viscosity[i + 1] - viscosity[i]); // BUG
}

double water_viscosity_clamped(double celsius) {
  if (!(celsius >= 0.0 && celsius <= 50.0))
    return -1.0;
  int i = (int)(celsius / 10.0);
  if (i > 4)
    i = 4;
  double t = celsius / 10.0 - i;
  return viscosity[i] + t * (viscosity[i + 1] - viscosity[i]);
}

double trapezoid(const double *x, const double *y, int n) {
  double area = 0.0;
  for (int i = 1; i < n; i++)
    area += 0.5 * (x[i] - x[i - 1]) * (y[i] + y[i - 1]);
  return area;
}

// Cubic Hermite interpolation for t in [0, 1].
double hermite(double t, double p0, double p1, double m0, double m1) {
  if (t < 0.0)
    t = 0.0;
  if (t > 1.0)
    t = 1.0;
  double u = 1.0 - t;
  return u * u * (1 + 2 * t) * p0 + t * u * u * m0 + t * t * (1 + 2 * u) * p1 - t * t * u * m1;
}

// Number of samples of a ramp from lo to hi.
int steps(float lo, float hi, float step) {
  int n = 0;
  if (!(step > 0.01f) || !(hi > lo) || hi - lo > 10.0f)
    return 0;
  for (float x = lo; x < hi; x += step) // BUG
    n++;
  return n;
}

double slope_of_square_root(double x) {
  double h = 1e-10;
  if (!(x > 0.0))
    return 0.0;
  return (sqrt(x + h) - sqrt(x)) / h; // BUG
}
