/* Newton's method and bisection. */
#include <math.h>

/* log(1 + x) - x for -0.5 <= x <= 10: the logarithm y by Newton's method on
   exp(y) = 1 + x. */
double log1p_minus(double x)
{
    if (!(x >= -0.5 && x <= 10.0))
        return 0.0;
    double t = 1.0 + x, y = x / (1.0 + 0.5 * x), dy;
    int n = 0;
    do {
        dy = t * exp(-y) - 1.0;
        y += dy;
        n++;
    } while (fabs(dy) > 1e-15 * fabs(y) && n < 60);
    return y - x;
}

/* The difference E - M of the eccentric and the mean anomaly (radians), for
   an eccentricity e in [0, 0.9] and |M| <= 1e9; Kepler's equation by Newton. */
double anomaly_difference(double M, double e)
{
    if (!(e >= 0.0 && e <= 0.9) || !(fabs(M) <= 1e9))
        return 0.0;
    double E = M + e * sin(M), dE;
    int n = 0;
    do {
        dE = (E - e * sin(E) - M) / (1.0 - e * cos(E));
        E -= dE;
        n++;
    } while (fabs(dE) > 1e-15 * fabs(E) && n < 50);
    return E - M;
}

/* Square root of x, 0 < x <= 1e9, by Newton's method. */
double sqrt_heron(double x)
{
    if (!(x > 0.0 && x <= 1e9))
        return 0.0;
    double y = x > 1.0 ? x : 1.0, step;
    do {
        double next = 0.5 * (y + x / y);
        step = fabs(next - y);
        y = next;
    } while (step > 1e-4);
    return y;
}

/* Cube root of x, 0 < x <= 1e9, by Newton's method. */
double cbrt_newton(double x)
{
    if (!(x > 0.0 && x <= 1e9))
        return 0.0;
    double y = 1.0;
    for (int i = 0; i < 12; i++)
        y = (2.0 * y + x / (y * y)) / 3.0;
    return y;
}

/* Lambert's W(x), 0 <= x <= 1e6: the root of w exp(w) = x by bisection. */
double lambert_bisect(double x)
{
    if (!(x >= 0.0 && x <= 1e6))
        return 0.0;
    double low = 0.0, high = 12.0;
    while (high - low > 1e-7) {
        double mid = 0.5 * (low + high);
        if (mid * exp(mid) < x)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}
