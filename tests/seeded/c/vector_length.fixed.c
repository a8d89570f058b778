// Scaled by the largest coordinate.
// options: --range x=1:1e200 --range y=1:1e200 --range z=1:1e200
#include <math.h>

double vector_length(double x, double y, double z) {
  double largest = fmax(x, fmax(y, z));
  double a = x / largest, b = y / largest, c = z / largest;
  double squares = a * a + b * b + c * c;
  return largest * sqrt(squares);
}
