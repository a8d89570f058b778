/* Rounding to integers and to grids by adding a large number. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "round_consts.h"

#define NOINLINE __attribute__((noinline))

static double clamp(double x, double limit)
{
    if (x > limit)
        return limit;
    if (x < -limit)
        return -limit;
    return x;
}

/* Nearest integer, ties to even, of x clamped to [-2^51, 2^51].  Exact. */
double round_even(double x)
{
    x = clamp(x, 0x1p51);
    return (x + round_magic) - round_magic;
}

/* Largest integer that is not above x.  Exact for every finite x. */
double floor_shift(double x)
{
    if (fabs(x) >= 0x1p52)
        return x; /* an integer already */
    double big = copysign(0x1p52, x);
    double r = (x + big) - big;
    if (r > x)
        r -= 1.0;
    return r;
}

/* Nearest integer, ties to even, of a float clamped to [-2^22, 2^22].  Exact. */
float round_even_f(float x)
{
    if (x > 4194304.0f)
        x = 4194304.0f;
    if (x < -4194304.0f)
        x = -4194304.0f;
    volatile float shifted = x + round_magic_f;
    return shifted - round_magic_f;
}

/* Nearest multiple of 1/64, ties to even multiples, of x clamped to
   [-2^45, 2^45].  Exact. */
double round_64th(double x)
{
    const struct grid *g = &grids[1];
    x = clamp(x, g->limit);
    double y = x + g->shift;
    y -= g->shift;
    return y;
}

static NOINLINE double snap(double x, double shift)
{
    double s = copysign(shift, x);
    return (x + s) - s;
}

/* Nearest multiple of 256, ties to even multiples.  Exact for every finite x
   (from 2^60 on every double is a multiple of 256). */
double round_256(double x)
{
    if (fabs(x) >= 0x1p60)
        return x;
    return snap(x, coarse_shift);
}

/* 1 if x is an integer, 0 if not.  Exact for every finite x. */
double is_integer(double x)
{
    const double big = copysign(1.0 / DBL_EPSILON, x);
    if (fabs(x) >= 1.0 / DBL_EPSILON)
        return 1.0;
    return x == (x + big) - big ? 1.0 : 0.0;
}

/* (-1)^n, n the integer nearest to x (ties to even), x clamped to
   [-2^51, 2^51].  The parity is the last bit of the shifted number.  Exact. */
double sign_of_parity(double x)
{
    double shifted = clamp(x, 0x1p51) + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (bits & 1) ? -1.0 : 1.0;
}

/* Nearest integer, ties away from zero.  Exact for every finite x: what is
   added is the double below 0.5, so that 0.49999999999999994 gives 0, while
   the sum of 0.5 and it rounds up to 1. */
double round_half_away(double x)
{
    const double almost_half = 0.5 - 0.25 * DBL_EPSILON;
    return trunc(x + copysign(almost_half, x));
}

/* Nearest integer, ties to even, in long double.  Exact for every finite x
   (64-bit significand). */
long double round_long(long double x)
{
    const long double big = copysignl(1.0L / LDBL_EPSILON, x);
    if (fabsl(x) >= 1.0L / LDBL_EPSILON)
        return x;
    return (x + big) - big;
}
