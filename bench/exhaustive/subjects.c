/* Four functions of one float, each as textbooks have it: what is hunted in, and what is run on all 2^32 floats. */
#include <math.h>

/* Cancels near 0 and near every multiple of 2 pi. */
float one_minus_cos(float x) { return (1.0f - cosf(x)) / (x * x); }

/* Chebyshev's T7 by Horner's rule: seven simple roots. */
float chebyshev_7(float x) {
  float y = x * x;
  return x * (((64.0f * y - 112.0f) * y + 56.0f) * y - 7.0f);
}

/* x log x - x + 1, a term of the relative entropy: a double root at 1, where the logarithm is near 0. */
float relative_entropy(float x) { return x * logf(x) - (x - 1.0f); }

/* The sine near 0, after W. Cody and W. Waite's reduction by multiples of pi in two pieces: the first product is exact,
 * the second one is not, and the difference is small near the roots. */
float sine_by_reduction(float x) {
  if (fabsf(x) > 10.0f)
    return NAN;
  float k = rintf(x * 0x1.45f306p-2f);
  float r = (x - k * 3.140625f) - k * 0x1.fb5444p-11f, s = r * r;
  float p = r + r * s * (-0x1.555556p-3f + s * (0x1.11110ep-7f + s * -0x1.a0176p-13f));
  return (int)k & 1 ? -p : p;
}
