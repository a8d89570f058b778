// The sum of the logarithms.
// options: --size p=16 --range p=1e-30:1e-10
#include <math.h>

double log_likelihood(const double p[16]) {
  double sum = 0;
  for (int i = 0; i < 16; i++)
    sum += log(p[i]);
  return sum / 16;
}
