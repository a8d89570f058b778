// options: --size a=8 --size b=8 --range a=1:1e15 --range b=1:1e15 --evals 2000
// expect: naive inaccuracy line 7 above 1e-3 operation fsub
// silent: stable
#include <math.h>
void naive(const double* restrict a, double* restrict b) {
  for (int i = 0; i < 8; i++)
    b[i] = sqrt(a[i] + 1.0) - sqrt(a[i]);
}

void stable(const double* restrict a, double* restrict b) {
  for (int i = 0; i < 8; i++)
    b[i] = 1.0 / (sqrt(a[i] + 1.0) + sqrt(a[i]));
}
