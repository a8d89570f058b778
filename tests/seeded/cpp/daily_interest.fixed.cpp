// The logarithm of 1 + r/365 is taken before the 1 swallows the rate.
// options: --range principal=1:1000 --range rate=0.01:0.1 --hold days=36500
#include <cmath>

class Account {
public:
  explicit Account(float principal) : principal_(principal) {}

  float after(float rate, float days) const {
    const float growth = std::exp(days * std::log1p(rate / 365.0f));
    return principal_ * growth;
  }

private:
  float principal_;
};

float daily_interest(float principal, float rate, float days) { return Account(principal).after(rate, days); }
