// Compares the code as it was and as a hint has it with the code in as many bits as it takes, on many inputs. The
// including file says what is called: INPUTS (how many), `kinds` and `ranges` of the inputs, `speaker` (the finding's
// input), and three functions that turn inputs into outputs.
#pragma once

#include "wide.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

// What a hint may cost at any input: twice the error there was, or four ulps more.
constexpr double allowed_factor = 2, allowed_ulps = 4;

struct InputKind {
  bool integer, single;
  double low, high; // both included
  double speaker;
};

// splitmix64
inline uint64_t next_random() {
  static uint64_t state = 20261116;
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
inline double uniform() { return double(next_random() >> 11) * 0x1p-53; }
inline unsigned below(unsigned n) { return unsigned(next_random() % n); }

inline double any_of(const InputKind& kind, unsigned sort) {
  static const double round[] = {0, 1, -1, 2, 0.5, 3, 0.1, 10, 100, 1000, 1e-3, 0.25, -2, 0.75, 1e6, 1e-6, 7, 1.5};
  const bool narrow = kind.high - kind.low <= 1e12;
  switch (sort) {
  case 0: // near the finding's
  case 1: {
    const double relative = std::ldexp(uniform(), -int(below(52)));
    return kind.speaker * (below(2) ? 1 + relative : 1 - relative);
  }
  case 2:
    return round[below(18)];
  case 3: // of moderate size
    return (below(3) ? 1 : -1) * uniform() * std::pow(10.0, int(below(7)) - 3);
  case 4: // every float is as likely
    if (!narrow) {
      double value;
      const uint64_t bits = next_random();
      std::memcpy(&value, &bits, sizeof value);
      return kind.single ? float(std::ldexp(std::frexp(value, new int), int(below(250)) - 125)) : value;
    }
    [[fallthrough]];
  case 5:
    if (narrow)
      return kind.low + (kind.high - kind.low) * uniform();
    [[fallthrough]];
  default: { // every magnitude is as likely
    const double least = kind.low > 0 ? kind.low : kind.single ? 1e-6 : 1e-9;
    const double most = std::fmin(kind.high, kind.low > 0 ? kind.high : kind.single ? 1e6 : 1e9);
    const double size = std::exp(std::log(least) + (std::log(most) - std::log(least)) * uniform());
    return kind.low < 0 && below(2) ? -size : size;
  }
  }
}

inline double drawn(const InputKind& kind, unsigned sort) {
  double value = any_of(kind, sort);
  if (!(value >= kind.low && value <= kind.high)) // and not NaN
    value = kind.low + (kind.high - kind.low) * uniform();
  if (!(value >= kind.low && value <= kind.high))
    value = kind.speaker;
  return kind.integer ? std::rint(value) : kind.single ? float(value) : value;
}

// |computed - exact| in ulps of the exact value; equal infinities and NaNs are right.
inline double ulps_of(double computed, const Wide& exact, bool single) {
  const int digits = single ? 24 : 53, smallest = single ? -149 : -1074;
  const double nearest = single ? mpfr_get_flt(exact.value, MPFR_RNDN) : mpfr_get_d(exact.value, MPFR_RNDN);
  if (computed == nearest || (std::isnan(computed) && std::isnan(nearest)))
    return 0;
  if (!std::isfinite(computed) || !std::isfinite(nearest))
    return std::numeric_limits<double>::infinity();
  const long exponent = mpfr_zero_p(exact.value) ? smallest : long(mpfr_get_exp(exact.value)) - digits;
  Wide error = Wide(computed) - exact;
  mpfr_mul_2si(error.value, error.value, -std::max(exponent, long(smallest)), MPFR_RNDN);
  return std::fabs(mpfr_get_d(error.value, MPFR_RNDN));
}

constexpr mpfr_prec_t most_bits = 6000;

// Do two references agree far beyond the digits of a double? Exact zeros of different ways to compute it do.
inline bool agree(const Wide& coarse, const Wide& fine) {
  if (mpfr_nan_p(coarse.value) || mpfr_nan_p(fine.value))
    return mpfr_nan_p(coarse.value) && mpfr_nan_p(fine.value);
  if (coarse == fine) // 1 - cos(1e-200) is 0 in anything but very many bits
    return !mpfr_zero_p(fine.value) || Wide::precision >= most_bits;
  const Wide difference = fabs(coarse - fine);
  return mpfr_number_p(difference.value) && !mpfr_zero_p(fine.value) &&
         mpfr_get_exp(difference.value) < mpfr_get_exp(fine.value) - 100;
}

// The precision is raised until two in a row agree. False: none does.
template <class Exact>
bool settle(Exact exact, const double* x, std::vector<Wide>& reference) {
  std::vector<Wide> coarse(reference.size());
  for (const mpfr_prec_t precision : {mpfr_prec_t(400), mpfr_prec_t(1000), mpfr_prec_t(2500), most_bits}) {
    Wide::precision = precision;
    exact(x, reference.data());
    bool settled = precision > 400;
    for (size_t k = 0; k < reference.size(); ++k)
      settled = settled && agree(coarse[k], reference[k]);
    if (settled)
      return true;
    coarse = reference;
  }
  return false;
}

// Prints: inputs to which the hint applies, those where it is worse than allowed, those where it is better.
template <class Old, class New, class Exact, class Applies>
int compare(const std::vector<InputKind>& kinds, size_t outputs, bool single, long inputs, Old old, New with_hint,
            Exact exact, Applies applies) {
  constexpr double most_seconds = 60; // loops of thousands of steps take their time in many bits
  const std::clock_t begin = std::clock();
  long tried = 0, worse = 0, better = 0;
  std::vector<double> x(kinds.size()), before(outputs), after(outputs);
  std::vector<Wide> reference(outputs);
  for (long i = 0; i < inputs && double(std::clock() - begin) < most_seconds * CLOCKS_PER_SEC; ++i) {
    const bool alone = below(2), alike = below(24) == 0;
    const unsigned sort = below(8), which = below(unsigned(kinds.size()));
    for (size_t k = 0; k < kinds.size(); ++k)
      x[k] = i == 0 || (sort < 2 && alone && k != which) ? kinds[k].speaker : drawn(kinds[k], sort);
    for (size_t k = 1; alike && k < kinds.size(); ++k)
      if (x[0] >= kinds[k].low && x[0] <= kinds[k].high && !kinds[k].integer)
        x[k] = x[0];
    if (!applies(x.data()))
      continue;
    old(x.data(), before.data());
    with_hint(x.data(), after.data());
    if (!settle(exact, x.data(), reference))
      continue;
    ++tried;
    for (size_t k = 0; k < outputs; ++k) {
      const double was = ulps_of(before[k], reference[k], single), is = ulps_of(after[k], reference[k], single);
      better += is * 2 < was && was > allowed_ulps;
      if (is > std::fmax(allowed_factor * was, was + allowed_ulps) && worse++ < 3) {
        std::printf("  worse: output %zu, %.3g ulps for %.3g at", k, is, was);
        for (const double value : x)
          std::printf(" %.17g", value);
        std::printf("\n");
      }
    }
  }
  std::printf("tried %ld worse %ld better %ld\n", tried, worse, better);
  return worse > 0 || better == 0;
}
