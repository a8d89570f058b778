// FPGen's benchmarks once more, written from their description, and compared with the harnesses of benchmarks/fpgen bit
// for bit on random inputs: uniform ones, ones of every magnitude, and ones with zeros and ties, for the branches.
// GROUP is 0 (summations), 1 (Meschach) or 2 (GSL). Prints the name of each function that differs.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { tries = 20000 };

static uint64_t state = 88172645463325252u;

static double random_input(int kind) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  const double share = (double)(state >> 11) * 0x1p-53, sign = state & 1 ? 1 : -1;
  if (kind == 0)
    return (float)(sign * 100 * share);
  if (kind == 1)
    return (float)(sign * ldexp(1 + share, (int)(state >> 8) % 120 - 114));
  return sign * (double)((state >> 8) % 4);
}

static void check(const char* name, const double* a, const double* b, int count) {
  static const char* last;
  int differ = 0;
  for (int i = 0; i < count; ++i)
    differ |= memcmp(a + i, b + i, sizeof *a) != 0 && !(a[i] != a[i] && b[i] != b[i]);
  if (differ && last != name)
    puts(last = name);
}

#define CHECK(name, computed, expected)                                                                                \
  do {                                                                                                                 \
    const double a_ = (computed), b_ = (expected);                                                                     \
    check(name, &a_, &b_, 1);                                                                                          \
  } while (0)

#if GROUP == 0

double recursive_sum_32(const double*), pairwise_sum_32(const double*), compensated_sum_32(const double*);

static double pairwise(const double* x, int n) { return n == 1 ? *x : pairwise(x, n / 2) + pairwise(x + n / 2, n / 2); }

static void try_one(int kind) {
  double x[32];
  for (int i = 0; i < 32; ++i)
    x[i] = random_input(kind);
  double s = x[31];
  for (int i = 30; i >= 0; --i)
    s = x[i] + s;
  CHECK("recursive_sum_32", recursive_sum_32(x), s);
  CHECK("pairwise_sum_32", pairwise_sum_32(x), pairwise(x, 32));
  double e = 0;
  s = x[31];
  for (int i = 30; i >= 0; --i) {
    const double v = x[i] + e, t = s + v;
    e = (s - t) + v;
    s = t;
  }
  CHECK("compensated_sum_32", compensated_sum_32(x), s);
}

#elif GROUP == 1

double sum(const double*), one_norm(const double*), two_norm(const double*), dot(const double*, const double*);
void convolution(const double*, const double*, double*), matrix_vector(const double*, const double*, double*);
void matrix_matrix(const double*, const double*, double*), lu(double*), qr(double*);

static void plain_lu(double a[4][4]) {
  double scale[4];
  for (int i = 0; i < 4; ++i) {
    scale[i] = 0;
    for (int j = 0; j < 4; ++j)
      scale[i] = fmax(scale[i], fabs(a[i][j]));
  }
  for (int k = 0; k < 3; ++k) {
    int best = -1;
    double most = 0;
    for (int i = k; i < 4; ++i)
      if (fabs(a[i][k]) / scale[i] > most) {
        most = fabs(a[i][k]) / scale[i];
        best = i;
      }
    if (best < 0) {
      a[k][k] = 0;
      continue;
    }
    for (int j = 0; j < 4; ++j) {
      const double t = a[best][j];
      a[best][j] = a[k][j];
      a[k][j] = t;
    }
    for (int i = k + 1; i < 4; ++i) {
      a[i][k] = a[i][k] / a[k][k];
      for (int j = k + 1; j < 4; ++j)
        a[i][j] += -a[i][k] * a[k][j];
    }
  }
}

static void plain_qr(double a[4][4]) {
  for (int k = 0; k < 4; ++k) {
    double h[4] = {0}, s = 0;
    for (int i = k; i < 4; ++i) {
      h[i] = a[i][k];
      s += h[i] * h[i];
    }
    const double norm = sqrt(s);
    if (norm == 0)
      continue;
    const double beta = 1 / (norm * (norm + fabs(h[k])));
    a[k][k] = h[k] > 0 ? -norm : norm;
    h[k] -= a[k][k];
    if (beta == 0)
      continue;
    for (int j = k + 1; j < 4; ++j) {
      double w = 0;
      for (int i = k; i < 4; ++i)
        w += h[i] * a[i][j];
      for (int i = k; i < 4; ++i)
        if (h[i] != 0) // the library's test; it matters for the sign of a zero only
          a[i][j] += -beta * h[i] * w;
    }
  }
}

