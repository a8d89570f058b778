// The functions of `faultline bench bounds --everyday`: formulas, loops and selections as programs contain them.
// Their ranges stand in everyday.csv.
#include <math.h>

double fahrenheit(double c) { return c * 9.0 / 5.0 + 32; }

double radians(double degrees) { return degrees * (M_PI / 180.0); }

double body_mass_index(double kg, double cm) {
  double m = cm / 100;
  return kg / (m * m);
}

double compound_interest(double principal, double rate) {
  double value = principal;
  for (int year = 0; year < 30; year++)
    value *= 1 + rate;
  return value;
}

double annuity(double rate) { return rate / (1 - pow(1 + rate, -30)); }

double sphere_volume(double r) { return 4.0 / 3.0 * M_PI * r * r * r; }

double triangle_area(double a, double angle) { return 0.5 * a * a * sin(angle); }

double dew_point(double t, double humidity) {
  double g = log(humidity) + 17.62 * t / (243.12 + t);
  return 243.12 * g / (17.62 - g);
}

double barometric(double h) { return 101325 * pow(1 - 2.25577e-5 * h, 5.25588); }

double sigmoid(double x) { return 1 / (1 + exp(-x)); }

double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

double relu6(double x) { return fmin(fmax(x * 1.1, 0), 6); }

double gelu(double x) { return 0.5 * x * (1 + erf(x / sqrt(2.0))); }

double swish(double x) { return x / (1 + exp(-x)); }

double normal_density(double x) { return exp(-0.5 * x * x) / sqrt(2 * M_PI); }

double clamp_gain(double x, double gain) {
  double y = x * gain;
  if (y < -1)
    y = -1;
  if (y > 1)
    y = 1;
  return y;
}

double dead_zone(double x) { return fabs(x) < 0.1 ? 0 : x > 0 ? x - 0.1 : x + 0.1; }

double largest_of_three(double a, double b, double c) {
  double x = a * 0.3, y = b * 0.3, z = c * 0.3;
  double most = x > y ? x : y;
  return most > z ? most : z;
}

double median_of_three(double a, double b, double c) {
  double x = a / 3, y = b / 3, z = c / 3;
  return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

double median_by_branches(double a, double b, double c) {
  double x = a * 0.1, y = b * 0.1, z = c * 0.1;
  if (x < y) {
    if (y < z)
      return y;
    return x < z ? z : x;
  }
  if (x < z)
    return x;
  return y < z ? z : y;
}

double lerp(double a, double b, double t) { return a + t * (b - a); }

double smoothstep(double x) {
  double t = (x - 0.2) / 0.6;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return t * t * (3 - 2 * t);
}

double saturate_luminance(double r, double g, double b) {
  double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return y > 1 ? 1 : y;
}

double srgb_to_linear(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

double chroma(double r, double g, double b) {
  double high = fmax(r, fmax(g, b)), low = fmin(r, fmin(g, b));
  return (high - low) * 255;
}

double lowpass(double x) {
  double y = 0;
  for (int i = 0; i < 200; i++)
    y += 0.1 * (x - y);
  return y;
}

double biquad(double x) {
  double a = 0, b = 0;
  for (int i = 0; i < 60; i++) {
    double y = 0.2 * x + 0.9 * a - 0.4 * b;
    b = a;
    a = y;
  }
  return a;
}

double first_order_lag(double target, double start) {
  double t = start;
  for (int i = 0; i < 100; i++)
    t = t + (target - t) / 16;
  return t;
}

double newton_root(double a) {
  double x = 1.5;
  for (int i = 0; i < 6; i++)
    x = 0.5 * (x + a / x);
  return x;
}

double kepler_steps(double mean, double e) {
  double anomaly = mean;
  for (int i = 0; i < 8; i++)
    anomaly = mean + e * sin(anomaly);
  return anomaly;
}

double horner_exp(double x) {
  double s = 1;
  for (int n = 12; n > 0; n--)
    s = 1 + s * x / n;
  return s;
}

double simpson(double k) {
  double h = 1.0 / 16, sum = 1 + exp(-k);
  for (int i = 1; i < 16; i++)
    sum += (i % 2 ? 4 : 2) * exp(-k * (i * h));
  return sum * h / 3;
}

double dot_of_four(double a, double b, double c, double d) { return a * 0.25 + b * 0.35 + c * 0.15 + d * 0.25; }

double bilinear(double u, double v) {
  static const double corner[4] = {0.3, 1.7, 2.2, 0.9};
  double top = corner[0] * (1 - u) + corner[1] * u, bottom = corner[2] * (1 - u) + corner[3] * u;
  return top * (1 - v) + bottom * v;
}

double table_lookup(double x) {
  static const double table[9] = {0, 0.1, 0.4, 0.9, 1.6, 2.5, 3.6, 4.9, 6.4};
  int i = (int)x;
  return table[i] + (x - i) * (table[i + 1] - table[i]);
}

double wheel_angle(double turns) { return fmod(turns * 360, 360); }

double fraction_of_day(double seconds) {
  double whole;
  return modf(seconds / 86400, &whole);
}

double gamma_density(double x, double k) { return exp((k - 1) * log(x) - x - lgamma(k)); }

double beta_function(double a, double b) { return tgamma(a) * tgamma(b) / tgamma(a + b); }

double drum_mode(double r) { return j0(2.404825557695773 * r); }

double haversine(double lat1, double lat2, double dlon) {
  double u = sin((lat2 - lat1) / 2), v = sin(dlon / 2);
  return 2 * 6371 * asin(sqrt(u * u + cos(lat1) * cos(lat2) * v * v));
}

double projectile_range(double speed, double angle) { return speed * speed * sin(2 * angle) / 9.81; }

double pendulum_period(double length, double angle) {
  double s = angle * angle;
  return 2 * M_PI * sqrt(length / 9.81) * (1 + s / 16 + 11 * s * s / 3072);
}

double lorentz_factor(double beta) { return 1 / sqrt(1 - beta * beta); }

double planck(double wavelength, double t) {
  double x = 0.0143877688 / (wavelength * t);
  return 1.191042972e-16 / (pow(wavelength, 5) * expm1(x));
}

double reynolds_friction(double re) { return re < 2300 ? 64 / re : 0.316 / pow(re, 0.25); }

double lens(double focal, double distance) { return 1 / (1 / focal - 1 / distance); }

double decibel(double power) { return 10 * log10(power / 1e-3); }

float mix_float(float a, float b, float t) { return (1 - t) * a + t * b; }

float vector_length(float x, float y, float z) { return sqrtf(x * x + y * y + z * z); }
