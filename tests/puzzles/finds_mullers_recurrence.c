// options: --range r=1:2
// expect: naive inaccuracy line 8 above 1
// silent: stable

double naive(double r) {
  double u = (6 + 5 * r) / (1 + r), v = (36 + 25 * r) / (6 + 5 * r);
  for (int i = 0; i < 25; i++) {
    double w = 111 - 1130 / v + 3000 / (v * u);
    u = v;
    v = w;
  }
  return v; // tends to 6 over the reals, to 100 in floats
}

double stable(double r) {
  for (int i = 0; i < 26; i++)
    r = r * 5 / 6;
  return (6 + 5 * r) / (1 + r);
}
