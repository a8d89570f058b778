#include "ranged_subjects.h"

#include "numeric/bigfloat.h"
#include "numeric/format.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <thread>

// name, low, high
#define SUBJECTS(X)                                                                                                    \
  X(sigmoid, -10, 10)                                                                                                  \
  X(root_of_square_plus_one, -100, 100)                                                                                \
  X(gauss_moment, -5, 5)                                                                                               \
  X(horner_exponential, -1, 1)                                                                                         \
  X(horner_sine, -1.5, 1.5)                                                                                            \
  X(softplus, -10, 10)                                                                                                 \
  X(tangent_by_exp, 0.5, 8)                                                                                            \
  X(root_of_quadratic, 0.01, 100)                                                                                      \
  X(log_of_square, 0.001, 50)                                                                                          \
  X(lorentz, -100, 100)                                                                                                \
  X(rational, 0.001, 10)                                                                                               \
  X(sinc, 0.1, 3)                                                                                                      \
  X(planck, 0.1, 50)                                                                                                   \
  X(smoothstep, 0, 1)                                                                                                  \
  X(three_halves, 0.001, 1000)                                                                                         \
  X(cosine_quotient, 0.01, 3)                                                                                          \
  X(difference_of_roots, 1, 1e6)                                                                                       \
  X(log_quotient, 0.0001, 1)                                                                                           \
  X(chebyshev_5, 0.01, 1)                                                                                              \
  X(expanded_square, 0.5, 3)

extern "C" {
#define DECLARED(name, low, high)                                                                                      \
  float name(float);                                                                                                   \
  double name##_in_double(double);                                                                                     \
  long double name##_in_extended(long double);
SUBJECTS(DECLARED)
#undef DECLARED
}

namespace faultline::bench {
namespace {

constexpr int64_t chunk = 1 << 20;

// The quick figure is wrong by less than this share, which `ulps_of_error` in x87's format then puts right: double has
// 29 bits more than float, of which these functions' cancellations take no more than 24.
constexpr double doubt = 0.05;

double quick_ulps(float computed, double exact) {
  const double error = std::fabs(computed - exact);
  if (!(error >= 0x1p-126) || !std::isfinite(computed))
    return 0;
  const int exponent = std::clamp(int(std::bit_cast<uint64_t>(exact) >> 52 & 0x7ff) - 1023, -126, 127);
  return error * std::bit_cast<double>(uint64_t(1023 + 23 - exponent) << 52); // 2^(23 - exponent)
}

} // namespace

std::vector<RangedSubject> ranged_subjects() {
#define ROW(name, low, high) {#name, name, name##_in_double, name##_in_extended, float(low), float(high)},
  return {SUBJECTS(ROW)};
#undef ROW
}

double ulps_of_error(float computed, long double exact) {
  const long double error = std::fabs((long double)computed - exact);
  if (!std::isfinite(computed) || !(error >= 0x1p-126L))
    return 0;
  return double(error / numeric::ulp(exact, numeric::Format::binary32));
}

Worst worst_of_range(const RangedSubject& subject) {
  const auto low = int64_t(numeric::ordered(subject.low)), high = int64_t(numeric::ordered(subject.high));
  std::atomic<int64_t> next = low;
  std::mutex mutex;
  Worst worst;
  auto work = [&] {
    Worst mine;
    for (int64_t begin = next.fetch_add(chunk); begin <= high; begin = next.fetch_add(chunk))
      for (int64_t at = begin; at < begin + chunk && at <= high; ++at) {
        const auto x = numeric::from_ordered<float>(at);
        const float computed = subject.native(x);
        if (!(quick_ulps(computed, subject.in_double(x)) > mine.ulps * (1 - doubt)))
          continue;
        if (const double ulps = ulps_of_error(computed, subject.in_extended(x)); ulps > mine.ulps)
          mine = {x, ulps};
      }
    const std::lock_guard lock(mutex);
    if (mine.ulps > worst.ulps)
      worst = mine;
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
      others.emplace_back(work);
    work();
  }
  return worst;
}

} // namespace faultline::bench
