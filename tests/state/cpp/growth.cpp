// State behind a reference.
#include <cmath>

struct Account {
  double balance, fee;
};

void pay_interest(Account& account, double rate) {
  account.balance *= std::pow(1 + rate, 12.0) - 1; // FAULT
}
