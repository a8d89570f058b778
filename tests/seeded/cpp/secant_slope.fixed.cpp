// ((x + h)^3 - x^3) / h, multiplied out.
// options: --range x=1:100 --range step=1e-12:1e-3
double secant_slope(double x, double step) {
  return 3 * x * x + 3 * x * step + step * step;
}
