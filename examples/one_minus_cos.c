/* From D. Zou, M. Zeng, Y. Xiong, Z. Fu, L. Zhang, Z. Su: Detecting Floating-Point Errors via Atomic Conditions
 * (POPL 2020), Figure 1.
 *
 * (1 - cos x) / x^2 tends to 1/2 as x tends to 0. Near 0, cos x is rounded to a value next to 1, and the subtraction
 * leaves little but that rounding: at x = 1e-7 three digits are right, below 1e-8 the result is 0. The same happens
 * next to every multiple of 2 pi. (sin(x/2) / (x/2))^2 / 2 is the same function without the cancellation. */
#include <math.h>

double one_minus_cos(double x) {
  double difference = 1.0 - cos(x);
  return difference / (x * x);
}
