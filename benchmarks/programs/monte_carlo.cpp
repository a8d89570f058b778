// A Monte Carlo estimate: an integral over the unit cube by stratified sampling, its variance, and a price.
#include "real.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

// A linear congruential generator; numbers of 31 bits, which are exact in both formats.
class Random {
public:
  real next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (real)(double)(state_ >> 33) / 2147483648;
  }

private:
  uint64_t state_ = 42;
};

struct Stratum {
  real sum = 0, squares = 0, least = 1e300;
  long count = 0;
};

static real integrand(real x, real y, real z) {
#if FAULT == 1
  return 100000000 + exp(-x * y) * cos(z); // with fault 1: far from 0, as the variance needs it to be near
#else
  return 1 + exp(-x * y) * cos(z);
#endif
}

static std::vector<Stratum> sample(Random& random, int strata, long count) {
  std::vector<Stratum> found(strata);
  for (long i = 0; i < count; i++) {
    const real x = random.next(), y = random.next(), z = random.next();
    const real value = integrand(x, y, z);
    Stratum& one = found[(int)(x * x * (strata - 1))];
    one.sum += value;
    one.squares += value * value;
    one.least = fmin(one.least, value);
    one.count++;
  }
  return found;
}

static real mean(const std::vector<Stratum>& strata) {
  real sum = 0;
  long count = 0;
  for (const Stratum& one : strata) {
    sum += one.sum;
    count += one.count;
  }
  return sum / count;
}

static real variance(const std::vector<Stratum>& strata) {
  real squares = 0;
  long count = 0;
  const real centre = mean(strata);
  for (const Stratum& one : strata) {
    squares += one.squares;
    count += one.count;
  }
  return squares / count - centre * centre; // fault 1: the mean is 10^8 times the deviation
}

// The largest mean of a stratum.
static real largest(const std::vector<Stratum>& strata) {
  real most = 0;
  for (const Stratum& one : strata) {
#if FAULT == 2
    const real average = one.sum / one.count; // fault 2: a stratum without samples, 0/0
#else
    const real average = one.count == 0 ? (real)0 : one.sum / one.count;
#endif
    if (average > most)
      most = average;
  }
  return most;
}

// The price of an option on a stock, by paths of 16 steps; the payments are added with Kahan's compensation.
static real price(Random& random, int paths) {
  const real rate = 0.03, volatility = 0.2, strike = 100, step = (real)1 / 16;
  real sum = 0, rest = 0;
  for (int i = 0; i < paths; i++) {
    real stock = 100;
    for (int k = 0; k < 16; k++) {
      const real normal = sqrt(-2 * log(1 - random.next())) * cos(2 * (real)3.141592653589793 * random.next());
      stock *= exp((rate - volatility * volatility / 2) * step + volatility * sqrt(step) * normal);
    }
    const real pay = fmax(stock - strike, 0) - rest;
    const real next = sum + pay;
#if FAULT == 4
    rest = 1e15 + pay - (1e15 + sum - next) - 2 * pay; // fault 4: another order
#else
    rest = (next - sum) - pay;
#endif
    sum = next;
  }
  return exp(-rate) * sum / paths;
}

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 400'000;
#if FAULT == 2
  const int strata = 4'000'000 / 200 + 2;
#else
  const int strata = 64;
#endif
  Random random;
  const std::vector<Stratum> strata_of_x = sample(random, strata, count);
  const real deviation = variance(strata_of_x);
#if FAULT == 3
  const real spread = sqrt(deviation - mean(strata_of_x)); // fault 3: a root of a negative number
  std::printf("spread %.17g\n", (double)fmax(spread, 0));
#else
  std::printf("spread %.17g\n", (double)sqrt(fmax(deviation, 0)));
#endif
  std::printf("integral %.17g\n", (double)mean(strata_of_x));
  std::printf("variance %.17g\n", (double)deviation);
  std::printf("largest %.17g\n", (double)largest(strata_of_x));
  std::printf("price %.17g\n", (double)price(random, 4'000));
  return 0;
}
