// The largest error of each function in subjects.c over all inputs of a range, against long double arithmetic:
//   exhaustive FUNCTION LOW HIGH       all values of the format from LOW to HIGH
//   exhaustive difference_of_squares STEP  all pairs of values of binary16, of which the first is every STEP-th
// prints the error in units in the last place of the exact result, and where it is. Results that are not finite do not
// count.
#include "subjects.c"

#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef COSINE
#undef ROOT
#undef EXPONENTIAL
#undef LOGARITHM
#define COSINE cosl
#define ROOT sqrtl
#define EXPONENTIAL expl
#define LOGARITHM logl
#define T long double
#define NAME(function) function##_exact
#include "functions.h"

// Clang calls it, and libgcc 12 lacks it.
__bf16 __truncsfbf2(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if (value == value)
    bits += 0x7fff + (bits >> 16 & 1); // ties to even
  else
    bits |= 1 << 22;
  uint16_t half = (uint16_t)(bits >> 16);
  __bf16 rounded;
  memcpy(&rounded, &half, 2);
  return rounded;
}

struct subject {
  const char *name;
  _Float16 (*half)(_Float16);
  __bf16 (*brain)(__bf16);
  long double (*exact)(long double);
};
#define SUBJECT(function)                                                                                              \
  {#function "_binary16", function##_binary16, 0, function##_exact},                                                   \
      {#function "_bfloat16", 0, function##_bfloat16, function##_exact}
static const struct subject subjects[] = {
    SUBJECT(cubic),      SUBJECT(exponential_series), SUBJECT(one_minus_cosine), SUBJECT(difference_of_roots),
    SUBJECT(rational),   SUBJECT(sigmoid),            SUBJECT(log_of_sum),       SUBJECT(cosine_of_slope),
    SUBJECT(harmonic_sum), SUBJECT(tangent_by_exp)};

static long double ulp(long double exact, int precision, int least) {
  int exponent = exact == 0 ? least : ilogbl(exact);
  return ldexpl(1, (exponent < least ? least : exponent) - precision + 1);
}

static int one_input(const struct subject *subject, long double low, long double high) {
  long double worst = -1, at = 0;
  for (uint32_t pattern = 0; pattern < 1u << 16; ++pattern) {
    uint16_t bits = (uint16_t)pattern;
    long double x, computed;
    if (subject->half) {
      _Float16 value;
      memcpy(&value, &bits, 2);
      x = value;
      computed = subject->half(value);
    } else {
      uint32_t wide = pattern << 16;
      float value;
      memcpy(&value, &wide, 4);
      x = value;
      computed = (float)subject->brain((__bf16)value);
    }
    if (!(x >= low && x <= high) || !isfinite(computed))
      continue;
    long double exact = subject->exact(x);
    long double error = fabsl(computed - exact) / (subject->half ? ulp(exact, 11, -14) : ulp(exact, 8, -126));
    if (isfinite(exact) && error > worst) {
      worst = error;
      at = x;
    }
  }
  printf("%.9Lg %.9Lg\n", worst, at);
  return 0;
}

// In doubles, which hold the exact squares; their difference is rounded far below an ulp.
static int two_inputs(unsigned step) {
  static double values[1 << 16];
  double worst = -1, at_x = 0, at_y = 0;
  for (unsigned i = 0; i < 1u << 16; ++i) {
    uint16_t bits = (uint16_t)i;
    _Float16 value;
    memcpy(&value, &bits, 2);
    values[i] = value;
  }
  for (unsigned i = 0; i < 1u << 16; i += step) {
    const double x = values[i];
    if (!isfinite(x))
      continue;
    const _Float16 a = (_Float16)x * (_Float16)x;
    double errors = -1;
    unsigned where = 0;
    for (unsigned j = 0; j < 1u << 16; ++j) {
      const double y = values[j];
      const _Float16 b = (_Float16)y * (_Float16)y;
      const double computed = (_Float16)(a - b), exact = x * x - y * y;
      uint64_t bits;
      memcpy(&bits, &exact, 8);
      const int64_t exponent = (int64_t)(bits >> 52 & 2047);
      const uint64_t unit = (uint64_t)((exponent < 1009 ? 1009 : exponent) - 10) << 52;
      double spacing;
      memcpy(&spacing, &unit, 8);
      const double error = fabs(computed - exact) / spacing;
      if (error > errors && error <= DBL_MAX) {
        errors = error;
        where = j;
      }
    }
    if (errors > worst) {
      worst = errors;
      at_x = x;
      at_y = values[where];
    }
  }
  printf("%.9g %.9g %.9g\n", worst, at_x, at_y);
  return 0;
}

int main(int count, char **words) {
  if (count == 3)
    return two_inputs((unsigned)strtoul(words[2], 0, 10));
  for (size_t i = 0; count == 4 && i < sizeof subjects / sizeof *subjects; ++i)
    if (strcmp(subjects[i].name, words[1]) == 0)
      return one_input(&subjects[i], strtold(words[2], 0), strtold(words[3], 0));
  return 2;
}
