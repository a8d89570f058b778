// options: --range x=1e3:1e15 -f naive -f stable
// expect: naive inaccuracy line 10 above 1e-3 operation fsub
// silent: stable
#include <cmath>
class Step {
public:
  explicit Step(double width) : width_(width) {}
  double naive(double x) const {
    auto change = [this](auto function, double at) {
      return function(at + width_) - function(at);
    };
    return change([](double y) { return std::sqrt(y); }, x);
  }
  double stable(double x) const { return width_ / (std::sqrt(x + width_) + std::sqrt(x)); }

private:
  double width_;
};
double naive(double x) { return Step(0.5).naive(x); }
double stable(double x) { return Step(0.5).stable(x); }
