/* Power series and recurrences. */
#include <math.h>

/* exp(x) for |x| <= 50 by its power series, until a term no longer counts. */
double exp_taylor(double x)
{
    if (!(fabs(x) <= 50.0))
        return 0.0;
    double term = 1.0, sum = 1.0;
    int k = 0;
    do {
        k++;
        term *= x / k;
        sum += term;
    } while (fabs(term) > 1e-17 * fabs(sum) && k < 500);
    return sum;
}

/* The spherical Bessel function j_n(x), n <= 15, 0.5 <= x <= 100, by recurrence
   from j_0 and j_1 upwards. */
double sph_bessel_up(int n, double x)
{
    if (n < 0 || n > 15 || !(x >= 0.5 && x <= 100.0))
        return 0.0;
    double s = sin(x), c = cos(x);
    double lower = s / x;
    if (n == 0)
        return lower;
    double j = (s / x - c) / x;
    for (int k = 1; k < n; k++) {
        double next = (2 * k + 1) / x * j - lower;
        lower = j;
        j = next;
    }
    return j;
}

/* The Legendre polynomial P_n(x), n <= 60, |x| <= 1, summed by powers of x. */
double legendre_powers(int n, double x)
{
    if (n < 0 || n > 60 || !(fabs(x) <= 1.0))
        return 0.0;
    /* coefficient of x^n: (2n)! / (2^n n!^2) */
    double c = 1.0;
    for (int i = 1; i <= n; i++)
        c *= (2.0 * i - 1.0) / i;
    double sum = 0.0;
    for (int k = 0; 2 * k <= n; k++) {
        sum += c * pow(x, n - 2 * k);
        c *= -(double)(n - 2 * k) * (n - 2 * k - 1) / (2.0 * (k + 1) * (2 * n - 2 * k - 1));
    }
    return sum;
}

/* The trigamma function, sum of 1/(a + k)^2 for k = 0, 1, ..., a >= 0.01. */
double trigamma_sum(double a)
{
    if (!(a >= 0.01 && a <= 1e9))
        return 0.0;
    double sum = 0.0, term;
    do {
        term = 1.0 / (a * a);
        sum += term;
        a += 1.0;
    } while (term > 1e-8);
    return sum;
}
