/* averages.c without its overflows: a wider format holds every sum. */

static double half_of_sum(double x, double y) { return (double)(((long double)x + y) / 2); }

double av1(double x, double y) { return half_of_sum(x, y); }
double av2(double x, double y) { return half_of_sum(x, y); }
double av3(double x, double y) { return half_of_sum(x, y); }
double av4(double x, double y) { return half_of_sum(x, y); }
double average(double x, double y) { return half_of_sum(x, y); }
