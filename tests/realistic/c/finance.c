// Interest, annuities, options.
#include <math.h>

double present_value(double rate, int years, double cash) {
  if (rate <= -0.9 || years < 0 || years > 200)
    return 0.0;
  return cash * pow(1.0 + rate, -years);
}

// Payment of a loan.
double payment(double principal, double rate, int months) {
  if (months < 1 || months > 1200 || rate < 0.0 || rate > 1.0)
    return 0.0;
  double growth = pow(1.0 + rate, months);
  return principal * rate * growth / (growth - 1.0); // BUG
}

double payment_stable(double principal, double rate, int months) {
  if (months < 1 || months > 1200 || rate < 0.0 || rate > 1.0)
    return 0.0;
  if (rate == 0.0)
    return principal / months;
  return principal * rate / -expm1(-months * log1p(rate));
}

static double normal_cdf(double z) { return 0.5 * (1.0 + erf(z / sqrt(2.0))); } // BUG value_at_risk_probability

double value_at_risk_probability(double loss, double mean, double deviation) {
  if (deviation <= 0.0)
    return 0.0;
  return normal_cdf((mean - loss) / deviation);
}

// European call after Black and Scholes.
static double call_price(double spot, double strike, double rate, double sigma, double years) {
  double root = sigma * sqrt(years);
  double d1 = (log(spot / strike) + (rate + 0.5 * sigma * sigma) * years) / root;
  return spot * 0.5 * erfc(-d1 / sqrt(2.0)) - strike * exp(-rate * years) * 0.5 * erfc(-(d1 - root) / sqrt(2.0));
}

double put_price(double spot, double strike, double rate, double sigma, double years) {
  if (spot <= 0.0 || strike <= 0.0 || fabs(rate) > 0.5 || sigma < 0.01 || sigma > 2.0 || years < 0.01 || years > 50.0)
    return 0.0;
  return call_price(spot, strike, rate, sigma, years) - spot + strike * exp(-rate * years); // BUG
}

// Yearly rate that compounds to the same as this rate for each month.
double effective_rate(double monthly) {
  if (monthly <= -1.0 || monthly > 10.0)
    return 0.0;
  return expm1(12.0 * log1p(monthly));
}

double sharpe_ratio(const double *returns, int n) {
  double sum = 0.0, square = 0.0;
  for (int i = 0; i < n; i++)
    sum += returns[i];
  double mean = sum / n;
  for (int i = 0; i < n; i++)
    square += (returns[i] - mean) * (returns[i] - mean);
  return mean / sqrt(square / (n - 1)); // BUG
}
