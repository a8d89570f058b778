/* Reads a table that nobody has allocated for x > 10. */
#include <stddef.h>

static double* volatile table = NULL;

double segfaults(double x) {
  if (x > 10.0)
    return table[0] * x;
  return x * x + 1.0;
}
