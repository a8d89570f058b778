// Random numbers that are the same on every platform and with every standard library.
//
// A finding is reproduced from a seed, so this file does not depend on std:: distributions or libm. It uses only
// integer arithmetic and floating-point additions, multiplications and comparisons.
//
// The generator is xoshiro256** (Blackman and Vigna, 2018), its state filled by SplitMix64 (Steele, Lea and Flood,
// 2014). gaussian() is Karney's exact rejection method (ACM TOMS 42, 2016). It needs only coin tosses of probability
// exp(-x), which von Neumann's method makes from comparisons of uniform numbers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace faultline::numeric {

class Rng {
public:
  explicit Rng(uint64_t seed) : seed_(seed) {
    for (uint64_t& word : state_)
      word = mix(seed += golden_gamma);
  }

  uint64_t next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform over 0 .. n-1, without bias; n > 0. The high half of next() * n, redrawn where the low half falls into the
  // part of 2^64 that n does not divide (Lemire, 2019).
  uint64_t below(uint64_t n) {
    const uint64_t remainder = -n % n;
    for (;;) {
      const unsigned __int128 product = static_cast<unsigned __int128>(next()) * n;
      if (static_cast<uint64_t>(product) >= remainder)
        return static_cast<uint64_t>(product >> 64);
    }
  }

  // In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  bool coin() { return next() >> 63; }

  // The normal distribution with mean 0 and deviation 1: an integer part k with weight exp(-k*k/2), then a fraction x
  // that survives with probability exp(-x * (2k + x) / 2).
  double gaussian() {
    for (;;) {
      int k = 0;
      while (survives(0.5))
        ++k;
      if (!survives_times(0.5, k * (k - 1)))
        continue;
      const double x = uniform();
      if (survives(x * x / 2) && survives_times(x, k))
        return coin() ? k + x : -(k + x);
    }
  }

  // Returns an independent generator for a named purpose. It depends only on the seed and the tag, not on earlier
  // draws, so parts of a run can be reordered or run in parallel without changing each other's numbers.
  Rng fork(std::string_view tag) const {
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (const char c : tag)
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return Rng(mix(seed_ + golden_gamma) ^ mix(hash));
  }

private:
  static constexpr uint64_t golden_gamma = 0x9e3779b97f4a7c15;

  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // True with probability exp(-x), 0 <= x <= 1: the length of the falling run x > u1 > u2 > ... is even.
  bool survives(double x) {
    bool even = true;
    for (double u = uniform(); u < x; x = u, u = uniform())
      even = !even;
    return even;
  }

  bool survives_times(double x, int times) {
    while (times-- > 0)
      if (!survives(x))
        return false;
    return true;
  }

  uint64_t seed_;
  std::array<uint64_t, 4> state_{};
};

} // namespace faultline::numeric
