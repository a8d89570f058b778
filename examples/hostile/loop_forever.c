/* The square root by bisection, to a tolerance that floats cannot meet: from 8 on they are further apart than 1e-15,
 * so for x above 64 the interval stops shrinking and the loop never ends. */

double loops_forever(double x) {
  double low = 0.0, high = x + 1.0;
  while (high - low > 1e-15) {
    double middle = low + (high - low) / 2.0;
    if (middle * middle < x)
      low = middle;
    else
      high = middle;
  }
  return low;
}