static void try_one(int kind) {
  double x[4], y[4], A[4][4], B[4][4], out[16], expected[16] = {0}, s = 0;
  for (int i = 0; i < 4; ++i) {
    x[i] = random_input(kind);
    y[i] = random_input(kind);
    for (int j = 0; j < 4; ++j) {
      A[i][j] = random_input(kind);
      B[i][j] = random_input(kind);
    }
  }
  for (int i = 0; i < 4; ++i)
    s += x[i];
  CHECK("sum", sum(x), s);
  s = 0;
  for (int i = 0; i < 4; ++i)
    s += fabs(x[i]);
  CHECK("one_norm", one_norm(x), s);
  s = 0;
  for (int i = 0; i < 4; ++i)
    s += x[i] * x[i];
  CHECK("two_norm", two_norm(x), sqrt(s));
  s = 0;
  for (int i = 0; i < 4; ++i)
    s += x[i] * y[i];
  CHECK("dot", dot(x, y), s);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      expected[i + j] += x[i] * y[j];
  convolution(x, y, out);
  check("convolution", out, expected, 7);
  for (int i = 0; i < 4; ++i) {
    expected[i] = 0;
    for (int j = 0; j < 4; ++j)
      expected[i] += A[i][j] * x[j];
  }
  matrix_vector(x, A[0], out);
  check("matrix_vector", out, expected, 4);
  for (int i = 0; i < 16; ++i) {
    expected[i] = 0;
    for (int k = 0; k < 4; ++k)
      expected[i] += A[i / 4][k] * B[k][i % 4];
  }
  matrix_matrix(A[0], B[0], out);
  check("matrix_matrix", out, expected, 16);
  memcpy(out, A, sizeof out);
  memcpy(B, A, sizeof B);
  lu(out);
  plain_lu(B);
  check("lu", out, B[0], 16);
  memcpy(out, A, sizeof out);
  qr(out);
  plain_qr(A);
  check("qr", out, A[0], 16);
}

#else

typedef double Weighted(const double*, const double*);
Weighted wmean, wskew, wskew_m, wvariance, wvariance_m, wsd, wsd_m, wvariance_w, wsd_w, wtss, wtss_m, wabsdev,
    wabsdev_m, wkurtosis, wkurtosis_m;

// The recurrence of them all.
static double average(const double* w, const double* values) {
  double m = 0, W = 0;
  for (int i = 0; i < 4; ++i)
    if (w[i] > 0) {
      W += w[i];
      m += (values[i] - m) * (w[i] / W);
    }
  return m;
}

static double moment(const double* w, const double* x, double m, double sd, int power) {
  double values[4];
  for (int i = 0; i < 4; ++i) {
    const double d = (x[i] - m) / sd;
    values[i] = power == 1 ? fabs(d) : d;
    for (int k = 1; k < power; ++k)
      values[i] = values[i] * d;
  }
  return average(w, values);
}

static double factor(const double* w) {
  double a = 0, b = 0;
  for (int i = 0; i < 4; ++i)
    if (w[i] > 0) {
      a += w[i];
      b += w[i] * w[i];
    }
  return (a * a) / ((a * a) - b);
}

static void try_one(int kind) {
  double w[4], x[4];
  for (int i = 0; i < 4; ++i) {
    w[i] = random_input(kind);
    x[i] = random_input(kind);
  }
  const double m = average(w, x), variance = moment(w, x, m, 1, 2), scaled = factor(w) * variance, sd = sqrt(scaled);
  double tss = 0;
  for (int i = 0; i < 4; ++i)
    if (w[i] > 0)
      tss += w[i] * (x[i] - m) * (x[i] - m);
  const struct {
    const char* name;
    Weighted* function;
    double expected;
  } all[] = {{"wmean", wmean, m},
             {"wskew", wskew, moment(w, x, m, sd, 3)},
             {"wskew_m", wskew_m, moment(w, x, m, sd, 3)},
             {"wvariance", wvariance, scaled},
             {"wvariance_m", wvariance_m, scaled},
             {"wsd", wsd, sd},
             {"wsd_m", wsd_m, sd},
             {"wvariance_w", wvariance_w, variance},
             {"wsd_w", wsd_w, sqrt(variance)},
             {"wtss", wtss, tss},
             {"wtss_m", wtss_m, tss},
             {"wabsdev", wabsdev, moment(w, x, m, 1, 1)},
             {"wabsdev_m", wabsdev_m, moment(w, x, m, 1, 1)},
             {"wkurtosis", wkurtosis, moment(w, x, m, sd, 4) - 3.0},
             {"wkurtosis_m", wkurtosis_m, moment(w, x, m, sd, 4) - 3.0}};
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
    CHECK(all[i].name, all[i].function(w, x), all[i].expected);
}

#endif

int main(void) {
  for (int i = 0; i < tries; ++i)
    try_one(i % 3);
  puts("compared");
  return 0;
}
