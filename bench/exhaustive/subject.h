// The functions of subjects.c with what they should return: the same formula carried out in exact arithmetic.
#pragma once

#include "numeric/bigfloat.h"

#include <vector>

namespace faultline::bench {

struct Subject {
  const char* name;
  float (*native)(float);
  // In double, by a form of the formula that is good enough to rank errors of floats by (scan.cpp checks that).
  double (*quick)(double);
  // The formula as it stands, in as many bits as the result has; these are so many that all floats are safe.
  void (*exact)(mpfr_ptr result, mpfr_srcptr x);
};

std::vector<Subject> all_subjects();

numeric::BigFloat exact_value(const Subject& subject, float x);

// The error of what the function returns, in ulps of binary32 at the exact value; 0 where nobody counts it, as in a
// hunt: the result is not finite, the exact value does not exist, or the error is below the smallest normal number.
double ulps_of_error(const Subject& subject, float x);

// The same by the quick formula.
double quick_ulps_of_error(const Subject& subject, float x);

} // namespace faultline::bench
