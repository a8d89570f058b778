// expect: naive inaccuracy line 9 above 0.9 operation fsub output w.versine
// silent: stable
#include <math.h>

struct waves { double sine, versine; };

void naive(double x, struct waves* w) {
  w->sine = sin(x);
  w->versine = 1.0 - cos(x);
}

struct waves stable(double x) {
  double half = sin(x / 2);
  struct waves w = {sin(x), 2 * half * half};
  return w;
}
