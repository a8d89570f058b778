// Small payments into a large account: a float near 1e8 does not see them.
// options: --range opening=5e7:1e8 --range payment=0.5:3 --threshold 1e-4 --evals 60
float settled_balance(float opening, float payment) {
  const int payments = 20000;
  float balance = opening;
  for (int i = 0; i < payments; i++)
    balance += payment; // FAULT: absorption
  return balance;
}
