// options: --range x=1:1e6
// expect: naive branch-flip|inaccuracy line 6 above 1e-3
// silent: stable
float naive(float x) {
  float y = 1e12f, sum = x + y;
  if (sum > y)
    return 2;
  return 3;
}

float stable(float x) {
  return x > 0 ? 2 : 3;
}
