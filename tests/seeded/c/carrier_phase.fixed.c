// The rounding of the product is known exactly and turned back.
// options: --range omega=1e6:1e9 --range time=1e3:1e6
#include <math.h>

double carrier_phase(double omega, double time) {
  const double offset = 1.5, swing = 0.75;
  double phase = omega * time;
  double rest = fma(omega, time, -phase);
  double wave = cos(phase) * cos(rest) - sin(phase) * sin(rest);
  return offset + swing * wave;
}
