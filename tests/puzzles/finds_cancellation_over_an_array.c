// options: --size a=4 --range a=1e6:1.000001e6
// expect: naive inaccuracy line 8 above 1e-3 operation fsub
// silent: stable
double naive(const double* a) {
  double sum = 0, squares = 0;
  for (int i = 0; i < 4; i++)
    sum += a[i], squares += a[i] * a[i];
  return squares - sum * sum / 4;
}

double stable(const double* a) {
  double sum = 0, squares = 0;
  for (int i = 1; i < 4; i++)
    for (int j = 0; j < i; j++)
      squares += (a[i] - a[j]) * (a[i] - a[j]);
  return squares / 4 + sum;
}
