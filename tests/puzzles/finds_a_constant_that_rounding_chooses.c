// options: --range x=1:1e6
// expect: naive branch-flip|inaccuracy line 7 above 1e-3
// silent: stable
// known: not found yet by auto: no operation is unstable, only the comparison
float naive(float x) {
  float y = 1e12f, sum = x + y;
  if (sum > y)
    return 2;
  return 3;
}

float stable(float x) {
  return x > 0 ? 2 : 3;
}
