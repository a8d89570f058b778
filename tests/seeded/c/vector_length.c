// The squares of long vectors overflow, although the length does not.
// options: --range x=1:1e200 --range y=1:1e200 --range z=1:1e200
#include <math.h>

double vector_length(double x, double y, double z) {
  double squares = x * x + y * y + z * z; // FAULT: intermediate-overflow
  double length = sqrt(squares);
  return length;
}
