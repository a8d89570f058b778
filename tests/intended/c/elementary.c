/* Elementary functions with argument reduction in several parts. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "elem_consts.h"

static const double round_shift = 0x1.8p52;

/* exp(x), x clamped to [-700, 700].  Cody and Waite's reduction
   x = k ln 2 + r; relative error below 4e-16. */
double exp_cw(double x)
{
    if (x > 700.0)
        x = 700.0;
    if (x < -700.0)
        x = -700.0;
    double k = x * log2_of_e + round_shift;
    k -= round_shift;
    double r = x - k * ln2_high;
    r -= k * ln2_low;
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r * r + r;
    return ldexp(1.0 + p, (int)k);
}

/* 2^x, x clamped to [-1000, 1000].  x = n/32 + r; the index of the table and
   the exponent are taken from the low bits of the shifted argument.  Relative
   error below 4e-16. */
double exp2_tab(double x)
{
    if (x > 1000.0)
        x = 1000.0;
    if (x < -1000.0)
        x = -1000.0;
    double shifted = x + 0x1.8p47;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    int32_t n = (int32_t)bits;
    int index = n & 31;
    int exponent = (n - index) / 32;
    double r = (x - (shifted - 0x1.8p47)) * 0x1.62e42fefa39efp-1;
    double p = r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r / 5040)))));
    double t = exp2_table[index];
    return ldexp(t + t * p, exponent);
}

/* x - n pi/2, n the integer nearest to x 2/pi; |x| <= 1e5, so that the
   products with the 33-bit parts are exact. */
static double reduce_pio2(double x, int *n)
{
    int k = (int)rint(x * pio2.inverse);
    double r = x - k * pio2.part[0];
    r -= k * pio2.part[1];
    r -= k * pio2.part[2];
    *n = k;
    return r;
}

static double sin_kernel(double r)
{
    double s = r * r;
    double p = 1.0 / 355687428096000.0;
    p = p * s - 1.0 / 1307674368000.0;
    p = p * s + 1.0 / 6227020800.0;
    p = p * s - 1.0 / 39916800.0;
    p = p * s + 1.0 / 362880.0;
    p = p * s - 1.0 / 5040.0;
    p = p * s + 1.0 / 120.0;
    p = p * s - 1.0 / 6.0;
    return r + r * s * p;
}

static double cos_kernel(double r)
{
    double s = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * s - 1.0 / 87178291200.0;
    p = p * s + 1.0 / 479001600.0;
    p = p * s - 1.0 / 3628800.0;
    p = p * s + 1.0 / 40320.0;
    p = p * s - 1.0 / 720.0;
    p = p * s + 1.0 / 24.0;
    p = p * s - 0.5;
    return 1.0 + s * p;
}

/* sin(x) for |x| <= 1e5, 0 outside.  Relative error below 1e-15, near the
   multiples of pi too. */
double sin_cw(double x)
{
    int n;
    if (fabs(x) > 1e5)
        return 0.0;
    double r = reduce_pio2(x, &n);
    double y = (n & 1) ? cos_kernel(r) : sin_kernel(r);
    return (n & 2) ? -y : y;
}

/* cos(x) for |x| <= 1e5, 0 outside.  Relative error below 1e-15, near its
   zeros too. */
double cos_cw(double x)
{
    int n;
    if (fabs(x) > 1e5)
        return 0.0;
    double r = reduce_pio2(x, &n);
    double y = (n & 1) ? sin_kernel(r) : cos_kernel(r);
    return ((n + 1) & 2) ? -y : y;
}

/* The angle x in degrees, brought to [-180, 180] by whole turns; 0 for
   |x| > 1e12.  Exact: equal to the IEEE remainder of x and 360. */
double wrap_degrees(double x)
{
    if (fabs(x) > 1e12)
        return 0.0;
    double turns = rint(x / 360.0);
    double r = x - 360.0 * turns;
    if (r > 180.0) /* the quotient was rounded across a tie */
        r -= 360.0;
    else if (r < -180.0)
        r += 360.0;
    return r;
}
