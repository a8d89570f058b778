/* From H. Guo, C. Rubio-Gonzalez: Efficient Generation of Error-Inducing Floating-Point Inputs via Symbolic Execution
 * (ICSE 2020), Figure 1: three ways to sum. The paper's authors made this array by hand (Table 1b):
 *
 *   A[0] = 1.1e-15, A[1] = 98, A[2] = -1.2e-15, A[3] = -98        the sum is -1e-16
 *
 * A large element swallows a small one, then the large ones cancel. Recursive and compensated summation return 1.1e-15,
 * a relative error of 12; pairwise summation, which adds 98 to 1.1e-15 and -98 to -1.2e-15, returns 0, an error of 1.
 * Random arrays hardly ever do this. The correction of the compensated sum is itself swallowed by the next large element. */

double recursive_summation(double* A, int size) {
  for (int i = size - 1; i > 0; i--)
    A[i - 1] += A[i];
  return A[0];
}

double compensated_summation(double* A, int size) {
  double e = 0;
  for (int i = size - 1; i > 0; i--) {
    double sum = A[i];
    double a = A[i - 1] + e;
    A[i - 1] = sum + a;
    e = (sum - A[i - 1]) + a;
  }
  return A[0];
}

/* The same over four values, to be hunted without --size. */

double pairwise_summation(double a0, double a1, double a2, double a3) {
  a0 += a1;
  a2 += a3;
  a0 += a2;
  return a0;
}

double recursive_summation_of_4(double a0, double a1, double a2, double a3) {
  double A[4] = {a0, a1, a2, a3};
  return recursive_summation(A, 4);
}

double compensated_summation_of_4(double a0, double a1, double a2, double a3) {
  double A[4] = {a0, a1, a2, a3};
  return compensated_summation(A, 4);
}
