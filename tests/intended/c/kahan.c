/* Kahan's ways to log(1 + x) and exp(x) - 1 from log and exp. */
#include <math.h>

/* log(1 + x); 0 for x <= -1.  The error of u = 1 + x cancels in the quotient:
   relative error of a few units in the last place for every x. */
double log1p_kahan(double x)
{
    if (x <= -1.0)
        return 0.0;
    double u = 1.0 + x;
    if (u == 1.0)
        return x;
    return log(u) * (x / (u - 1.0));
}

/* exp(x) - 1 with x clamped to 700.  Relative error of a few units in the last
   place for every x. */
double expm1_kahan(double x)
{
    if (x > 700.0)
        x = 700.0;
    double u = exp(x);
    if (u == 1.0)
        return x;
    double v = u - 1.0;
    if (v == -1.0)
        return -1.0;
    return v * x / log(u);
}
