// Eigenvalues, singular values, and Archimedes' polygons.
#include <algorithm>
#include <array>
#include <cmath>

namespace iter {

// The smallest singular value of a matrix of three rows and three columns
// (a[3 * row + column], entries up to 1e6): the eigenvalues of A^T A by Jacobi's
// rotations.
double smallest_singular(const double a[9]) {
  std::array<std::array<double, 3>, 3> g;
  for (int i = 0; i < 9; ++i)
    if (!(std::fabs(a[i]) <= 1e6))
      return 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      g[i][j] = a[i] * a[j] + a[3 + i] * a[3 + j] + a[6 + i] * a[6 + j];
  for (int sweep = 0; sweep < 50; ++sweep) {
    double off = 0;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q)
        if (g[p][q] != 0)
          off = std::max(off, std::fabs(g[p][q]) / std::sqrt(std::fabs(g[p][p] * g[q][q])));
    if (off <= 1e-16)
      break;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (g[p][q] == 0)
          continue;
        double theta = (g[q][q] - g[p][p]) / (2 * g[p][q]);
        double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::hypot(theta, 1.0));
        double c = 1 / std::sqrt(t * t + 1), s = t * c;
        double h = t * g[p][q];
        int r = 3 - p - q;
        double gp = g[p][r], gq = g[q][r];
        g[p][p] -= h;
        g[q][q] += h;
        g[p][q] = g[q][p] = 0;
        g[p][r] = g[r][p] = c * gp - s * gq;
        g[q][r] = g[r][q] = s * gp + c * gq;
      }
  }
  double least = std::min({g[0][0], g[1][1], g[2][2]});
  return least > 0 ? std::sqrt(least) : 0;
}

// The area of a circle of radius r: sides of the inscribed polygons, doubled
// from the hexagon.
double circle_area(double r) {
  if (!(r >= 0 && r <= 1e9))
    return 0;
  double side = 1, corners = 6;
  for (int i = 0; i < 24; ++i) {
    side = std::sqrt(2 - std::sqrt(4 - side * side));
    corners *= 2;
  }
  return r * r * (corners * side / 2);
}

// The dominant eigenvalue of the matrix with positive entries a, b; c, d (each
// taken between 1e-6 and 1000) by power iteration.
double dominant_eigenvalue(double a, double b, double c, double d) {
  for (double* v : {&a, &b, &c, &d})
    *v = std::min(std::max(*v, 1e-6), 1e3);
  double x = 1, y = 1, value = 0, change;
  int n = 0;
  do {
    double u = a * x + b * y, v = c * x + d * y;
    double size = u + v;
    change = std::fabs(size / (x + y) - value);
    value = size / (x + y);
    x = u / size;
    y = v / size;
  } while (change > 1e-4 && ++n < 2000);
  return value;
}

} // namespace iter
