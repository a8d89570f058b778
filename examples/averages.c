/* From E. Barr, T. Vo, V. Le, Z. Su: Automatic Detection of Floating-Point Exceptions (POPL 2013), Figure 1, after
 * P. Sterbenz: Floating-Point Computation (1974).
 *
 * Four ways to write (x + y) / 2, all equal over the reals. av1 overflows when x and y are large and of one sign; av3
 * and av4 overflow when they are large and of opposite signs; av2 never overflows, but halves twice, and a half of a
 * subnormal may be lost. `average` chooses by the signs, and no finite x and y make it overflow. */

double av1(double x, double y) { return (x + y) / 2.0; }
double av2(double x, double y) { return x / 2.0 + y / 2.0; }
double av3(double x, double y) { return x + (y - x) / 2.0; }
double av4(double x, double y) { return y + (x - y) / 2.0; }

double average(double x, double y) {
  int same_sign = (x >= 0) == (y >= 0);
  if (!same_sign)
    return av1(x, y);
  return y >= x ? av3(x, y) : av4(x, y);
}
