// options: --range x=0.5:2
// expect: naive inaccuracy line 8 above 1e-3 operation fadd|fsub
// silent: stable
// known: not found yet by auto: the search ends on 1 itself, where there is no error

double naive(double x) {
  double inverse = 1.0 / x;
  return inverse - 1.0;
}

double stable(double x) {
  return (1.0 - x) / x;
}
