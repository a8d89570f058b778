#include <math.h>

enum { order = 16 };

/* LU decomposition in place, with partial pivoting: A becomes L (unit diagonal, below) and U. Returns det A. */
double lu_decomposition(double* A) {
  double determinant = 1;
  for (int k = 0; k < order; k++) {
    int pivot = k;
    for (int i = k + 1; i < order; i++)
      if (fabs(A[i * order + k]) > fabs(A[pivot * order + k]))
        pivot = i;
    if (pivot != k) {
      for (int j = 0; j < order; j++) {
        double swapped = A[k * order + j];
        A[k * order + j] = A[pivot * order + j];
        A[pivot * order + j] = swapped;
      }
      determinant = -determinant;
    }
    determinant *= A[k * order + k];
    for (int i = k + 1; i < order; i++) {
      double factor = A[i * order + k] /= A[k * order + k];
      for (int j = k + 1; j < order; j++)
        A[i * order + j] -= factor * A[k * order + j];
    }
  }
  return determinant;
}
