/* summation.c without its errors: the rounding of every addition is kept (A. Neumaier, 1974), in a wider format that
 * does not overflow. */

typedef struct {
  long double sum, lost;
} accumulator;

static void add(accumulator* to, long double value) {
  long double sum = to->sum + value, part = sum - to->sum;
  to->lost += (to->sum - (sum - part)) + (value - part);
  to->sum = sum;
}

double recursive_summation(double* A, int size) {
  accumulator total = {0, 0};
  for (int i = size - 1; i >= 0; i--) {
    add(&total, A[i]);
    A[i] = (double)(total.sum + total.lost);
  }
  return A[0];
}

double compensated_summation(double* A, int size) { return recursive_summation(A, size); }

double recursive_summation_of_4(double a0, double a1, double a2, double a3) {
  double A[4] = {a0, a1, a2, a3};
  return recursive_summation(A, 4);
}

double compensated_summation_of_4(double a0, double a1, double a2, double a3) {
  return recursive_summation_of_4(a0, a1, a2, a3);
}

double pairwise_summation(double a0, double a1, double a2, double a3) {
  return recursive_summation_of_4(a0, a1, a2, a3);
}
