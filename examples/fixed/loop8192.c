/* loop8192.c without its roundings: the sum of n equal terms is a product, which is exact in double precision, and what
 * cancels is subtracted first. */

float f(float x) {
  const int n = 8192;
  if (x < 0)
    x = -x;
  float y = (float)((double)n * x / n);
  return (0.125f + 0.875f) + (x - y);
}
