// The same from momentum and mass, without the speed.
// options: -f rapidity --range momentum=1e3:1e8 --range mass=1:2
#include <cmath>

namespace physics {

struct Particle {
  double momentum, mass;
};

double rapidity_of(const Particle &particle) {
  return std::asinh(particle.momentum / particle.mass);
}

} // namespace physics

double rapidity(double momentum, double mass) { return physics::rapidity_of({momentum, mass}); }
