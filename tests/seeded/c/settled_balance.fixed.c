// The payments are added to each other first.
// options: --range opening=5e7:1e8 --range payment=0.5:3 --threshold 1e-4 --evals 60
float settled_balance(float opening, float payment) {
  const int payments = 20000;
  float paid = 0;
  for (int i = 0; i < payments; i++)
    paid += payment;
  return opening + paid;
}
