// What the arguments of a function hold that is run to measure its arrays. Contents lead code to different places:
// ordinary numbers, zeros, a sorted sequence, both signs. Integers are indices, from 0 or from 1.
#pragma once

#include "frontend/target.h"

#include <cstdint>

namespace faultline::judge {

class Contents {
public:
  // The first four are one of each.
  Contents(uint64_t seed, int number) : seed_(seed), number_(number) {}

  long double of(const frontend::Type& type, size_t array, uint64_t element) const;

private:
  uint64_t seed_;
  int number_;
};

} // namespace faultline::judge
