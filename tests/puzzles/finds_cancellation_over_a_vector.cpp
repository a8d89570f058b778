// options: --range x=1e6:1.000001e6 --range y=1e6:1.000001e6
// expect: naive inaccuracy line 11 above 1e-3 operation fsub
// silent: stable
#include <numeric>
#include <vector>

double naive(double x, double y) {
  std::vector<double> values{x, y};
  double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return squares - sum * sum / 2;
}

double stable(double x, double y) {
  std::vector<double> values{x, y};
  std::adjacent_difference(values.begin(), values.end(), values.begin());
  return values.back() * values.back() / 2;
}
