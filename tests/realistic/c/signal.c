// Windows and filters.
#include <math.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

double hann(int i, int n) {
  if (n < 2)
    return 1.0;
  double s = sin(M_PI * i / (n - 1));
  return s * s;
}

typedef struct {
  double b0, b1, b2, a1, a2;
} Coefficients;

// Second-order low-pass after the audio cookbook. fc: corner, fs: sample rate, q: quality.
Coefficients lowpass(double fc, double fs, double q) {
  Coefficients k = {1.0, 0.0, 0.0, 0.0, 0.0};
  if (fc <= 0.0 || fs <= 2.0 * fc || q <= 0.0)
    return k;
  double w0 = 2.0 * M_PI * fc / fs;
  double c = cos(w0), alpha = sin(w0) / (2.0 * q), a0 = 1.0 + alpha;
  k.b1 = (1.0 - c) / a0; // BUG
  k.b0 = k.b1 / 2.0;
  k.b2 = k.b0;
  k.a1 = -2.0 * c / a0;
  k.a2 = (1.0 - alpha) / a0;
  return k;
}

typedef struct {
  double z1, z2;
} Delay;

double filter_step(const Coefficients *k, Delay *d, double x) {
  double y = k->b0 * x + d->z1;
  d->z1 = k->b1 * x - k->a1 * y + d->z2;
  d->z2 = k->b2 * x - k->a2 * y;
  return y;
}

double sinc(double x) {
  double t = M_PI * x;
  return sin(t) / t; // BUG
}

// Wraps a phase into [0, 2 pi).
double wrap_phase(double p) {
  double turns = floor(p / (2.0 * M_PI));
  return p - turns * (2.0 * M_PI);
}

// Root mean square level in decibels, relative to full scale.
float level_db(const float *x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  if (n <= 0 || sum <= 0.0f)
    return -200.0f;
  return 10.0f * log10f(sum / (float)n);
}
