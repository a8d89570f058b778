// The factor ((1 + r)^n - 1) / r of a loan: at a low rate the power is next to 1.
// options: --range rate=1e-13:1e-2
#include <cmath>

template <typename Money>
class Loan {
public:
  Loan(Money rate, int months) : rate_(rate), months_(months) {}

  Money growth() const { return std::pow(1 + rate_, Money(months_)); }

  Money factor() const {
    const Money gained = growth() - 1; // FAULT: cancellation
    return gained / rate_;
  }

private:
  Money rate_;
  int months_;
};

double annuity(double rate) { return Loan<double>(rate, 36).factor(); }
