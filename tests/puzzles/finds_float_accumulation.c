// options: --evals 20 --threshold 1e-4 --range x=1:2
// expect: naive inaccuracy line 7 above 1e-4 operation fadd
// silent: stable
float naive(float x) {
  float sum = 0;
  for (int i = 0; i < 20000; i++)
    sum += x;
  return sum;
}

float stable(float x) {
  float sum = 0, rest = 0;
  for (int i = 0; i < 20000; i++) {
    float term = x - rest, next = sum + term;
    rest = (next - sum) - term;
    sum = next;
  }
  return sum;
}
