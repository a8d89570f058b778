// State behind a reference.
#include <cmath>

struct Account {
  double balance, fee;
};

void pay_interest(Account& account, double rate) {
  account.balance *= std::expm1(12 * std::log1p(rate));
}
