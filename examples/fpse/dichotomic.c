/* After the case study dichotomic() in R. Bagnara, M. Carlier, R. Gori, A. Gotlieb: Symbolic Path-Oriented Test Data
 * Generation for Floating-Point Programs (ICST 2013). The paper's code is not published; this is our own.
 *
 * Where the rising calibration curve of a sensor reaches a level, by dichotomic search from `low` on: the step is
 * halved, and taken if the curve stays below. There is one way through the loop for each sequence of left and right.
 *
 * A step of 1e-6 exists only near zero: beyond 16 neighbouring floats are further apart. So no input makes the search
 * end regularly with a result beyond 1e6, and `faultline bench fpse` proves it, for 1 to 12 turns to the left. */

static const float tolerance = 1e-6f;
static const float largest = 1e6f; /* the curve is not calibrated beyond */

float dichotomic(float low, float high, float level) {
  float step = high - low;
  while (step > tolerance) {
    float half = step / 2.0f;
    float middle = low + half;
    if (middle <= low)
      return low; /* no float in between */
    float value = ((0.25f * middle + 1.5f) * middle + 40.0f) * middle;
    float gap = value - level;
    if (gap == 0.0f)
      return middle;
    if (gap < 0.0f)
      low = middle; /* right */
    step = half;
  }
  if (low > largest)
    return -1.0f;
  return low;
}
