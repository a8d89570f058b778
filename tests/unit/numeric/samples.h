// Random floats for the tests of arithmetic: from a fixed seed, spread over all exponents, subnormals included.
#pragma once

#include <cmath>
#include <limits>

#include "numeric/format.h"
#include "numeric/random.h"

namespace faultline::numeric {

template <class T> T any_finite(Rng& rng) {
  const Uint128 count = static_cast<Uint128>(ordered(std::numeric_limits<T>::infinity()));
  const Uint128 draw = ((static_cast<Uint128>(rng.next()) << 64) | rng.next()) % count;
  const T magnitude = from_ordered<T>(static_cast<Ordered<T>>(draw));
  return rng.coin() ? magnitude : -magnitude;
}

// Exponent in [low, high], fraction random.
template <class T> T with_exponent(Rng& rng, int low, int high) {
  const int exponent = low + static_cast<int>(rng.below(static_cast<uint64_t>(high - low + 1)));
  const T fraction = 1 + static_cast<T>(std::ldexp(static_cast<long double>(rng.next()), -64));
  const T value = std::ldexp(fraction < 2 ? fraction : T{1}, exponent);
  return rng.coin() ? value : -value;
}

// A float of nearby exponent, so that operations on the two cancel, round and tie.
template <class T> T near(Rng& rng, T value, int distance) {
  if (value == 0 || !std::isfinite(value))
    return any_finite<T>(rng);
  const int exponent = std::ilogb(value);
  const int low = std::max(exponent - distance, std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits);
  const int high = std::min(exponent + distance, std::numeric_limits<T>::max_exponent - 1);
  return with_exponent<T>(rng, low, high);
}

} // namespace faultline::numeric
