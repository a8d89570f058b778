/* Sums of numbers of one sign: every way to add them is accurate, and these are accurate to the last digit. Of numbers
 * of both signs only what the correction catches is: where more cancels than twice the precision holds, it is lost.
 *
 * options: --size a=6 --range a=1:1000 --size b=4 --range b=-1000:1000 --size c=4 --range c=0.001:1000 */
#include <math.h>

/* W. Kahan: Further remarks on reducing truncation errors (1965). */
double kahan(const double a[6]) {
  double sum = 0, correction = 0;
  for (int i = 0; i < 6; i++) {
    double term = a[i] - correction, next = sum + term;
    correction = (next - sum) - term;
    sum = next;
  }
  return sum;
}

/* A. Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen (1974). */
static double neumaier_sum(const double* v, int n) {
  double sum = 0, correction = 0;
  for (int i = 0; i < n; i++) {
    double next = sum + v[i];
    correction += fabs(sum) >= fabs(v[i]) ? (sum - next) + v[i] : (v[i] - next) + sum;
    sum = next;
  }
  return sum + correction;
}
double neumaier(const double a[6]) { return neumaier_sum(a, 6); }

/* A sum near 0 is ill-conditioned. The corrections of so few terms are nearly exact, unless several of them cancel,
 * too. */
double neumaier_of_both_signs(const double b[4]) { return neumaier_sum(b, 4); }

/* D. Priest: On Properties of Floating Point Arithmetics (1992); Higham, algorithm 4.3: sorted by falling size, it is
 * good to 2 eps whatever the terms. */
static double doubly_compensated_sum(double* v, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && fabs(v[j]) > fabs(v[j - 1]); j--) {
      double larger = v[j];
      v[j] = v[j - 1];
      v[j - 1] = larger;
    }
  double sum = v[0], correction = 0;
  for (int i = 1; i < n; i++) {
    double y = correction + v[i], u = v[i] - (y - correction), t = y + sum, w = y - (t - sum), z = u + w;
    double next = t + z;
    correction = z - (next - t);
    sum = next;
  }
  return sum;
}
double doubly_compensated(const double a[6]) {
  double sorted[6];
  for (int i = 0; i < 6; i++)
    sorted[i] = a[i];
  return doubly_compensated_sum(sorted, 6);
}
double doubly_compensated_of_both_signs(const double b[4]) {
  double sorted[4];
  for (int i = 0; i < 4; i++)
    sorted[i] = b[i];
  return doubly_compensated_sum(sorted, 4);
}

/* T. Ogita, S. Rump, S. Oishi: Accurate Sum and Dot Product (2005): Dot2, as good as in twice the precision. */
double dot_product(const double c[4], const double b[4]) {
  double sum = 0, correction = 0;
  for (int i = 0; i < 4; i++) {
    double product = c[i] * b[i], lost = fma(c[i], b[i], -product);
    double next = sum + product, part = next - sum;
    correction += ((sum - (next - part)) + (product - part)) + lost;
    sum = next;
  }
  return sum + correction;
}
