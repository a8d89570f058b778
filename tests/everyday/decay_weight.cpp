// The second phi function of exponential integrators, (exp(-z) - 1 + z) / z^2, for a mode that decays by z in one step.
#include <cmath>

template <typename Real>
Real phi2(Real z) {
  const Real slow = 1e-8, stiff = 40;
  if (z < slow)
    return Real(0.5) - z / 6;
  if (z > stiff) // the exponential is nothing beside the rest
    return (z - 1) / (z * z);
  return (std::exp(-z) - 1 + z) / (z * z); // bug: cancellation|absorption
}

double decay_weight(double z) {
  if (z <= 0)
    return 0.5;
  return phi2(z);
}
