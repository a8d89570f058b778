/* Solves the Poisson equation on a square by conjugate gradients: sparse products, dot products, one stopping test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 192, unknowns = side * side };

static double x[unknowns], r[unknowns], p[unknowns], q[unknowns], b[unknowns];

/* q = A p, with the five-point stencil. */
static void multiply(const double *from, double *to) {
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      const int k = i * side + j;
      double sum = 4 * from[k];
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

static double dot(const double *a, const double *c) {
  double sum = 0;
  for (int k = 0; k < unknowns; k++)
    sum += a[k] * c[k];
  return sum;
}

int main(int argc, char **argv) {
  const int most = argc > 1 ? atoi(argv[1]) : 400;
  const double h = (double)1 / (side + 1);
  for (int k = 0; k < unknowns; k++)
    r[k] = p[k] = b[k] = h * h * sin(3.0 * k * h);
  double rho = dot(r, r);
  const double first = rho;
  int steps = 0;
  while (steps < most && rho > 1e-20 * first) {
    multiply(p, q);
    const double alpha = rho / dot(p, q);
    for (int k = 0; k < unknowns; k++) {
      x[k] += alpha * p[k];
      r[k] -= alpha * q[k];
    }
    const double next = dot(r, r);
    const double beta = next / rho;
    for (int k = 0; k < unknowns; k++)
      p[k] = r[k] + beta * p[k];
    rho = next;
    steps++;
  }
  printf("steps %d\n", steps);
  printf("residual %.6e\n", sqrt(rho / first));
  printf("centre %.10e\n", x[(side / 2) * side + side / 2]);
  printf("norm %.10e\n", sqrt(dot(x, x)));
  return 0;
}
