// A difference quotient with a tiny step: the two values of the function are nearly equal.
// options: --range x=1:100 --range step=1e-12:1e-3
template <typename Function>
static double slope(Function function, double x, double step) {
  const double left = function(x);
  const double right = function(x + step);
  const double rise = right - left; // FAULT: cancellation
  return rise / step;
}

double secant_slope(double x, double step) {
  auto cube = [](double t) { return t * t * t; };
  return slope(cube, x, step);
}
