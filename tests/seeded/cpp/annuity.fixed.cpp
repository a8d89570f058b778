// expm1 and log1p keep what is above 1.
// options: --range rate=1e-13:1e-2
#include <cmath>

template <typename Money>
class Loan {
public:
  Loan(Money rate, int months) : rate_(rate), months_(months) {}

  Money factor() const {
    const Money gained = std::expm1(Money(months_) * std::log1p(rate_));
    return gained / rate_;
  }

private:
  Money rate_;
  int months_;
};

double annuity(double rate) { return Loan<double>(rate, 36).factor(); }
