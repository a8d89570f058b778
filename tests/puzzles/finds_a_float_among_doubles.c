// options: --range x=1:2 --range y=1:2
// expect: naive inaccuracy line 7 above 1e-3 operation fsub
// silent: stable
double naive(double x, double y) {
  float a = x;
  float b = y;
  return a - b;
}

double stable(double x, double y) {
  float difference = x - y;
  return difference;
}
