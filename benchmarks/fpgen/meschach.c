// FPGen's nine benchmarks of Meschach (Guo and Rubio-González, ICSE 2020), of dimension 4: each is one call of the
// library. Meschach's vectors and matrices are headers around plain arrays, which the harness puts around its
// arguments. Matrices are stored row by row. By hand, after scripts/fetch-subjects meschach:
//
//   faultline hunt benchmarks/fpgen/meschach.c build/subjects/meschach/meschach.bc -f dot --size x=4 --size y=4
//     --format x=binary32 --range x=-100:100 --format y=binary32 --range y=-100:100
//     -- -Ibuild/subjects/meschach/include/meschach
//
// all on one line. The sizes: 4 for x, y and b, 7 for z, 4x4 for matrices. What is only written (z, b, C) is no input.

#include "matrix.h"
#include "matrix2.h"

#include <string.h>

extern VEC* v_conv(VEC* x1, VEC* x2, VEC* out); // in no header

enum { n = 4 };

// The library writes to what it is given; inputs stay as they are.
typedef struct {
  VEC head;
  Real numbers[2 * n - 1];
} Vector;

typedef struct {
  MAT head;
  Real* rows[n];
  Real numbers[n * n];
} Matrix;

static VEC* vector(Vector* v, const double* from, unsigned dim) {
  v->head.dim = v->head.max_dim = dim;
  v->head.ve = v->numbers;
  if (from)
    memcpy(v->numbers, from, dim * sizeof *from);
  return &v->head;
}

static MAT* matrix(Matrix* a, const double* from) {
  a->head.m = a->head.n = a->head.max_m = a->head.max_n = n;
  a->head.max_size = n * n;
  a->head.me = a->rows;
  a->head.base = a->numbers;
  for (int i = 0; i < n; ++i)
    a->rows[i] = a->numbers + n * i;
  if (from)
    memcpy(a->numbers, from, sizeof a->numbers);
  return &a->head;
}

double sum(const double* x) {
  Vector v;
  return v_sum(vector(&v, x, n));
}

double one_norm(const double* x) {
  Vector v;
  return v_norm1(vector(&v, x, n));
}

double two_norm(const double* x) {
  Vector v;
  return v_norm2(vector(&v, x, n));
}

double dot(const double* x, const double* y) {
  Vector v, w;
  return in_prod(vector(&v, x, n), vector(&w, y, n));
}

void convolution(const double* x, const double* y, double* z) {
  Vector v, w, out;
  v_conv(vector(&v, x, n), vector(&w, y, n), vector(&out, 0, 2 * n - 1));
  memcpy(z, out.numbers, sizeof out.numbers);
}

void matrix_vector(const double* x, const double* A, double* b) {
  Vector v, out;
  Matrix a;
  mv_mlt(matrix(&a, A), vector(&v, x, n), vector(&out, 0, n));
  memcpy(b, out.numbers, n * sizeof *b);
}

void matrix_matrix(const double* A, const double* B, double* C) {
  Matrix a, b, c;
  m_mlt(matrix(&a, A), matrix(&b, B), matrix(&c, 0));
  memcpy(C, c.numbers, sizeof c.numbers);
}

// A becomes its factors: L below the diagonal, U from there on, rows permuted.
void lu(double* A) {
  Matrix a;
  u_int order[n];
  PERM pivot = {n, n, order};
  LUfactor(matrix(&a, A), &pivot);
  memcpy(A, a.numbers, sizeof a.numbers);
}

// A becomes R from the diagonal on; below it stand the Householder vectors.
void qr(double* A) {
  Matrix a;
  Vector diagonal;
  QRfactor(matrix(&a, A), vector(&diagonal, 0, n));
  memcpy(A, a.numbers, sizeof a.numbers);
}
