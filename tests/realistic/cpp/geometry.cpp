// Points and vectors in the plane and in space.
#include <cmath>

namespace geometry {

struct Point {
  double x, y;
};

struct Vector {
  double x, y, z;
};

double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

double length(const Vector &a) { return std::sqrt(dot(a, a)); }

Vector cross(const Vector &a, const Vector &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double angle_between(const Vector &a, const Vector &b) {
  return std::acos(dot(a, b) / (length(a) * length(b))); // BUG
}

// Distance of p from the line through a and b.
double line_distance(const Point &p, const Point &a, const Point &b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double span = std::hypot(dx, dy);
  if (span == 0)
    return std::hypot(p.x - a.x, p.y - a.y);
  return std::fabs(dx * (a.y - p.y) - (a.x - p.x) * dy) / span;
}

double triangle_area(double a, double b, double c) {
  if (!(a > 0 && b > 0 && c > 0) || a >= b + c || b >= a + c || c >= a + b)
    return 0;
  const double s = (a + b + c) / 2;
  return std::sqrt(s * (s - a) * (s - b) * (s - c)); // BUG
}

} // namespace geometry
