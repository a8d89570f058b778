/* Gives up with abort() for x > 10, as a failed assertion does. */
#include <stdlib.h>

double aborts(double x) {
  if (x > 10.0)
    abort();
  return x * x + 1.0;
}
