/* What is measured, as one list that all three ways of running it are expanded from, and the fixed inputs it is
 * measured on. C, because the child under -fsanitize=numerical (nsan_subjects.c) is C. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* FUNCTION(name, arguments in terms of x, low, high): of GSL; the inputs x are spread evenly over the range. */
#define BENCH_FUNCTIONS(FUNCTION)                                                                                      \
  FUNCTION(gsl_sf_bessel_J0, (x), -50, 50)                                                                             \
  FUNCTION(gsl_sf_lngamma, (x), 0.05, 40)                                                                              \
  FUNCTION(gsl_sf_legendre_P2, (x), -1, 1)                                                                             \
  FUNCTION(gsl_sf_airy_Ai, (x, GSL_PREC_DOUBLE), -20, 10)                                                              \
  FUNCTION(gsl_sf_erf, (x), -5, 5)                                                                                     \
  FUNCTION(gsl_sf_expint_E1, (x), 0.05, 30)                                                                            \
  FUNCTION(gsl_sf_psi, (x), 0.05, 30)                                                                                  \
  FUNCTION(gsl_sf_dilog, (x), -10, 10)                                                                                 \
  FUNCTION(gsl_sf_synchrotron_1, (x), 0.05, 30)                                                                        \
  FUNCTION(gsl_sf_zeta, (x), 1.1, 20)

/* ARRAY(name, file, elements, inputs): of this folder; changes its array in place, so each input has a block of its
 * own, and they are few enough for the blocks to stay in the cache, as the one block of a hunt does. */
#define BENCH_ARRAYS(ARRAY)                                                                                            \
  ARRAY(recursive_summation, "summation.c", 32, 32)                                                                    \
  ARRAY(pairwise_summation, "summation.c", 32, 32)                                                                     \
  ARRAY(compensated_summation, "summation.c", 32, 32)                                                                  \
  ARRAY(lu_decomposition, "lu.c", 256, 4)

enum { function_inputs = 32 };

/* How often the list of inputs is gone through between two looks at the clock. Once for arrays: they must be put back.
 */
enum { function_rounds = 64, array_rounds = 1 };

static inline double function_input(double low, double high, int which) {
  return low + (high - low) * (which + 0.5) / (double)function_inputs;
}

/* Element `position` of array input `which`: fixed noise in [-1, 1), of mixed magnitude. */
static inline double array_input(int which, size_t position) {
  uint64_t noise = (uint64_t)(which + 1) * 0x9e3779b97f4a7c15u + (position + 1) * 0xbf58476d1ce4e5b9u;
  noise ^= noise >> 31;
  noise *= 0x94d049bb133111ebu;
  noise ^= noise >> 29;
  return ldexp((double)(int64_t)noise, -63 - (int)(noise % 8));
}
