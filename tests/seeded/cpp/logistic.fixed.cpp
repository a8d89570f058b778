// The exponential of a negative number never overflows.
// options: --range x=-600:1000 -f logistic
#include <cmath>

class Logistic {
public:
  explicit Logistic(double steepness) : steepness_(steepness) {}

  double operator()(double x) const {
    const double odds = std::exp(-std::fabs(steepness_ * x));
    return x < 0 ? odds / (1 + odds) : 1 / (1 + odds);
  }

private:
  double steepness_;
};

double logistic(double x) { return Logistic(1.0)(x); }
