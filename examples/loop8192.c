/* From D. Zou, R. Wang, Y. Xiong, L. Zhang, Z. Su, H. Mei: A Genetic Algorithm for Detecting Significant
 * Floating-Point Inaccuracies (ICSE 2015), Section III; the last line is rebuilt from its description.
 *
 * Adding |x| 8192 times and dividing by 8192 gives |x| back, so over the reals f returns 1 whatever x is. In
 * floats every addition rounds; how much is left of the roundings depends on the bits of x (a power of two makes none),
 * and the last line, which cancels |x| against the rounded |x|, shows what is left. */

float f(float x) {
  const int n = 8192;
  float y = 0.0f;
  const float z = n;
  if (x < 0)
    x = -x;
  for (int i = 0; i < n; i++)
    y = y + x;
  y = y / z;
  return (0.125f + x) - (y - 0.875f);
}
