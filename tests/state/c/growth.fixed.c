// A balance whose interest is paid into it.
#include <math.h>

typedef struct {
  double balance;
} Account;

void pay_interest(Account* account, double rate) {
  account->balance = account->balance * expm1(rate);
}
