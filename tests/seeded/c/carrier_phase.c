// The cosine of a product that is huge: an ulp of the product is a good part of a turn.
// options: --range omega=1e6:1e9 --range time=1e3:1e6
#include <math.h>

double carrier_phase(double omega, double time) {
  const double offset = 1.5, swing = 0.75;
  double phase = omega * time;
  double wave = cos(phase); // FAULT: large-argument
  return offset + swing * wave;
}
