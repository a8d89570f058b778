// The product of many small probabilities underflows before its logarithm is taken.
// options: --size p=16 --range p=1e-30:1e-10
#include <math.h>

double log_likelihood(const double p[16]) {
  double product = 1;
  for (int i = 0; i < 16; i++)
    product *= p[i]; // FAULT: intermediate-underflow
  return log(product) / 16;
}
