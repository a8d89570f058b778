// options: --range x=1:1e6
// expect: naive inaccuracy line 10 above 0.9 operation fadd|fsub
// allow: naive branch-flip line 9
// silent: stable

float naive(float x) {
  float y = 1e12f;
  float sum = x + y;
  if (sum > y) // not for x below 32768: the sum is y again
    return sum - y;
  return 0;
}

float stable(float x) {
  return x > 0 ? x : 0;
}
