// State behind a reference.
#include <cmath>

struct Account {
  double balance, rate;
};

void pay_interest(Account& account, double years) {
  if (!(account.rate * years < 100)) // a mistake of the caller
    return;
  account.balance *= std::expm1(account.rate * years * 0.6931471805599453);
}
