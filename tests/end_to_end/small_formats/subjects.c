// Functions of binary16 and bfloat16 whose inputs can all be tried.
#include <math.h>

#define COSINE(x) ((T)cosf((float)(x)))
#define ROOT(x) ((T)sqrtf((float)(x)))
#define EXPONENTIAL(x) ((T)expf((float)(x)))
#define LOGARITHM(x) ((T)logf((float)(x)))

#define T _Float16
#define NAME(function) function##_binary16
#include "functions.h"
#undef T
#undef NAME

#define T __bf16
#define NAME(function) function##_bfloat16
#include "functions.h"
#undef T
#undef NAME

_Float16 difference_of_squares(_Float16 x, _Float16 y) {
  _Float16 a = x * x;
  _Float16 b = y * y;
  return a - b;
}
