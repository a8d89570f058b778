/* The three summations of examples/summation.c, over 32 values. */

enum { size = 32 };

double recursive_summation(double* A) {
  for (int i = size - 1; i > 0; i--)
    A[i - 1] += A[i];
  return A[0];
}

double pairwise_summation(double* A) {
  for (int width = 1; width < size; width *= 2)
    for (int i = 0; i < size; i += 2 * width)
      A[i] += A[i + width];
  return A[0];
}

double compensated_summation(double* A) {
  double e = 0;
  for (int i = size - 1; i > 0; i--) {
    double sum = A[i];
    double a = A[i - 1] + e;
    A[i - 1] = sum + a;
    e = (sum - A[i - 1]) + a;
  }
  return A[0];
}
