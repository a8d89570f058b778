// options: --range x=-1e9:1e9 --range y=-1e5:1e5
// expect: naive inaccuracy line 7 above 1e-3 operation fadd|fsub
// silent: to_integer
// silent: to_integer_single
// silent: reduced
double naive(double x) {
  return (x + 1e15) - 1e15; // not magic: just wrong
}

double to_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

float to_integer_single(float y) { return (y + 0x1.8p23f) - 0x1.8p23f; }

double reduced(double x) {
  double n = (x * 0.15915494309189535 + 0x1.8p52) - 0x1.8p52;
  double rest = x - n * 6.283185307179586;
  return n + 0.001 * rest;
}
