/* Recurses without end for x > 10: halving and adding 1 leads to 2, never below. Every level needs its own frame, since
 * the result of the next one is still added to something of this one. */

static volatile double limit = 1.0;

__attribute__((noinline)) static double descend(double x) {
  volatile double level[16];
  level[0] = x;
  if (x < limit)
    return x;
  return descend(x / 2.0 + 1.0) + level[0];
}

double overflows_stack(double x) {
  if (x > 10.0)
    return descend(x);
  return x * x + 1.0;
}
