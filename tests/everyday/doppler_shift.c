// Beat frequency of a Doppler radar: the echo of a target that approaches, less what was sent.
#define SPEED_OF_LIGHT 299792458.0

double doppler_shift(double carrier, double approach) {
  double beta = 2.0 * approach / SPEED_OF_LIGHT; // there and back

  if (carrier <= 0.0)
    return 0.0;
  return carrier * (1.0 + beta) - carrier; // bug: absorption|cancellation
}
