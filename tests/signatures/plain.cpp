// Functions of C++ with the signatures that people write, one of each sort. All of them are to be hunted in as they are.
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <valarray>
#include <vector>

struct Point {
  double x, y;
};
struct Segment {
  Point from, to;
};
struct Term {
  int power;
  double factor;
};
enum class Side { left, right };

namespace stats {
double mean(const std::vector<double>& v) {
  double s = 0;
  for (double x : v)
    s += x;
  return s / double(v.size());
}
double spread(std::vector<double> v) {
  double least = v[0], most = v[0];
  for (double x : v) {
    least = std::fmin(least, x);
    most = std::fmax(most, x);
  }
  return most - least;
}
void center(std::vector<double>& v) {
  const double m = mean(v);
  for (double& x : v)
    x -= m;
}
std::vector<double> differences(const std::vector<double>& v) {
  std::vector<double> d;
  for (size_t i = 1; i < v.size(); ++i)
    d.push_back(v[i] - v[i - 1]);
  return d;
}
float total(const std::vector<float>& v) {
  float s = 0;
  for (float x : v)
    s += x;
  return s;
}
} // namespace stats

double dot(std::span<const double> a, std::span<const double> b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
void scale(std::span<double> a, double f) {
  for (double& x : a)
    x = x * f - f;
}
double valued(const std::valarray<double>& v) { return v.sum() - v[0]; }
double nested(const std::vector<std::vector<double>>& m) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }
double polar(const std::vector<std::complex<double>>& z) { return std::abs(z[0]) - std::abs(z[1]); }
double path(const std::vector<Point>& p) { return std::hypot(p[1].x - p[0].x, p[1].y - p[0].y); }
double length3(std::array<double, 3> v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
double length3r(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
double plane(const std::array<std::array<double, 2>, 2>& m) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }
std::array<double, 2> swapped(std::array<double, 2> v) { return {v[1] - 1, v[0] - 1}; }
double distance(Point a, Point b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }
double longest(const Segment s) { return std::hypot(s.to.x - s.from.x, s.to.y - s.from.y); }
Point middle(const Point& a, const Point& b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
void reflect(Point& p, double axis) { p.x = 2 * axis - p.x; }
double term(Term t, double x) { return t.factor * std::pow(x, t.power) - 1; }
double choose(Side side, double a, double b) { return side == Side::left ? a - b : b + a; }
std::complex<double> shifted(std::complex<double> z) { return std::sqrt(z * z - 1.0) - z; }
std::complex<float> single(std::complex<float> z, float f) { return z * f - std::complex<float>(1, 0); }
std::optional<double> root(double a, double b, double c) {
  const double d = b * b - 4 * a * c;
  if (d < 0)
    return std::nullopt;
  return (-b + std::sqrt(d)) / (2 * a);
}
std::pair<double, double> roots(double a, double b, double c) {
  const double d = std::sqrt(b * b - 4 * a * c);
  return {(-b + d) / (2 * a), (-b - d) / (2 * a)};
}
std::tuple<double, int, double> split(double x) { return {x + 1 - 1, int(std::fmod(x, 10)), 1 - std::cos(x)}; }
bool inside(double x, double y) { return x * x + y * y < 1; }
int quadrant(double x, double y) { return x - y > 0 ? (x + y > 0 ? 0 : 1) : 2; }
double derivative(const std::function<double(double)>& f, double x, double h) { return (f(x + h) - f(x)) / h; }
double middle_rule(double (*f)(double), double a, double b) { return (b - a) * f((a + b) / 2); }
double weighted(double (*f)(double, void*), void* more, double x) { return f(x, more) - 1; }
double horner(const double (&c)[4], double x) { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
double determinant(const double a[2][2]) { return a[0][0] * a[1][1] - a[0][1] * a[1][0]; }
double third(const double p[3]) { return p[0] + p[1] - p[2]; }
void rotate(double& x, double& y, double t) {
  const double old = x;
  x = x * std::cos(t) - y * std::sin(t);
  y = old * std::sin(t) + y * std::cos(t);
}
double moved(std::vector<double>&& v) { return v[0] - v[1]; }
long double wide(long double x) { return std::sqrt(x + 1) - std::sqrt(x); }

class Ring {
public:
  Ring(double inner, double width) : inner_(inner), width_(width) {}
  double area() const { return (inner_ + width_) * (inner_ + width_) - inner_ * inner_; }
  double weight(double density) const { return area() * density - 1; }
  static double unit(double width) { return (1 + width) * (1 + width) - 1; }

private:
  double inner_, width_;
};

struct Line {
  double slope, offset;
  double at(double x) const { return slope * x + offset; }
};

Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
