/* Ends the whole process for x > 10, and says that all is well. */
#include <stdlib.h>

double exits(double x) {
  if (x > 10.0)
    exit(0);
  return x * x + 1.0;
}
