// expect: naive inaccuracy line 6 above 1e-3 operation fadd|fsub verdict ill-conditioned
// silent: stable

double naive(double x) {
  double square = x * x;
  return square - 1523990.25; // 1234.5 squared
}

double stable(double x) {
  return (x - 1234.5) * (x + 1234.5);
}
