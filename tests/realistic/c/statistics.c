// Small statistics library: sums over samples, correlation, regression.
#include <math.h>
#include <stddef.h>

double mean(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return n > 0 ? sum / n : 0.0;
}

double sample_variance(const double *x, int n) {
  double sum = 0.0, squares = 0.0;
  if (n < 2)
    return 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  return (squares - sum * sum / n) / (n - 1); // BUG
}

double correlation(const double *x, const double *y, int n) {
  double mx = mean(x, n), my = mean(y, n), sxx = 0.0, syy = 0.0, sxy = 0.0;
  for (int i = 0; i < n; i++) {
    double dx = x[i] - mx, dy = y[i] - my;
    sxx += dx * dx;
    syy += dy * dy;
    sxy += dx * dy;
  }
  if (sxx <= 0.0 || syy <= 0.0)
    return 0.0;
  return sxy / (sqrt(sxx) * sqrt(syy));
}

// Least squares through (x, y): y = slope * x + intercept.
int line_fit(const double *x, const double *y, int n, double *slope, double *intercept) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  double d = n * sxx - sx * sx; // BUG
  if (d == 0.0)
    return -1;
  *slope = (n * sxy - sx * sy) / d;           // BUG
  *intercept = (sy * sxx - sx * sxy) / d;     // BUG
  return 0;
}

int line_fit_centred(const double *x, const double *y, int n, double *slope, double *intercept) {
  double mx = mean(x, n), my = mean(y, n), sxx = 0, sxy = 0;
  for (int i = 0; i < n; i++) {
    double dx = x[i] - mx;
    sxx += dx * dx;
    sxy += dx * (y[i] - my);
  }
  if (sxx <= 0.0)
    return -1;
  *slope = sxy / sxx;
  *intercept = my - *slope * mx;
  return 0;
}

// Entropy in nats of counts.
double entropy(const double *p, int n) {
  double total = 0.0, h = 0.0;
  for (int i = 0; i < n; i++)
    total += fabs(p[i]);
  for (int i = 0; i < n; i++) {
    double q = fabs(p[i]) / total; // BUG
    h -= q * log(q);               // BUG
  }
  return h;
}
