/* Functions of C with the signatures that people write. All of them are to be hunted in as they are. */
#include <complex.h>
#include <math.h>
#include <stdbool.h>

struct vector {
  double x, y, z;
};
typedef struct {
  int degree;
  double c[4];
} polynomial;

double length(struct vector v) { return sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }
struct vector cross(struct vector a, struct vector b) {
  return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double value(polynomial p, double x) { return p.c[0] + x * (p.c[1] + x * (p.c[2] + x * p.c[3])) - p.degree; }
double value_at(const polynomial *p, double x) { return p->c[0] + x * (p->c[1] + x * (p->c[2] + x * p->c[3])); }
double _Complex square(double _Complex z) { return z * z - 1; }
float _Complex halved(float _Complex z) { return z / 2 - 1; }
void both_roots(double a, double b, double c, double _Complex r[2]) {
  const double _Complex d = csqrt(b * b - 4 * a * c);
  r[0] = (-b + d) / (2 * a);
  r[1] = (-b - d) / (2 * a);
}
double first_three(const double p[3]) { return p[0] + p[1] - p[2]; }
double three_by_three(const double a[3][3]) { return a[0][0] * a[1][1] - a[0][1] * a[1][0] + a[2][2]; }
double any_square(int n, double q[n][n]) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += q[i][i];
  return s;
}
bool is_right_angled(double a, double b, double c) { return a * a + b * b == c * c; }
int sign_of_sum(double a, double b) { return (a + b > 0) - (a + b < 0); }
double trapezium(double (*f)(double), double a, double b) { return (b - a) / 2 * (f(a) + f(b)); }
