/* The fast Fourier transform, and what uses it: a convolution, a spectrum, the way there and back. */
#include "real.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  real re, im;
} complex_number;

static const real pi = 3.141592653589793;

static void swap(complex_number *a, complex_number *b) {
  const complex_number t = *a;
  *a = *b;
  *b = t;
}

static void reverse_bits(complex_number *a, int n) {
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      swap(a + i, a + j);
  }
}

/* In place, `sign` -1 forward and 1 backward; roots of unity by the stable recurrence w += w * (e^(i angle) - 1). */
static void transform(complex_number *a, int n, int sign) {
  reverse_bits(a, n);
  for (int length = 2; length <= n; length *= 2) {
    const real angle = sign * 2 * pi / length;
#if FAULT == 1
    const real change = cos(angle) - 1; /* fault 1: cancels; the branch below says how to write it */
#else
    const real half = sin(angle / 2), change = -2 * half * half;
#endif
    const real turn = sin(angle);
    real re = 1, im = 0;
    for (int k = 0; k < length / 2; k++) {
      for (int i = k; i < n; i += length) {
        complex_number *low = a + i, *high = a + i + length / 2;
        const real x = high->re * re - high->im * im, y = high->re * im + high->im * re;
        high->re = low->re - x;
        high->im = low->im - y;
        low->re += x;
        low->im += y;
      }
      const real next = re + (re * change - im * turn);
      im += im * change + re * turn;
      re = next;
    }
  }
}

static void scale(complex_number *a, int n) {
  for (int i = 0; i < n; i++) {
    a[i].re /= n;
    a[i].im /= n;
  }
}

/* A signal: two tones that decay. */
static complex_number *signal_of(int n) {
  complex_number *a = malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; i++) {
    const real t = (real)i / n;
#if FAULT == 2
    a[i].re = exp(-4.7f * t) * (sin(40 * t) + (real)0.4 * cos(311 * t)); /* fault 2: a constant in single precision */
#else
    a[i].re = exp(-(real)4.7 * t) * (sin(40 * t) + (real)0.4 * cos(311 * t));
#endif
#if FAULT != 3
    a[i].im = 0; /* fault 3: without it, an uninitialised value */
#endif
  }
  return a;
}

static real energy(const complex_number *a, int n) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i].re * a[i].re + a[i].im * a[i].im; /* fault 3 shows here first */
  return sum;
}

/* sin(x) / x, by a series near 0. */
static real sinc(real x) {
#if FAULT == 4
  return fabs(x) < (real)1e-3 ? (x - sin(x)) / (x * x * x) : (real)1 / 6 - x * x / 120; /* fault 4: the guard is flipped */
#else
  return fabs(x) > (real)1e-3 ? (x - sin(x)) / (x * x * x) : (real)1 / 6 - x * x / 120;
#endif
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 15;
  complex_number *signal = signal_of(n), *kernel = signal_of(n);
  const real before = energy(signal, n);
  transform(signal, n, -1);
  printf("tone %.17g %.17g\n", (double)signal[6].re, (double)signal[6].im);
  printf("energy %.17g %.17g\n", (double)before, (double)(energy(signal, n) / n));
  for (int i = 0; i < n; i++) {
    kernel[i].re = sinc((real)1e-5 * (i + 1));
    kernel[i].im = 0;
  }
  printf("kernel %.17g %.17g\n", (double)kernel[0].re, (double)kernel[n / 2].re);
  transform(kernel, n, -1);
  for (int i = 0; i < n; i++) {
    const complex_number s = signal[i], k = kernel[i];
    signal[i].re = s.re * k.re - s.im * k.im;
    signal[i].im = s.re * k.im + s.im * k.re;
  }
  transform(signal, n, 1);
  scale(signal, n);
  printf("convolution %.17g %.17g\n", (double)signal[100].re, (double)signal[n / 2].re);
  free(signal);
  free(kernel);
  return 0;
}
