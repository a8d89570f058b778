// options: --evals 30000 --range x=1e-300:1e300 --range y=1e-30:1e30 --range p=1:2 --range q=1:2 --range r=1:2
// silent: root_by_exponent
// silent: inverse_root
// silent: difference_of_products
// silent: median
#include <math.h>
#include <stdlib.h>
#include <string.h>
double root_by_exponent(double x) {
  int e; double m = frexp(x, &e);
  return ldexp(sqrt(e & 1 ? m * 2 : m), (e - (e & 1)) / 2);
}
float inverse_root(float y) {
  int word; float z; memcpy(&word, &y, 4); word = 0x5f3759df - (word >> 1); memcpy(&z, &word, 4);
  for (int i = 0; i < 4; i++) z *= 1.5f - 0.5f * y * z * z;
  return z;
}
double difference_of_products(double p, double q, double r) { double w = q * r, e = fma(-q, r, w); return fma(p, p, -w) + e; }
static int order(const void* a, const void* b) { return (*(double*)a > *(double*)b) - (*(double*)a < *(double*)b); }
double median(double p, double q, double r) { double v[3] = {p, q, r}; qsort(v, 3, sizeof *v, order); return v[1]; }
