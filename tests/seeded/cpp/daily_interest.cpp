// A high power of a float next to 1: the rounding of the base is multiplied by the exponent.
// options: --range principal=1:1000 --range rate=0.01:0.1 --hold days=36500
#include <cmath>

class Account {
public:
  explicit Account(float principal) : principal_(principal) {}

  float after(float rate, float days) const {
    const float daily = 1.0f + rate / 365.0f;
    const float growth = std::pow(daily, days); // FAULT: sensitive-argument
    return principal_ * growth;
  }

private:
  float principal_;
};

float daily_interest(float principal, float rate, float days) { return Account(principal).after(rate, days); }
