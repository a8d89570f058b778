// options: --range x=1:3
// expect: naive inaccuracy line 9 above 1e-3 operation fadd|fsub
// silent: stable
static const double coefficients[10] = {-512, 2304, -4608, 5376, -4032, 2016, -672, 144, -18, 1};

double naive(double x) {
  double sum = 0;
  for (int i = 9; i >= 0; i--)
    sum = sum * x + coefficients[i];
  return sum;
}

double stable(double x) {
  double y = x - 2, y2 = y * y, y4 = y2 * y2;
  return y4 * y4 * y;
}
