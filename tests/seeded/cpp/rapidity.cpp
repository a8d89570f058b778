// The speed of a fast particle is next to 1, where the inverse hyperbolic tangent is steep.
// options: -f rapidity --range momentum=1e3:1e8 --range mass=1:2
#include <cmath>

namespace physics {

struct Particle {
  double momentum, mass;

  double energy() const { return std::sqrt(momentum * momentum + mass * mass); }
  double speed() const { return momentum / energy(); }
};

double rapidity_of(const Particle &particle) {
  const double beta = particle.speed();
  return std::atanh(beta); // FAULT: sensitive-argument
}

} // namespace physics

double rapidity(double momentum, double mass) { return physics::rapidity_of({momentum, mass}); }
