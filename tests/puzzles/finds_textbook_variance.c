// options: --range x=1e6:1.000001e6 --range y=1e6:1.000001e6 --range z=1e6:1.000001e6
// expect: naive inaccuracy line 8 above 1e-3 operation fsub
// silent: stable

double naive(double x, double y, double z) {
  double mean = (x + y + z) / 3;
  double square = (x * x + y * y + z * z) / 3;
  return square - mean * mean;
}

double stable(double x, double y, double z) {
  double a = y - x;
  double b = z - x;
  return 2 * (a * a - a * b + b * b) / 9;
}
