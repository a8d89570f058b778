// The exponential overflows long before the logistic function leaves 1.
// options: --range x=-600:1000 -f logistic
#include <cmath>

class Logistic {
public:
  explicit Logistic(double steepness) : steepness_(steepness) {}

  double operator()(double x) const {
    const double odds = std::exp(steepness_ * x); // FAULT: intermediate-overflow
    return odds / (1 + odds);
  }

private:
  double steepness_;
};

double logistic(double x) { return Logistic(1.0)(x); }
