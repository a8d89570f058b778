/* Splittings, exact products, and corrections by an exact residual. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static double in_range(double x, double least, double most)
{
    if (fabs(x) < least)
        return 0.0;
    if (fabs(x) > most)
        return copysign(most, x);
    return x;
}

static void split(double a, double *hi, double *lo)
{
    double t = 134217729.0 * a; /* 2^27 + 1 */
    *hi = t - (t - a);
    *lo = a - *hi;
}

/* Veltkamp's splitting: *hi is a to 26 bits, *lo = a - *hi, which fits into
   26 bits, both exact.  a is clamped to 2^990, and 0 if below 2^-960. */
void veltkamp_split(double a, double *hi, double *lo)
{
    a = in_range(a, 0x1p-960, 0x1p990);
    split(a, hi, lo);
}

/* *hi is a without the last 27 bits of its significand, *lo the rest; exact.
   0 if below 2^-900. */
void split_by_mask(double a, double *hi, double *lo)
{
    uint64_t bits;
    a = in_range(a, 0x1p-900, 0x1.fffffffffffffp1023);
    memcpy(&bits, &a, sizeof bits);
    bits &= ~(uint64_t)0x7ffffff;
    memcpy(hi, &bits, sizeof bits);
    *lo = a - *hi;
}

/* Dekker's product: *p = a b rounded, *e = a b - *p exactly.  Factors are
   clamped to 2^400, and 0 if below 2^-400. */
void two_prod_dekker(double a, double b, double *p, double *e)
{
    double ah, al, bh, bl;
    a = in_range(a, 0x1p-400, 0x1p400);
    b = in_range(b, 0x1p-400, 0x1p400);
    split(a, &ah, &al);
    split(b, &bh, &bl);
    *p = a * b;
    *e = ((ah * bh - *p) + ah * bl + al * bh) + al * bl;
}

/* Square root from a root in single precision and two Newton steps, the
   residual by fma.  0 outside of [1e-30, 1e30]; relative error below 3e-16. */
double sqrt_newton(double x)
{
    if (!(x >= 1e-30 && x <= 1e30))
        return 0.0;
    double y = sqrtf((float)x);
    double half_inverse = 0.5 / y;
    y = fma(fma(-y, y, x), half_inverse, y);
    y = fma(fma(-y, y, x), half_inverse, y);
    return y;
}
