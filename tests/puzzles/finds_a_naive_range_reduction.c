// options: --range x=1:1e15
// expect: naive inaccuracy line 9 above 1e-3 operation fsub|fadd
// allow: naive inaccuracy line 8 operation floor
// silent: stable
#include <math.h>

double naive(double x) {
  double turns = floor(x / 6.283185307179586), whole = turns * 6.283185307179586;
  return x - whole;
}

double stable(double x) {
  return fmod(x, 6.283185307179586);
}
