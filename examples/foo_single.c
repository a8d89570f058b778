/* From R. Bagnara, M. Carlier, R. Gori, A. Gotlieb: Symbolic Path-Oriented Test Data Generation for Floating-Point
 * Programs (ICST 2013): is the path 1-2-3-4 feasible?
 *
 * The answer over the reals is wrong for floats, both ways: near 1e12 floats are 65536 apart, so adding less than 32768
 * changes nothing. Where exact arithmetic takes the other branch, it returns something else, too. */

/* Over the reals: for every x in (0, 10000). In floats: for none. */
float foo_reals_only(float x) {
  float y = 1.0e12f;
  float z = 0.0f;
  if (x < 10000.0f) /* 1 */
    z = x + y;      /* 2 */
  if (z > y)        /* 3 */
    return z - y;   /* 4 */
  return 0.0f;
}

/* Over the reals: for no x. In floats: for every x in (0, 32768). */
float foo_floats_only(float x) {
  float y = 1.0e12f;
  float z = 0.0f;
  if (x > 0.0f)   /* 1 */
    z = x + y;    /* 2 */
  if (z == y)     /* 3 */
    return -1.0f; /* 4 */
  return z - y;
}
