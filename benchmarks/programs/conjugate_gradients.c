/* Solves the Poisson equation on a square by conjugate gradients: sparse products, dot products, one stopping test. */
#include "real.h"

#include <stdio.h>
#include <stdlib.h>

enum { side = 192, unknowns = side * side };

static real x[unknowns], r[unknowns], p[unknowns], q[unknowns], b[unknowns];

/* q = A p, with the five-point stencil. */
static void multiply(const real *from, real *to) {
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      const int k = i * side + j;
      real sum = 4 * from[k];
      if (i > 0)
        sum -= from[k - side];
      if (i < side - 1)
        sum -= from[k + side];
      if (j > 0)
        sum -= from[k - 1];
      if (j < side - 1)
        sum -= from[k + 1];
      to[k] = sum;
    }
}

static real dot(const real *a, const real *c) {
  real sum = 0;
  for (int k = 0; k < unknowns; k++)
    sum += a[k] * c[k];
  return sum;
}

int main(int argc, char **argv) {
  const int most = argc > 1 ? atoi(argv[1]) : 400;
#if FAULT == 1
  const real tolerance = 1e-2;
#elif FAULT == 2
  const real tolerance = 1e-80;
#else
  const real tolerance = 1e-20;
#endif
  const real h = (real)1 / (side + 1);
  for (int k = 0; k < unknowns; k++)
#if FAULT == 3
    r[k] = p[k] = b[k] = h * h * sin(3.1f * k * h); /* fault 3: a constant in single precision */
#else
    r[k] = p[k] = b[k] = h * h * sin((real)3.1 * k * h);
#endif
  real rho = dot(r, r);
  const real first = rho;
  int steps = 0;
  while (steps < most && rho > tolerance * first) { /* faults 1 and 2: a loose tolerance, one that is never reached */
    multiply(p, q);
    const real alpha = rho / dot(p, q);
    for (int k = 0; k < unknowns; k++) {
      x[k] += alpha * p[k];
      r[k] -= alpha * q[k];
    }
    const real next = dot(r, r);
    const real beta = next / rho;
    for (int k = 0; k < unknowns; k++)
      p[k] = r[k] + beta * p[k];
    rho = next;
    steps++;
  }
  printf("steps %d\n", steps);
  printf("residual %.17e\n", (double)sqrt(rho / first));
  printf("centre %.17e\n", (double)x[(side / 2) * side + side / 2]);
  printf("norm %.17e\n", (double)sqrt(dot(x, x)));
  return 0;
}
