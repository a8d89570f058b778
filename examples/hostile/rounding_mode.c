/* Rounds upwards from the first call on, and leaves it at that: everything that is computed after it is wrong by up to an
 * ulp an operation, unless whoever called it puts the rounding mode back. */
#include <fenv.h>

double changes_rounding_mode(double x) {
  fesetround(FE_UPWARD);
  double sum = 0.0;
  for (int i = 1; i <= 10; i++)
    sum += x / i;
  return sum;
}
