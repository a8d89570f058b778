// options: --range degrees=0:90
// expect: naive inaccuracy line 8 above 1e-3 operation tan
// silent: stable
#include <math.h>

double naive(double degrees) {
  double angle = degrees * 0.017453292519943295;
  return tan(angle);
}

double stable(double degrees) {
  const double unit = 0.017453292519943295;
  return degrees < 45 ? tan(degrees * unit) : 1 / tan((90 - degrees) * unit);
}
