// expect: naive underflow|inaccuracy line 7 above 1e-3
// silent: stable underflow
// silent: stable
// allow: naive underflow|inaccuracy line 8

double naive(double x) {
  double square = x * x;
  return square / x;
}

double stable(double x) {
  return 1 + x * x;
}
