// Shannon's limit in bits per second for a noisy channel, from powers in the same unit.
#include <math.h>
#include <stdbool.h>

static bool is_channel(double bandwidth, double signal, double noise) {
  return bandwidth > 0.0 && signal >= 0.0 && noise > 0.0;
}

double channel_capacity(double bandwidth, double signal, double noise) {
  if (!is_channel(bandwidth, signal, noise))
    return 0.0;
  const double snr = signal / noise;
  return bandwidth * log2(1.0 + snr); // bug: absorption|sensitive-argument
}
