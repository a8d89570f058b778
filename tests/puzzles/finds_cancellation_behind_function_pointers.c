// options: --hold way=0 --hold other=1
// expect: naive inaccuracy line 7 above 0.9 operation fsub
// silent: stable
#include <math.h>
typedef double function(double);

static double cancels(double x) { return 1 - cos(x); }

static double holds(double x) { return 2 * sin(x / 2) * sin(x / 2); }

static function* volatile ways[] = {cancels, holds};

double naive(double x, int way) { return ways[way & 1](x); }

double stable(double x, int other) { return ways[other & 1](x); }
