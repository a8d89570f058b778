// options: --range x=0:40 --evals 10000
// expect: naive inaccuracy line 7 above 1e-3 operation fadd|fsub
// silent: stable
static double exponential(double x) {
  double sum = 1.0, term = 1.0;
  for (int i = 1; i < 150; i++)
    sum += term *= x / i;
  return sum;
}

double naive(double x) {
  return exponential(-x);
}

double stable(double x) {
  return 1.0 / exponential(x);
}
