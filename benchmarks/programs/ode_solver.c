/* Initial value problems: a pendulum by an adaptive Runge-Kutta method, stiff kinetics by an implicit one. */
#include "real.h"

#include <stdio.h>
#include <stdlib.h>

static const real gravity = 9.81, length = 1;

static void pendulum(const real *y, real *rate) {
  rate[0] = y[1];
  rate[1] = -gravity / length * sin(y[0]);
}

/* One step of Bogacki and Shampine's method; returns the estimate of its error. */
static real step_of(const real *y, real h, real *next) {
  real a[2], b[2], c[2], d[2], t[2];
  pendulum(y, a);
  for (int i = 0; i < 2; i++)
    t[i] = y[i] + h / 2 * a[i];
  pendulum(t, b);
  for (int i = 0; i < 2; i++)
    t[i] = y[i] + 3 * h / 4 * b[i];
  pendulum(t, c);
  for (int i = 0; i < 2; i++)
    next[i] = y[i] + h / 9 * (2 * a[i] + 3 * b[i] + 4 * c[i]);
  pendulum(next, d);
  real error = 0;
  for (int i = 0; i < 2; i++)
    error = fmax(error, fabs(h * (-5 * a[i] / 72 + b[i] / 12 + c[i] / 9 - d[i] / 8)));
  return error;
}

static real energy(const real *y) {
#if FAULT == 1
  const real height = length * (1 - cos(y[0])); /* fault 1: cancels for small swings */
#else
  const real half = sin(y[0] / 2), height = 2 * length * half * half;
#endif
  return gravity * height + length * length * y[1] * y[1] / 2;
}

/* Swings until `end`; returns the number of steps. */
static int swing(real *y, real end, real tolerance) {
  real t = 0, h = 0.01;
  int steps = 0;
  while (t < end) {
    if (t + h > end)
      h = end - t;
    real next[2];
    const real error = step_of(y, h, next);
    if (error <= tolerance) {
      t += h;
      y[0] = next[0];
      y[1] = next[1];
      steps++;
    }
    const real factor = error == 0 ? (real)5 : (real)0.9 * pow(tolerance / error, (real)1 / 3);
    h *= fmin(5, fmax((real)0.2, factor));
  }
  return steps;
}

/* The concentration at the end of a stiff reaction, y' = -1000 (y^3 - cos t), by the implicit midpoint rule. */
static real reaction(real step, int count) {
  real y = 0.5;
#if FAULT == 2
  const real tolerance = 0.3;
#else
  const real tolerance = 1e-13;
#endif
  for (int i = 0; i < count; i++) {
    const real t = (i + (real)0.5) * step;
    real middle = y, change = 1;
    while (fabs(change) > tolerance) { /* fault 2: Newton's method ends at once */
      const real value = middle - y + 500 * step * (middle * middle * middle - cos(t));
      change = value / (1 + 1500 * step * middle * middle);
      middle -= change;
    }
    y = 2 * middle - y;
  }
  return y;
}

/* The work of a force over a fixed time: one rectangle per step. */
static real work(real step, real end) {
  real sum = 0;
#if FAULT == 3
  for (real t = 0; t < end; t += step) /* fault 3: the time accumulates, and there is one step more */
    sum += step * exp(t);
#else
  const int count = (int)floor(end / step + (real)0.5);
  for (int i = 0; i < count; i++)
    sum += step * exp(i * step);
#endif
  return sum;
}

int main(int argc, char **argv) {
  const real end = argc > 1 ? atof(argv[1]) : 20;
  real y[2] = {1.5, 0};
  const int steps = swing(y, end, 1e-9);
  printf("steps %d angle %.17g speed %.17g\n", steps, (double)y[0], (double)y[1]);
  real small[2] = {1e-8, 0};
  printf("small %.17g\n", (double)energy(small));
  printf("energy %.17g\n", (double)energy(y));
  printf("reaction %.17g\n", (double)reaction((real)1e-2, 200));
  printf("work %.17g\n", (double)work((real)0.1, 1));
  return 0;
}
