// options: --range x=1:1e6
// expect: naive branch-flip|inaccuracy line 8 above 1e-3
// silent: stable
// For x below 32768 the sum is 1e12 again.

float naive(float x) {
  float y = 1e12f, sum = x + y;
  if (sum > y)
    return 2 * x;
  return 3 * x;
}

float stable(float x) {
  return x > 0 ? 2 * x : 3 * x;
}
