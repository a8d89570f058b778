// FPGen's fifteen benchmarks of GSL's weighted statistics (Guo and Rubio-González, ICSE 2020), with four numbers and
// their weights, all eight of them inputs, as in the published runs of random search and S3FP and in fpgen_limits.csv.
// FPGen itself held the weights of wmean and wskew at 1, 1, 2, 4: --hold w[0]=1 --hold w[1]=1 --hold w[2]=2 --hold
// w[3]=4.
//
// GSL accumulates in long double; FPGen's copy of it in double. -mlong-double-64 makes that of the sources as they are.
// By hand, after scripts/fetch-subjects gsl, with G=build/subjects/gsl:
//
//   faultline hunt benchmarks/fpgen/gsl_statistics.c $G/src/statistics/{wmean,wvariance,wabsdev,wskew,wkurtosis}.c
//     -f wvariance --size w=4 --size x=4 --format w=binary32 --format x=binary32 --range w=-100:100 --range x=-100:100
//     -- -mlong-double-64 -DHAVE_CONFIG_H -I$G/src -I$G/include
//
// all on one line. The names that end in _m get the mean (and the deviation) first and hand it over: the same value.

#include <gsl/gsl_statistics_double.h>

enum { n = 4 };

double wmean(const double* w, const double* x) { return gsl_stats_wmean(w, 1, x, 1, n); }

double wvariance(const double* w, const double* x) { return gsl_stats_wvariance(w, 1, x, 1, n); }

double wvariance_m(const double* w, const double* x) {
  return gsl_stats_wvariance_m(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wsd(const double* w, const double* x) { return gsl_stats_wsd(w, 1, x, 1, n); }

double wsd_m(const double* w, const double* x) {
  return gsl_stats_wsd_m(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wvariance_w(const double* w, const double* x) {
  return gsl_stats_wvariance_with_fixed_mean(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wsd_w(const double* w, const double* x) {
  return gsl_stats_wsd_with_fixed_mean(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wtss(const double* w, const double* x) { return gsl_stats_wtss(w, 1, x, 1, n); }

double wtss_m(const double* w, const double* x) {
  return gsl_stats_wtss_m(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wabsdev(const double* w, const double* x) { return gsl_stats_wabsdev(w, 1, x, 1, n); }

double wabsdev_m(const double* w, const double* x) {
  return gsl_stats_wabsdev_m(w, 1, x, 1, n, gsl_stats_wmean(w, 1, x, 1, n));
}

double wskew(const double* w, const double* x) { return gsl_stats_wskew(w, 1, x, 1, n); }

double wskew_m(const double* w, const double* x) {
  const double mean = gsl_stats_wmean(w, 1, x, 1, n);
  return gsl_stats_wskew_m_sd(w, 1, x, 1, n, mean, gsl_stats_wsd(w, 1, x, 1, n));
}

double wkurtosis(const double* w, const double* x) { return gsl_stats_wkurtosis(w, 1, x, 1, n); }

double wkurtosis_m(const double* w, const double* x) {
  const double mean = gsl_stats_wmean(w, 1, x, 1, n);
  return gsl_stats_wkurtosis_m_sd(w, 1, x, 1, n, mean, gsl_stats_wsd(w, 1, x, 1, n));
}
