/* Quadrature, the arithmetic-geometric mean, continued fractions. */
#include <math.h>

static double versine_rate(double t)
{
    return t == 0.0 ? 0.5 : (1.0 - cos(t)) / (t * t);
}

/* The integral of (1 - cos t)/t^2 from 0 to b, 0 <= b <= 3, by Simpson's rule. */
double versine_integral(double b)
{
    if (!(b >= 0.0 && b <= 3.0))
        return 0.0;
    const int n = 64;
    double h = b / n;
    double sum = versine_rate(0.0) + versine_rate(b);
    for (int i = 1; i < n; i++)
        sum += (i % 2 ? 4.0 : 2.0) * versine_rate(i * h);
    return sum * h / 3.0;
}

/* The integral of 1/(1 + 25 t^2) from 0 to b, 0 <= b <= 100, by Simpson's rule. */
double runge_integral(double b)
{
    if (!(b >= 0.0 && b <= 100.0))
        return 0.0;
    double h = b / 16;
    double sum = 1.0 + 1.0 / (1.0 + 25.0 * b * b);
    for (int i = 1; i < 16; i++) {
        double t = i * h;
        sum += (i % 2 ? 4.0 : 2.0) / (1.0 + 25.0 * t * t);
    }
    return sum * h / 3.0;
}

/* Mutual inductance (over mu_0) of two coaxial circular loops of radii a and b
   at the distance d, by Maxwell's formula; K and E by the arithmetic-geometric
   mean.  All in [0.001, 1e5]. */
double loop_inductance(double a, double b, double d)
{
    if (!(a >= 1e-3 && a <= 1e5 && b >= 1e-3 && b <= 1e5 && d >= 1e-3 && d <= 1e5))
        return 0.0;
    const double pi = 3.14159265358979323846;
    double far = (a + b) * (a + b) + d * d;
    double m = 4.0 * a * b / far;
    double x = 1.0, y = sqrt(((a - b) * (a - b) + d * d) / far);
    double c = sqrt(m), power = 0.5, sum = 0.5 * m;
    while (fabs(c) > 1e-15 * x) {
        double mean = 0.5 * (x + y);
        c = 0.5 * (x - y);
        y = sqrt(x * y);
        x = mean;
        power *= 2.0;
        sum += power * c * c;
    }
    double K = pi / (2.0 * x);
    double E = K * (1.0 - sum);
    return sqrt(a * b / m) * ((2.0 - m) * K - 2.0 * E);
}

/* Period of a pendulum of length 1 m for the amplitude theta (radians, below
   3.14159), by the arithmetic-geometric mean. */
double pendulum_period(double theta)
{
    theta = fabs(theta);
    if (!(theta <= 3.14159))
        return 0.0;
    double x = 1.0, y = cos(0.5 * theta);
    for (int i = 0; i < 2; i++) {
        double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    return 2.0 * 3.14159265358979323846 / sqrt(9.80665) / x;
}

/* The exponential integral E_1(x), 0.001 <= x <= 500, by its continued fraction
   (Lentz). */
double expint_e1(double x)
{
    if (!(x >= 1e-3 && x <= 500.0))
        return 0.0;
    double b = x + 1.0, c = 1e30, d = 1.0 / b, h = d, delta;
    int k = 0;
    do {
        k++;
        double a = -(double)k * k;
        b += 2.0;
        d = 1.0 / (a * d + b);
        c = b + a / c;
        delta = c * d;
        h *= delta;
    } while (fabs(delta - 1.0) > 1e-5);
    return h * exp(-x);
}
