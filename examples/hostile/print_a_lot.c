/* Every call writes some 10 kB to standard output and as much to standard error. */
#include <stdio.h>

double prints_a_lot(double x) {
  double sum = 0.0;
  for (int i = 1; i <= 200; i++) {
    sum += x / i;
    printf("{ \"step\": %d, \"this is not\": \"your output\", \"sum\": %g }\n", i, sum);
    fprintf(stderr, "warning: step %d of 200 of x = %g reached %g\n", i, x, sum);
  }
  fflush(stdout);
  return sum;
}
