// options: --range x=1:1.7e308
// expect: naive overflow line 6 verdict avoidable operation fmul
// silent: naive inaccuracy
// silent: stable all
double naive(double x) {
  return x * x / (x + 1);
}

double stable(double x) {
  return x / (1 + 1 / x);
}
