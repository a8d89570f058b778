// Area of an isosceles facet of a mesh by Heron's formula: two long edges, and a base that is not longer than they are.
#include <cmath>

namespace {

struct Triangle {
  double a, b, c;

  double area() const {
    const double s = (a + b + c) / 2;
    return std::sqrt(s * (s - a) * (s - b) * (s - c)); // bug: cancellation|absorption
  }
};

} // namespace

double sliver_area(double edge, double base) {
  if (edge <= 0 || base <= 0 || base > edge)
    return 0;
  const Triangle facet{edge, edge, base};
  return facet.area();
}
