// expect: naive inaccuracy line 13 above 0.9 operation fsub
// silent: stable
#include <math.h>
#include <string.h>

static char* volatile heap; // its target is unknown

double naive(double x) {
  double a[2] = {1, cos(x)}, b[2];
  char bytes[sizeof a];
  heap = memcpy(heap = bytes, a, sizeof a);
  memcpy(b, heap, sizeof b);
  return b[0] - b[1];
}

double stable(double x) {
  double a = sin(x / 2), b;
  memcpy(heap = (char*)&b, &a, sizeof a);
  return 2 * b * b;
}
