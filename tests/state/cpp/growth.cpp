// State behind a reference.
#include <cmath>

struct Account {
  double balance, rate;
};

void pay_interest(Account& account, double years) {
  if (!(account.rate * years < 100)) // a mistake of the caller
    return;
  account.balance *= std::pow(2, account.rate * years) - 1; // FAULT
}
