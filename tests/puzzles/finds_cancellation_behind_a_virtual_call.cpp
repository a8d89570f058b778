// options: --hold sign=1 -f naive -f stable
// expect: naive inaccuracy line 9 above 0.9 operation fsub
// silent: stable
#include <cmath>
#include <functional>
#include <memory>
struct Wave { virtual double height(double x) const = 0; virtual ~Wave() = default; };
struct Versine : Wave {
  double height(double x) const override { return 1 - std::cos(x); }
};
struct HalfSine : Wave {
  double height(double x) const override { return 2 * std::pow(std::sin(x / 2), 2); }
};
static double scaled(const Wave& wave, double x, int sign) {
  std::function<double(double)> scale = [sign](double y) { return sign * y; };
  return scale(wave.height(x));
}
double naive(double x, int sign) { return scaled(*std::make_unique<Versine>(), x, sign); }
double stable(double x, int sign) { return scaled(*std::make_unique<HalfSine>(), x, sign); }
