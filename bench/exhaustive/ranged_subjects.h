// The functions of ranged.c with their ranges, and what they should return: the same code with wider numbers.
#pragma once

#include "worst.h"

#include <vector>

namespace faultline::bench {

struct RangedSubject {
  const char* name;
  float (*native)(float);
  double (*in_double)(double);             // ranks errors
  long double (*in_extended)(long double); // and measures them: 40 bits more than floats have
  float low, high;
};

std::vector<RangedSubject> ranged_subjects();

// In ulps of binary32 at the exact value; 0 for errors below the smallest normal number, as in a hunt.
double ulps_of_error(float computed, long double exact);

// The largest error of all floats of the range, and where it is.
Worst worst_of_range(const RangedSubject& subject);

} // namespace faultline::bench
