// A balance whose interest is paid into it.
#include <math.h>

typedef struct {
  double balance, rate;
} Account;

void pay_interest(Account* account, double years) {
  if (!(account->rate * years < 100)) // a mistake of the caller
    return;
  account->balance = account->balance * (exp(account->rate * years) - 1); // FAULT
}
