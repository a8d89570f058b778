// Mechanics, optics, relativity.
#include <cmath>
#include <stdexcept>

namespace physics {

constexpr double c = 299792458.0;

// Kinetic energy for each kilogram.
double kinetic(double v) {
  if (std::fabs(v) >= c)
    throw std::domain_error("faster than light");
  const double gamma = 1 / std::sqrt(1 - v * v / (c * c));
  return (gamma - 1) * c * c; // BUG
}

double lorentz(double beta) {
  if (!(std::fabs(beta) < 1))
    throw std::domain_error("faster than light");
  return 1 / std::sqrt((1 - beta) * (1 + beta));
}

// Sagitta of a lens surface of radius r, at height h.
double sagitta(double r, double h) {
  if (r <= 0 || std::fabs(h) > r)
    return 0;
  return r - std::sqrt(r * r - h * h); // BUG
}

double resistors_in_parallel(double r1, double r2) {
  if (r1 < 0 || r2 < 0)
    throw std::invalid_argument("negative resistance");
  return r1 * r2 / (r1 + r2); // BUG
}

// Share of a paramagnet's moments that point along the field.
double magnetisation(double field) {
  if (field == 0)
    return 0;
  return 1 / std::tanh(field) - 1 / field; // BUG
}

struct Oscillator {
  double x, v;
};

// One step of the classical Runge-Kutta method for x'' = -w^2 x.
void advance(Oscillator &s, double w, double h) {
  const double k = -w * w;
  const double x1 = s.v, v1 = k * s.x;
  const double x2 = s.v + h / 2 * v1, v2 = k * (s.x + h / 2 * x1);
  const double x3 = s.v + h / 2 * v2, v3 = k * (s.x + h / 2 * x2);
  const double x4 = s.v + h * v3, v4 = k * (s.x + h * x3);
  s.x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
  s.v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
}

} // namespace physics
