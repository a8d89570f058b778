// expect: naive inaccuracy line 6 above 0.9 operation fsub
// silent: stable

double naive(double x) {
  double sum = x + 1.0;
  return sum - x;
}

// The same with the error of the addition: 1, whatever x is.
double stable(double x) {
  double sum = x + 1.0;
  double one = sum - x;
  return one + ((x - (sum - one)) + (1.0 - one));
}
