// FPGen's three summations of 32 numbers (Guo and Rubio-González, ICSE 2020), written from their description.
//
// The algorithms work in place, on a copy; the output is the sum, element 0 of it at the end. By hand:
//
//   faultline hunt benchmarks/fpgen/summation.c -f recursive_sum_32 --size L=32 --format L=binary32 --range L=-100:100

#include <string.h>

enum { length = 32 };

// From the last number to the first.
double recursive_sum_32(const double* L) {
  double a[length];
  memcpy(a, L, sizeof a);
  for (int i = length - 1; i > 0; --i)
    a[i - 1] = a[i - 1] + a[i];
  return a[0];
}

// Neighbours first, then their sums, and so on.
double pairwise_sum_32(const double* L) {
  double a[length];
  memcpy(a, L, sizeof a);
  for (int left = length; left > 1; left = (left + 1) / 2) {
    for (int i = 0; i < left / 2; ++i)
      a[i] = a[2 * i] + a[2 * i + 1];
    if (left % 2 == 1)
      a[left / 2] = a[left - 1];
  }
  return a[0];
}

// Kahan's, from the last number to the first; what is left over in the end is dropped.
double compensated_sum_32(const double* L) {
  double a[length], e = 0;
  memcpy(a, L, sizeof a);
  for (int i = length - 1; i > 0; --i) {
    const double s = a[i], v = a[i - 1] + e;
    a[i - 1] = s + v;
    e = (s - a[i - 1]) + v;
  }
  return a[0];
}
